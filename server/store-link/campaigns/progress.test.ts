/** Tests that the progress of campaigns is reported correctly down to the screens, at low cost. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CampaignDoc } from '../../../shared/chain/campaign.ts';
import type { Program, ProgramSchedule } from '../../../shared/program/program.ts';
import { PLACE_OF_RANK, type Rank } from '../../../shared/program/ranks.ts';
import { FakeTime } from '../testing/fake-time.ts';
import type { Progress } from './desired-state.ts';
import type { Trouble } from './fetcher.ts';
import { Campaigns, type Screen } from './progress.ts';

const HASH = 'a'.repeat(64);
const DAY = 86_400_000;

const doc = (more: Partial<CampaignDoc> = {}) => ({ rank: 'must', screen_tags: [], ...more }) as CampaignDoc;
const wanted = (more: Partial<Progress> = {}): Progress => ({
  id: 'advent',
  edition: 1,
  refused: null,
  applied: null,
  doc: undefined,
  lacking: [{ sha256: HASH, size: 1_000 }],
  ...more,
});
const planned = (id: string, from: number, to: number, rank: Exclude<Rank, 'offer'> = 'must'): ProgramSchedule => ({
  ...{ id, title: id, created_at: 0, timezone: 'UTC', recurrence: null, recurrence_end: null },
  ...PLACE_OF_RANK[rank],
  start: new Date(from).toISOString().slice(0, 19),
  end: new Date(to).toISOString().slice(0, 19),
  ...{ zone_id: null, item: null, playlist_id: 'list', layout_id: null },
});
const program = (...schedules: ProgramSchedule[]): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: null, item: null, source: null },
  fallback: null,
  layouts: [],
  playlists: [],
  schedules,
  assets: [],
});

const setUp = (t: TestContext, screens: Screen[] = [{ id: 'till', tags: [] }]) => {
  const time = new FakeTime({ most: 0 });
  let progress: Progress[] = [];
  const programs = new Map<string, { id: string; program: Program }>();
  const live = new Map<string, string>();
  const troubles = new Map<string, Trouble>();
  const carried: number[] = [];
  let start = Number.POSITIVE_INFINITY;
  let told = 0;
  const campaigns = new Campaigns({
    clock: time,
    desired: {
      progress: () => progress,
      carryOut: () => void carried.push(time.now()),
      get nextStart() {
        return start > time.now() ? start : Number.POSITIVE_INFINITY;
      },
    },
    fetcher: { has: () => 400, rate: 77, troubleWith: (hash) => troubles.get(hash) },
    screens: () => screens,
    programOf: (id) => {
      const found = programs.get(id);
      return found && { ...found, placement: { timezone: 'UTC' } };
    },
    live: (id) => {
      const ready = live.get(id);
      return ready === undefined ? undefined : { status: 'online', program: { id: ready, state: 'ready' } };
    },
    pause: time.pause,
    failed: (error) => assert.fail(String(error)),
    changed: () => told++,
  });
  t.after(() => campaigns.stop());
  return {
    ...{ time, campaigns, programs, live, troubles, carried },
    set: (...all: Progress[]) => (progress = all),
    startAt: (at: number) => (start = at),
    told: () => told,
    /** Reports a program as the player of this screen would. */
    ready: (id: string, one: Program, name = 'p') => {
      programs.set(id, { id: name, program: one });
      live.set(id, name);
    },
    phases: () => campaigns.readiness.map(({ phase }) => phase),
  };
};

test('campaign goes through its phases from `told` to `showing`', (t) => {
  const { set, phases, campaigns, time, ready, programs, live } = setUp(t, [
    { id: 'till', tags: ['Bakery'] },
    { id: 'door', tags: [] },
  ]);
  set(wanted());
  assert.deepEqual(campaigns.readiness, [
    {
      id: 'advent',
      edition: 1,
      phase: 'told',
      applied: null,
      bytes_left: 600,
      rate: 77,
      screens: 0,
      ready: 0,
      why: '',
    },
  ]);
  const bakery = doc({ screen_tags: ['bakery', 'BAKERY', 'meat'] });
  set(wanted({ doc: bakery }));
  assert.deepEqual(phases(), ['fetching']);
  assert.equal(campaigns.readiness[0]!.screens, 1);
  set(wanted({ doc: bakery, lacking: [] }));
  assert.deepEqual(phases(), ['armed']);
  assert.deepEqual([campaigns.readiness[0]!.bytes_left, campaigns.readiness[0]!.rate], [0, null]);
  const now = time.now();
  const one = program(planned('advent', now + DAY, now + 2 * DAY));
  set(wanted({ doc: bakery, lacking: [], applied: 1 }));
  assert.deepEqual(phases(), ['armed'], 'no screen has it');
  ready('till', one);
  live.set('till', 'the program before');
  assert.deepEqual(phases(), ['armed'], 'what the player has is another program than it should');
  live.set('till', 'p');
  assert.deepEqual(phases(), ['on_screens']);
  assert.deepEqual([campaigns.readiness[0]!.screens, campaigns.readiness[0]!.ready], [1, 1]);
  programs.set('door', { id: 'q', program: program() });
  live.set('door', 'q');
  assert.equal(campaigns.readiness[0]!.ready, 1, 'a screen that it is not for does not count');
  time.advance(DAY + 1);
  assert.deepEqual(phases(), ['showing']);
  time.advance(DAY);
  assert.deepEqual(phases(), ['on_screens'], 'its end has passed');
  set(wanted({ doc: bakery, lacking: [], edition: 2, applied: 1 }));
  assert.deepEqual([phases(), campaigns.readiness[0]!.ready], [['armed'], 0], 'screens have the edition before');
});

test('campaign that is hidden by a campaign of higher rank is reported as on the screens, but not as showing', (t) => {
  const { set, phases, ready, time } = setUp(t);
  const now = time.now();
  ready('till', program(planned('advent', now - DAY, now + DAY), planned('fire', now - 1_000, now + DAY, 'safety')));
  set(wanted({ doc: doc(), lacking: [], applied: 1 }));
  assert.deepEqual(phases(), ['on_screens']);
});

test('campaign of rank `offer` counts no screens, and is `armed` when it is in the library', (t) => {
  const { set, campaigns } = setUp(t);
  set(wanted({ doc: doc({ rank: 'offer' }), lacking: [], applied: 1 }));
  assert.deepEqual(
    campaigns.readiness.map(({ phase, screens }) => [phase, screens]),
    [['armed', 0]],
  );
});

test('campaign that is refused, has wrong bytes, or cannot be fetched reports its reason', (t) => {
  const { set, campaigns, troubles } = setUp(t);
  const told = () => campaigns.readiness.map(({ phase, why }) => [phase, why]);
  set(wanted({ refused: 'It is newer.' }));
  assert.deepEqual(told(), [['refused', 'It is newer.']]);
  set(wanted({ doc: doc() }));
  troubles.set(HASH, { why: 'There is no room.', isWrong: false });
  assert.deepEqual(told(), [['fetching', 'There is no room.']]);
  troubles.set(HASH, { why: 'Its bytes are others.', isWrong: true });
  assert.deepEqual(told(), [['refused', 'Its bytes are others.']]);
  set(wanted({ doc: doc({ begins: 'parts' }), applied: 1 }));
  assert.deepEqual(told(), [['fetching', 'Its bytes are others.']], 'what has begun in parts goes on with what it has');
});

test('changed phase is reported at most once every two seconds', async (t) => {
  const { campaigns, set, told, time } = setUp(t);
  const settle = () => new Promise((next) => setTimeout(next, 5));
  set(wanted());
  campaigns.start();
  await settle();
  assert.equal(told(), 1);
  set(wanted({ doc: doc() }));
  time.advance(1_900);
  await settle();
  assert.equal(told(), 1);
  set(wanted({ doc: doc(), lacking: [] }));
  time.advance(100);
  await settle();
  assert.equal(told(), 2);
  time.advance(2_000);
  await settle();
  assert.equal(told(), 2, 'nothing is new');
});

test('campaigns are applied every minute, and also exactly when a campaign starts', async (t) => {
  const { campaigns, carried, set, startAt, time } = setUp(t);
  const settle = () => new Promise((next) => setTimeout(next, 2));
  const begun = time.now();
  set(wanted());
  startAt(begun + 7_301);
  campaigns.start();
  await settle();
  for (let i = 0; i < 140; i++) {
    time.advance(Math.min(1_000, Math.max(1, begun + 7_301 - time.now())) || 1_000);
    if (time.now() > begun + 7_301) time.advance(999);
    await settle();
  }
  const at = carried.map((one) => one - begun);
  assert.equal(at[0], 0);
  assert.equal(at[1], 7_301);
  assert.ok(at.length >= 3 && at[2]! <= 7_301 + 62_001, `${at}`);
  assert.ok(
    at.slice(1).every((one, i) => i === 0 || one - at[i]! <= 62_001),
    `${at}`,
  );
});

test('reasons of hundreds of campaigns are shortened to fit into a presence message', (t) => {
  const { campaigns, set } = setUp(t);
  set(
    ...Array.from({ length: 500 }, (_, i) => wanted({ id: `campaign-${i}`.padEnd(64, 'x'), refused: 'w'.repeat(600) })),
  );
  assert.ok(Buffer.byteLength(JSON.stringify(campaigns.readiness)) < 240_000);
});

test('progress of 500 campaigns on 200 different programs is computed in less than 5 ms', (t) => {
  const screens = Array.from({ length: 200 }, (_, i) => ({ id: `screen ${i}`, tags: [`tag ${i % 20}`] }));
  const { campaigns, set, ready, time } = setUp(t, screens);
  const now = time.now();
  const ids = Array.from({ length: 500 }, (_, i) => `campaign ${i}`);
  set(
    ...ids.map((id, i) =>
      wanted({ id, applied: 1, doc: doc({ screen_tags: i % 2 ? [`tag ${i % 20}`] : [] }), lacking: [] }),
    ),
  );
  const schedules = ids.map((id) => planned(id, now - DAY, now + DAY));
  for (const { id } of screens) ready(id, program(...schedules), id);
  const first = performance.now();
  assert.equal(campaigns.readiness.length, 500);
  const firstMs = performance.now() - first;
  // Calls several times, because each call examines only some of the programs.
  while (campaigns.readiness.some(({ phase }) => phase !== 'on_screens' && phase !== 'showing'));
  for (let i = 0; i < 400; i++) void campaigns.readiness;
  const took: number[] = [];
  for (let i = 0; i < 20; i++) {
    const began = performance.now();
    void campaigns.readiness;
    took.push(performance.now() - began);
  }
  // The shortest of several durations counts, because other processes may be using the processor.
  const least = Math.min(...took);
  t.diagnostic(`${least.toFixed(2)} ms, the first time ${firstMs.toFixed(1)} ms`);
  assert.ok(least < 5, `${took}`);
  assert.ok(firstMs < 1_000, `${firstMs} ms the first time`);
});
