/**
 * Rollout rules: headquarters orders a release in further stores only while it works in earlier stores, and each store
 * receives the order once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sentences } from '../sentences/de.ts';
import { wordsBy } from '../sentences/words.ts';
import {
  FETCHING_MS,
  freshMemory,
  GONE_MS,
  LACKING_MS,
  LATE_MS,
  nextRolloutStep,
  OFFLINE_MS,
  placeStores,
  type RolloutNow,
  type WaveStore,
} from './rollouts.ts';

const german = wordsBy(sentences);
const MINUTE = 60_000;
const T0 = Date.UTC(2026, 10, 2, 12);
const SOAK = 30 * MINUTE;

const rolloutOf = (more: Partial<RolloutNow> = {}): RolloutNow => ({
  version: '2.0.0',
  waves: 2,
  status: 'running',
  wave: 0,
  wave_at: T0,
  healthy_ms: SOAK,
  at_once: 64,
  listening_since: 0,
  ...more,
});

const storeOf = (id: number, wave: number, more: Partial<WaveStore> = {}): WaveStore => ({
  ...freshMemory(T0),
  id,
  wave,
  line: 'up',
  heard_at: T0,
  listens: true,
  version: '1.0.0',
  online: 4,
  incident: null,
  update: null,
  ...more,
});

const TOLD = { state: 'told', told_at: T0, before_online: 4 } as const;
const HEALTHY = { ...TOLD, state: 'healthy', version: '2.0.0' } as const;

/** Returns the state of a store that has received the order, after one step of the rollout. */
const becomes = (more: Partial<WaveStore>, after: number, rollout: Partial<RolloutNow> = {}) => {
  const now = T0 + after;
  const store = storeOf(1, 0, { ...TOLD, heard_at: now, ...more });
  const { status, changed, stop } = nextRolloutStep(now, rolloutOf(rollout), [store]);
  const { state, why } = changed.get(1) ?? store;
  return { state, why, status, stop };
};

test('a wave begins when the previous wave was healthy for a while, and the last wave ends the rollout', () => {
  const [mill, dock] = [storeOf(1, 0), storeOf(2, 1)];
  const first = nextRolloutStep(T0, rolloutOf(), [mill, dock]);
  assert.deepEqual([first.tell, first.status, first.wave], [[1], 'running', 0]);
  assert.deepEqual(first.changed.get(1), { ...freshMemory(T0), ...TOLD });
  const seen = T0 + 5 * MINUTE;
  const back = nextRolloutStep(seen, rolloutOf(), [storeOf(1, 0, { ...TOLD, version: '2.0.0', heard_at: seen }), dock]);
  assert.deepEqual([back.tell, back.changed.get(1)?.state, back.changed.get(1)?.at], [[], 'healthy', seen]);
  const healthy = storeOf(1, 0, { ...HEALTHY, at: seen });
  const [early, now] = [seen + SOAK - 1, seen + SOAK];
  assert.deepEqual(nextRolloutStep(early, rolloutOf(), [{ ...healthy, heard_at: early }, dock]).tell, []);
  const second = nextRolloutStep(now, rolloutOf(), [{ ...healthy, heard_at: now }, dock]);
  assert.deepEqual([second.tell, second.wave, second.wave_at], [[2], 1, now]);
  const both = [healthy, storeOf(2, 1, { ...HEALTHY, at: now, heard_at: now + SOAK })];
  assert.equal(nextRolloutStep(now + SOAK, rolloutOf({ wave: 1, wave_at: now }), both).status, 'done');
});

test('store has the state that it reports, and is healthy when it runs the new version with all its screens', () => {
  const update = (phase: 'fetching' | 'installing' | 'done') => ({ phase, why: '' });
  assert.equal(becomes({}, MINUTE).state, 'told');
  assert.equal(becomes({ update: update('fetching') }, MINUTE).state, 'fetching');
  assert.equal(becomes({ update: update('installing') }, MINUTE).state, 'installing');
  const has = { version: '2.0.0' };
  assert.equal(becomes({ ...has, update: update('installing') }, MINUTE).state, 'installing', 'it is on trial');
  assert.equal(becomes({ ...has, online: 3 }, MINUTE).state, 'installing', 'players are not back yet');
  assert.equal(becomes({ ...has, update: update('done') }, MINUTE).state, 'healthy');
  assert.equal(becomes({ ...has, version: '2.1.0' }, MINUTE).state, 'healthy', 'somebody was faster');
});

test('each kind of unhealthy store stops the rollout at its time limit with a reason', () => {
  const why = (more: Partial<WaveStore>, limit: number) => {
    assert.notEqual(becomes(more, limit - 1).state, 'unhealthy');
    const { state, status, stop, why: said } = becomes(more, limit);
    assert.notEqual(german(said), said, 'nor in German');
    assert.deepEqual([state, status, stop], ['unhealthy', 'stopped', { store: 1, why: said }]);
    return said;
  };
  assert.equal(why({}, LATE_MS), 'The store still runs 1.0.0 after 30 minutes.');
  assert.match(why({ state: 'fetching', update: { phase: 'fetching', why: '' } }, FETCHING_MS), /for 24 hours/);
  assert.match(why({ line: 'down', heard_at: T0 }, GONE_MS), /There was no contact with the store for 15 minutes/);
  assert.match(
    why({ version: '2.0.0', state: 'installing', online: 3, lacking_at: T0 }, LACKING_MS),
    /4 screens were online before the update, but only 3 after 10 minutes/,
  );
  assert.match(
    becomes({ update: { phase: 'went_back', why: 'the program ended with 3' } }, 1).why,
    /runs again: the program ended with 3/,
  );
  assert.match(becomes({ update: { phase: 'failed', why: 'no room' } }, 1).why, /could not be installed: no room/);
  assert.match(becomes({ incident: 'Its clock is wrong.' }, 1).why, /after the update began: Its clock is wrong/);
  assert.match(becomes({ ...HEALTHY, version: '1.0.0' }, 1).why, /runs version 1\.0\.0 again/);
});

test('screens that were dark before the update do not count against a store, nor does a stop of headquarters', () => {
  assert.equal(becomes({ version: '2.0.0', before_online: 2, online: 2 }, MINUTE).state, 'healthy');
  const after = 3 * 60 * MINUTE;
  const away = { line: 'down', heard_at: T0 } as const;
  assert.equal(becomes(away, after, { listening_since: T0 + after - MINUTE }).state, 'told');
  assert.equal(becomes(away, after).state, 'unhealthy');
});

test('faults that begin after the healthy time are not attributed to the new version', () => {
  const later = SOAK + MINUTE;
  assert.equal(becomes({ ...HEALTHY, version: '1.0.0' }, later).state, 'healthy');
  assert.equal(becomes({ ...HEALTHY, line: 'down', heard_at: T0 }, later).state, 'healthy');
  assert.equal(becomes({ ...HEALTHY, lacking_at: T0, online: 1 }, later).state, 'unhealthy', 'this began before');
});

test('offline store delays the next wave for a limited time, and receives the order when it connects', () => {
  const dock = storeOf(2, 0, { line: 'down', heard_at: 0 });
  const mill = storeOf(1, 0, { ...HEALTHY, at: T0 - SOAK });
  const pier = storeOf(3, 1);
  const at = (now: number) => nextRolloutStep(now, rolloutOf(), [mill, dock, pier]);
  assert.deepEqual(at(T0 + OFFLINE_MS - 1).tell, []);
  const passed = at(T0 + OFFLINE_MS);
  assert.deepEqual([passed.changed.get(2)?.state, passed.tell, passed.wave], ['unreachable', [3], 1]);
  const now = T0 + 5 * OFFLINE_MS;
  const comes = { ...dock, state: 'unreachable', line: 'up', heard_at: now } as const;
  const rest = [mill, { ...pier, ...HEALTHY, at: now - SOAK, heard_at: now }];
  const rollout = rolloutOf({ wave: 1 });
  assert.deepEqual(nextRolloutStep(now, rollout, [comes, ...rest]).tell, [2]);
  const waits = nextRolloutStep(now, rollout, [{ ...comes, line: 'down' }, ...rest]);
  assert.deepEqual([waits.status, waits.tell], ['running', []], 'it goes on for whoever comes late');
});

test('next wave does not begin after a wave in which all stores were offline or refused the order', () => {
  const away = storeOf(1, 0, { state: 'unreachable', line: 'down' });
  const refused = storeOf(2, 0, { state: 'refused', why: 'It may not.' });
  const pier = storeOf(3, 1);
  const now = T0 + 2 * OFFLINE_MS;
  const held = nextRolloutStep(now, rolloutOf(), [away, refused, pier]);
  assert.deepEqual([held.status, held.tell], ['running', []]);
  const stopped = nextRolloutStep(now, rolloutOf(), [refused, pier]);
  assert.deepEqual([stopped.status, stopped.stop], ['stopped', { store: 2, why: 'It may not.' }]);
  const left = nextRolloutStep(now, rolloutOf(), [{ ...refused, state: 'left_out' }, pier]);
  assert.deepEqual(left.tell, [3], 'a person has decided');
});

test('store that left headquarters does not count in the rollout', () => {
  const { changed, tell } = nextRolloutStep(T0, rolloutOf(), [storeOf(1, 0, { line: 'left' }), storeOf(2, 0)]);
  assert.deepEqual([changed.get(1)?.state, tell], ['left_out', [2]]);
});

test('store is in the first wave that selects it, and a wave given as a number of stores prefers reachable stores', () => {
  const placed = (ref: string, region: string, line: string, ...tags: string[]) => ({ ref, region, line, tags });
  const stores = [
    placed('a', 'North', 'down'),
    placed('b', 'North', 'up'),
    placed('c', 'South', 'up', 'Mall'),
    placed('d', 'South', 'up'),
  ];
  const waves = [
    { which: 'named', ids: ['d', 'nobody'] },
    { which: 'count', count: 1 },
    { which: 'tag', tag: 'mall' },
    { which: 'region', region: 'South' },
    { which: 'rest' },
  ] as const;
  const refs = placeStores(waves, stores).map((wave) => wave.map(({ ref }) => ref));
  assert.deepEqual(refs, [['d'], ['b'], ['c'], [], ['a']]);
});

/** Behaviour of a simulated store. */
interface Nature {
  readonly wave: number;
  readonly comesAfter: number;
  readonly takes: number;
  readonly bad: 'no' | 'went_back' | 'failed' | 'silent' | 'stuck' | 'lacks' | 'refuses';
}

const nature = (bad: fc.Arbitrary<Nature['bad']>): fc.Arbitrary<Nature> =>
  fc.record({
    wave: fc.integer({ min: 0, max: 3 }),
    comesAfter: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
    takes: fc.integer({ min: 1, max: 25 }),
    bad,
  });
const BADS = ['went_back', 'failed', 'silent', 'stuck', 'lacks', 'refuses'] as const;

/**
 * Simulates a rollout minute by minute and checks the rules after every step.
 * @param end called after the last minute
 */
const play = (natures: readonly Nature[], atOnce: number) => {
  let rollout = rolloutOf({ waves: 4, at_once: atOnce });
  let stores = natures.map(({ wave }, i) => storeOf(i, wave, { line: 'down', heard_at: null }));
  const told = new Map<number, number>();
  let status: string = rollout.status;
  for (let minute = 0; minute < 24 * 60 && status === 'running'; minute++) {
    const now = T0 + minute * MINUTE;
    stores = stores.map((store, i) => seen(store, natures[i]!, minute, now, told.get(i)));
    const step = nextRolloutStep(now, rollout, stores);
    const is = (store: WaveStore) => step.changed.get(store.id)?.state ?? store.state;
    for (const id of step.tell) {
      assert.ok(!told.has(id), `store ${id} is told twice`);
      assert.ok(stores[id]!.wave <= step.wave, 'its wave has not begun');
      told.set(id, minute);
    }
    // A store that connects during a wave delays the next wave, but not the other stores of this wave.
    if (step.wave > rollout.wave)
      for (const before of stores.filter((store) => store.wave < step.wave)) {
        const state = is(before);
        assert.ok(['healthy', 'refused', 'unreachable', 'left_out'].includes(state), `wave ${step.wave}: ${state}`);
        const at = step.changed.get(before.id)?.at ?? before.at;
        assert.ok(state !== 'healthy' || now - at >= SOAK, 'not for long enough');
      }
    if (stores.some((store) => is(store) === 'unhealthy')) assert.deepEqual([step.status, step.tell], ['stopped', []]);
    const busy = stores.filter((store) => ['told', 'fetching', 'installing'].includes(is(store)));
    assert.ok(busy.length <= atOnce, `${busy.length} at once`);
    stores = stores.map((store) => ({ ...store, ...step.changed.get(store.id) }));
    stores = stores.map((store, i) =>
      natures[i]!.bad === 'refuses' && step.tell.includes(i) ? { ...store, state: 'refused', why: 'No.' } : store,
    );
    ({ status } = step);
    rollout = { ...rollout, wave: step.wave, wave_at: step.wave_at };
  }
  return { status, stores, told };
};

const seen = (store: WaveStore, of: Nature, minute: number, now: number, toldAt: number | undefined): WaveStore => {
  const passed = toldAt === undefined ? -1 : minute - toldAt;
  const isGone = minute < of.comesAfter || (of.bad === 'silent' && passed >= 1);
  if (isGone) return { ...store, line: 'down', listens: false };
  const up = { ...store, line: 'up', listens: true, heard_at: now } as const;
  if (passed < of.takes) return passed < 0 ? up : { ...up, update: { phase: 'fetching', why: '' } };
  if (of.bad === 'went_back' || of.bad === 'failed') return { ...up, update: { phase: of.bad, why: 'It broke.' } };
  if (of.bad === 'stuck') return { ...up, update: { phase: 'installing', why: '' } };
  if (of.bad === 'refuses') return up;
  return { ...up, version: '2.0.0', update: { phase: 'done', why: '' }, online: of.bad === 'lacks' ? 1 : 4 };
};

test('rollout in which the version works everywhere updates all stores, including stores that connect late', () => {
  fc.assert(
    fc.property(
      fc.array(nature(fc.constant('no')), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      (natures, atOnce) => {
        const { status, stores } = play(natures, atOnce);
        assert.equal(status, 'done');
        assert.ok(stores.every(({ state }) => state === 'healthy'));
      },
    ),
    { numRuns: 60 },
  );
});

test('no store gets the order twice, no wave begins early, and an unhealthy store stops the rollout', () => {
  const any = fc.oneof({ weight: 3, arbitrary: fc.constant('no' as const) }, fc.constantFrom(...BADS));
  fc.assert(
    fc.property(
      fc.array(nature(any), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      (natures, atOnce) => {
        const { status, stores, told } = play(natures, atOnce);
        const isBad = ({ id }: WaveStore) => !['no', 'refuses'].includes(natures[id]!.bad);
        if (stores.some((store) => told.has(store.id) && isBad(store))) assert.equal(status, 'stopped');
        if (status === 'done') assert.ok(stores.every(({ state }) => state === 'healthy' || state === 'refused'));
      },
    ),
    { numRuns: 120 },
  );
});
