import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING_YET, RESTART_CODE, staged, type UpdateState } from '../../shared/desktop/update-state.ts';
import { VersionLauncher } from './launcher.ts';
import type { UpdateRecord } from './version-folder.ts';

/** Behaviour of a fake version, in milliseconds from its start. */
interface Behaviour {
  /** Time from which the version reports that it is healthy. */
  readonly wellFrom?: number;
  /** Time until which the version reports that it is healthy. */
  readonly wellUntil?: number;
  readonly ends?: { readonly at: number; readonly code: number | null };
  /** Whether the version ignores the request to stop and ends only when it is killed. */
  readonly deaf?: true;
}

/** A fake machine whose time passes only while the code under test waits. */
const machine = (versions: Readonly<Record<string, Behaviour>>, state: UpdateState) => {
  let time = 0;
  const starts: string[] = [];
  const fits: string[] = [];
  let [isDiskFull, killed] = [false, 0];
  let record: UpdateRecord | undefined = {
    version: '2.0.0',
    from: '1.0.0',
    at: 0,
    by: 'owner@store.test',
    backup: '/b',
    status: 'trying',
    reason: null,
    restored: false,
  };
  const damaged = new Set<string>();
  const launcher = new VersionLauncher({
    folder: {
      read: () => state,
      write: (next) => {
        if (isDiskFull) throw new Error('no space');
        state = next;
      },
      record: () => record,
      writeRecord: (next) => {
        if (isDiskFull) throw new Error('no space');
        record = next;
      },
      damage: async (version) => (damaged.has(version) ? 'the file main.js of the version is damaged' : undefined),
      program: (version) => ({ node: 'node', main: version, root: version }),
      clean: async () => {},
    },
    installed: '1.0.0',
    trialMs: 600_000,
    start: (_program, version) => {
      starts.push(version);
      const since = time;
      const { wellFrom, wellUntil = Number.POSITIVE_INFINITY, ends, deaf } = versions[version]!;
      const { promise: ended, resolve } = Promise.withResolvers<number | null>();
      const look = () => {
        if (ends && time - since >= ends.at) resolve(ends.code);
      };
      watching = look;
      look();
      return {
        isHealthy: async () => wellFrom !== undefined && time - since >= wellFrom && time - since < wellUntil,
        stop: () => deaf || resolve(0),
        kill: () => {
          killed++;
          resolve(null);
        },
        ended,
      };
    },
    makeFit: (version) => void fits.push(version),
    become: undefined,
    now: () => time,
    pause: async (ms) => {
      time += ms;
      watching();
      await new Promise((turn) => setImmediate(turn));
    },
    log: () => {},
  });
  let watching = () => {};
  return {
    launcher,
    starts,
    fits,
    damaged,
    get state() {
      return state;
    },
    get record() {
      return record;
    },
    get killed() {
      return killed;
    },
    get time() {
      return time;
    },
    fillDisk: () => {
      isDiskFull = true;
    },
  };
};

const ON_TRIAL = staged(NOTHING_YET, '2.0.0');

test('healthy version keeps running, health checks end, and its exit code becomes the launcher’s', async () => {
  const it = machine({ '2.0.0': { wellFrom: 5_000, ends: { at: 3_600_000, code: 3 } } }, ON_TRIAL);
  const over = it.launcher.run();
  const wait = async () => {
    while (it.record?.status === 'trying') await new Promise((turn) => setImmediate(turn));
  };
  await wait();
  assert.deepEqual([it.state.current, it.state.trial, it.record?.status], ['2.0.0', null, 'done']);
  assert.deepEqual(it.fits, ['2.0.0']);
  it.launcher.stop();
  assert.equal(await over, 0);
});

for (const [what, behaviour, why, startsOf] of [
  ['ends by itself', { ends: { at: 3_000, code: 1 } }, /ended with 1/, 2],
  ['is never there', { ends: { at: 0, code: null } }, /ended with a signal/, 2],
  ['never answers', {}, /did not answer in time/, 2],
  ['stops answering', { wellFrom: 2_000, wellUntil: 9_000 }, /stopped answering/, 2],
  ['hears nothing', { deaf: true }, /did not answer in time/, 2],
] as const)
  test(`version on trial that ${what} is started twice, and then the previous version runs and the reason is recorded`, async () => {
    const it = machine({ '2.0.0': behaviour }, ON_TRIAL);
    assert.equal(await it.launcher.run(), 'serve');
    assert.equal(it.starts.length, startsOf);
    assert.deepEqual([it.state.current, it.state.trial, it.record?.status], [null, null, 'failed']);
    assert.match(it.record?.reason ?? '', why);
    assert.deepEqual(it.fits, ['2.0.0', '2.0.0', '1.0.0'], 'before each start the store is made fit');
    assert.equal(it.killed, 'deaf' in behaviour ? 2 : 0, 'killed only where it does not end in order');
  });

test('version with damaged files is not started', async () => {
  const it = machine({ '2.0.0': {} }, ON_TRIAL);
  it.damaged.add('2.0.0');
  assert.equal(await it.launcher.run(), 'serve');
  assert.deepEqual([it.starts, it.record?.reason], [[], 'the file main.js of the version is damaged']);
});

test('trial that a shutdown interrupts continues at the next start', async () => {
  const it = machine({ '2.0.0': {} }, ON_TRIAL);
  const over = it.launcher.run();
  while (it.time < 30_000) await new Promise((turn) => setImmediate(turn));
  it.launcher.stop();
  assert.equal(await over, 0);
  assert.deepEqual(it.state.trial, { version: '2.0.0', starts: 0 });
});

test('version on trial that was killed twice without a result is not started again', async () => {
  const it = machine({ '2.0.0': {} }, { ...ON_TRIAL, trial: { version: '2.0.0', starts: 2 } });
  assert.equal(await it.launcher.run(), 'serve');
  assert.deepEqual([it.starts, it.record?.reason], [[], 'the version did not start']);
});

test('full disk does not prevent the launcher from starting a version', async () => {
  const it = machine({ '2.0.0': { ends: { at: 0, code: 1 } } }, ON_TRIAL);
  it.fillDisk();
  assert.equal(await it.launcher.run(), 'serve');
  assert.equal(it.starts.length, 2);
});

test('version that requests a restart ends the launcher, unless another version is to run', async () => {
  const asks = { '2.0.0': { ends: { at: 0, code: RESTART_CODE } } };
  const it = machine(asks, { ...NOTHING_YET, current: '2.0.0' });
  assert.deepEqual([await it.launcher.run(), it.starts], [RESTART_CODE, ['2.0.0']]);
  const goesBack = machine(asks, ON_TRIAL);
  assert.deepEqual([await goesBack.launcher.run(), goesBack.starts.length], ['serve', 2]);
});
