/**
 * Tests the launcher with simulated versions and a clock that the test sets. launcher-process.test.ts uses real
 * processes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { broken, NOTHING_YET, staged } from '../../shared/desktop/update-state.ts';
import type { WindowsSay } from '../../shared/protocol/releases/launcher.ts';
import { runCount } from '../../test/run-count.ts';
import { type Behaviour, StandIn } from './testing/stand-in.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** @param current version in use; `previous` is good */
const scene = async (behaviours: Readonly<Record<string, Behaviour>> = {}, current: string | null = null) => {
  const machine = new StandIn();
  machine.versions.set('1.9.0', 'good');
  for (const [version, behaviour] of Object.entries(behaviours)) machine.versions.set(version, behaviour);
  if (current !== null) machine.state = { ...NOTHING_YET, current, previous: '1.9.0' };
  machine.launch();
  await machine.time.advance(1);
  return machine;
};
const RESTLESS: readonly WindowsSay[] = [
  { type: 'ending', how: 'again', args: ['--x'] },
  { type: 'ending', how: 'update' },
];
const started = ({ starts }: StandIn) => starts.map(({ version }) => version);
const kinds = ({ mishaps }: StandIn) => mishaps.map(({ kind }) => kind);

test('installed version that ends without a request counts as crashed, also with exit code 0', async () => {
  for (const how of ['with 0', 'with 1', 'by SIGKILL', 'before it began: ENOENT']) {
    const machine = await scene();
    machine.running!.end(how);
    await machine.time.advance(SECOND);
    assert.deepEqual([started(machine), machine.version], [['1.0.0', '1.0.0'], '1.0.0']);
    assert.deepEqual(machine.mishaps, [{ kind: 'crash', version: '1.0.0', why: `it ended ${how}` }]);
  }
});

test('launcher ends when a person has closed the program', async () => {
  const machine = await scene();
  machine.running!.say({ type: 'ending', how: 'quit' });
  await machine.time.advance(MINUTE);
  assert.deepEqual([machine.isOver, started(machine), machine.mishaps], [true, ['1.0.0'], []]);
});

test('program without a sign of life for 60 s is killed and restarted', async () => {
  const machine = await scene();
  await machine.time.advance(10 * MINUTE);
  machine.running!.hang();
  await machine.time.advance(50 * SECOND);
  assert.equal(started(machine).length, 1);
  await machine.time.advance(15 * SECOND);
  assert.deepEqual([started(machine).length, kinds(machine)], [2, ['hang']]);
});

test('time limit for a start doubles after each start that took too long, up to ten minutes', async () => {
  const machine = await scene({ '1.0.0': { hangsAfter: 0 } });
  machine.running!.end('with 1');
  await machine.time.advance(40 * MINUTE);
  const [, ...times] = machine.starts.map(({ at }) => at);
  const lasted = times.slice(1).map((at, i) => Math.round((at - times[i]!) / MINUTE));
  assert.deepEqual(lasted.slice(0, 4), [2, 4, 8, 10]);
});

test('version that crashes five times within a minute is replaced by the previous version', async () => {
  const machine = await scene({ '2.0.0': { ends: 1, after: 3 * SECOND } }, '2.0.0');
  await machine.time.advance(5 * MINUTE);
  assert.deepEqual(started(machine), ['2.0.0', '2.0.0', '2.0.0', '2.0.0', '2.0.0', '1.9.0']);
  assert.deepEqual(
    [machine.state.current, machine.state.failed[0]!.version, kinds(machine).at(-1)],
    ['1.9.0', '2.0.0', 'given-up'],
  );
});

test('version that hangs three times is replaced by the previous version', async () => {
  const machine = await scene({ '2.0.0': { hangsAfter: MINUTE } }, '2.0.0');
  await machine.time.advance(10 * MINUTE);
  assert.deepEqual([started(machine), machine.version], [['2.0.0', '2.0.0', '2.0.0', '1.9.0'], '1.9.0']);
});

test('version that crashes every two minutes is replaced by the previous version', async () => {
  const machine = await scene({ '2.0.0': { ends: 1, after: 2 * MINUTE } }, '2.0.0');
  await machine.time.advance(35 * MINUTE);
  assert.equal(machine.version, '1.9.0');
});

test('installed version is always restarted within 30 s, and without the graphics processor after three crashes', async () => {
  const machine = await scene({ '1.0.0': { ends: 1, after: 100 } });
  await machine.time.advance(60 * MINUTE);
  assert.ok(machine.starts.length > 100, String(machine.starts.length));
  assert.ok(machine.longestGap <= 30 * SECOND);
  assert.deepEqual(
    machine.starts.slice(0, 5).map(({ args }) => args.includes('--disable-gpu')),
    [false, false, false, true, true],
  );
  const lit = await scene({ '1.0.0': { needs: '--disable-gpu' } });
  await lit.time.advance(10 * MINUTE);
  assert.equal(lit.starts.length, 4);
  const kept = await scene({ '2.0.0': { needs: '--disable-gpu' } }, '2.0.0');
  await kept.time.advance(10 * MINUTE);
  assert.deepEqual([kept.version, kept.state.failed], ['2.0.0', []], 'that is no fault of the version');
});

test('options that a version requested are used for its later starts, and not for a new version', async () => {
  const machine = await scene();
  machine.running!.say({ type: 'ending', how: 'again', args: ['--disable-gpu'] });
  await machine.time.advance(SECOND);
  assert.deepEqual([machine.running!.args, machine.mishaps], [['--role=player', '--disable-gpu'], []]);
  machine.cutPower();
  await machine.time.advance(SECOND);
  assert.deepEqual(machine.running!.args, ['--role=player', '--disable-gpu']);
  machine.versions.set('2.0.0', 'good');
  machine.state = staged(machine.state, '2.0.0');
  machine.running!.say({ type: 'ending', how: 'update' });
  await machine.time.advance(SECOND);
  assert.deepEqual([machine.version, machine.running!.args], ['2.0.0', ['--role=player']]);
});

test('version that requests a restart again and again counts as crashing', async () => {
  for (const says of RESTLESS) {
    const machine = await scene({ '2.0.0': { says, after: SECOND } }, '2.0.0');
    await machine.time.advance(5 * MINUTE);
    assert.equal(machine.version, '1.9.0', JSON.stringify(says));
  }
});

test('version that finds its screen used by another program does not count as failed', async () => {
  const machine = await scene({ '2.0.0': { says: { type: 'ending', how: 'busy' }, after: SECOND } });
  machine.state = staged(NOTHING_YET, '2.0.0');
  machine.running!.say({ type: 'ending', how: 'update' });
  await machine.time.advance(5 * MINUTE);
  assert.deepEqual(
    [machine.state.trial?.version, machine.mishaps, machine.longestGap <= 30 * SECOND],
    ['2.0.0', [], true],
  );
});

test('version on trial is given up after one crash, one hang, or a start that never becomes healthy', async () => {
  for (const behaviour of [
    { ends: 3, after: SECOND },
    { hangsAfter: 0 },
    { needs: '--no' },
    { ends: 0, after: 10 * MINUTE },
  ] satisfies Behaviour[]) {
    const machine = await scene({ '2.0.0': behaviour });
    machine.state = staged(NOTHING_YET, '2.0.0');
    machine.running!.say({ type: 'ending', how: 'update' });
    await machine.time.advance(8 * MINUTE);
    assert.deepEqual(
      [machine.version, machine.state.trial, started(machine).filter((version) => version === '2.0.0').length],
      ['1.0.0', null, 1],
      JSON.stringify(behaviour),
    );
  }
});

test('damaged version is not started, and the previous version runs', async () => {
  const machine = await scene({ '2.0.0': 'good', '3.0.0': 'good' });
  machine.damaged.add('3.0.0');
  machine.state = staged({ ...NOTHING_YET, current: '2.0.0' }, '3.0.0');
  machine.running!.end('with 0');
  await machine.time.advance(SECOND);
  assert.deepEqual([started(machine), machine.version], [['1.0.0', '2.0.0'], '2.0.0']);
});

test('on a full disk, the screen keeps playing, and a broken version is replaced', async () => {
  const machine = await scene({ '2.0.0': { ends: 1, after: SECOND } });
  machine.state = staged(NOTHING_YET, '2.0.0');
  machine.isDiskFull = true;
  machine.running!.say({ type: 'ending', how: 'update' });
  await machine.time.advance(5 * MINUTE);
  assert.deepEqual([started(machine), machine.version], [['1.0.0', '2.0.0', '1.0.0'], '1.0.0']);
});

test('stop waits until the program has ended, and kills a program that hangs', async () => {
  for (const hangs of [false, true]) {
    const machine = await scene();
    if (hangs) machine.running!.hang();
    machine.launcher.stop();
    await machine.time.advance(400);
    assert.equal(machine.isOver, false);
    await machine.time.advance(11 * SECOND);
    assert.deepEqual([machine.isOver, machine.version, machine.mishaps], [true, undefined, []]);
  }
  const waiting = await scene();
  waiting.running!.end('with 1');
  await waiting.time.advance(10);
  waiting.launcher.stop();
  await waiting.time.advance(MINUTE);
  assert.deepEqual([waiting.isOver, started(waiting)], [true, ['1.0.0']]);
});

// Random sequences of events.

type Event =
  | { readonly what: 'crash' | 'exit 0' | 'hang' | 'power cut' | 'quit' | 'sleep' }
  | { readonly what: 'clock'; readonly by: number }
  | { readonly what: 'again'; readonly option: string }
  | { readonly what: 'update'; readonly behaviour: Behaviour };

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.constant('good' as const),
  fc.record({ ends: fc.constantFrom(0, 1), after: fc.integer({ min: 0, max: 4 * MINUTE }), wellFirst: fc.boolean() }),
  fc.record({ hangsAfter: fc.integer({ min: 0, max: 10 * MINUTE }), wellFirst: fc.boolean() }),
  fc.record({ says: fc.constantFrom(...RESTLESS), after: fc.integer({ min: 0, max: MINUTE }) }),
  fc.constant({ needs: '--no-such-option' }),
);
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    what: fc.constantFrom('crash' as const, 'exit 0' as const, 'hang' as const, 'power cut' as const, 'sleep' as const),
  }),
  { arbitrary: fc.constant({ what: 'quit' as const }), weight: 1 },
  fc.record({ what: fc.constant('clock' as const), by: fc.integer({ min: -1e12, max: 1e12 }) }),
  fc.record({ what: fc.constant('again' as const), option: fc.constantFrom('--disable-gpu', '--ozone-platform=x11') }),
  { arbitrary: fc.record({ what: fc.constant('update' as const), behaviour }), weight: 3 },
);
const histories = fc.array(fc.tuple(event, fc.integer({ min: 0, max: 15 * MINUTE })), { maxLength: 10 });

/** @returns versions that were disturbed during their trial or made to hang. Their failure is not their own fault. */
const play = async (machine: StandIn, history: readonly (readonly [Event, number])[]): Promise<Set<string>> => {
  const excused = new Set<string>();
  let next = 2;
  for (const [happens, wait] of history) {
    const { running } = machine;
    const version = running?.version ?? machine.state.trial?.version;
    if (
      version &&
      ['crash', 'exit 0', 'hang', 'power cut'].includes(happens.what) &&
      (machine.state.trial || happens.what === 'hang')
    )
      excused.add(version);
    switch (happens.what) {
      case 'crash':
        running?.end('by SIGSEGV');
        break;
      case 'exit 0':
        running?.end('with 0');
        break;
      case 'hang':
        running?.hang();
        break;
      case 'power cut':
        machine.cutPower();
        break;
      case 'sleep':
        machine.time.sleep(60 * MINUTE);
        break;
      case 'quit':
        running?.say({ type: 'ending', how: 'quit' });
        await machine.time.advance(15 * SECOND);
        // The launcher has ended, so a person starts the program again.
        if (machine.isOver) {
          machine.endedAt = machine.time.mono();
          machine.launch();
        }
        break;
      case 'clock':
        machine.time.wallOffset += happens.by;
        break;
      case 'again':
        running?.say({ type: 'ending', how: 'again', args: [happens.option] });
        break;
      case 'update': {
        if (!running || machine.state.trial) break;
        const fresh = `${next++}.0.0`;
        machine.versions.set(fresh, happens.behaviour);
        machine.state = staged(machine.state, fresh);
        running.say({ type: 'ending', how: 'update' });
        break;
      }
    }
    await machine.time.advance(wait);
    if (!machine.running && !machine.isOver)
      assert.ok(machine.time.mono() - machine.endedAt <= MINUTE, 'nothing runs for a minute');
  }
  return excused;
};

test('after any events, a version runs within 60 s, bad versions are replaced, and good ones stay', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const machine = await scene();
      const excused = await play(machine, history);
      // Without further events a good version runs and stays in use. Before that, two bad versions in a row may each
      // crash twelve times, every four minutes.
      await machine.time.advance(150 * MINUTE);
      const { length } = machine.starts;
      assert.equal(machine.versions.get(machine.version ?? ''), 'good', `${machine.version} runs`);
      await machine.time.advance(15 * MINUTE);
      assert.equal(machine.starts.length, length);
      assert.ok(machine.longestGap <= MINUTE, `dark for ${machine.longestGap} ms`);
      const lost = machine.state.failed.filter(
        ({ version }) => machine.versions.get(version) === 'good' && !excused.has(version),
      );
      assert.deepEqual(lost, []);
    }),
    { numRuns: runCount(25, 60) },
  );
});

test('list of failed versions has a maximum length', () => {
  let state = NOTHING_YET;
  for (let i = 2; i < 40; i++) state = broken(staged(state, `${i}.0.0`), `${i}.0.0`, 'x');
  assert.equal(state.failed.length, 10);
});
