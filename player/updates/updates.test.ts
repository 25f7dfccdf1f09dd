/** With real files and real processes: a version is a script that does what a version might. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderFor } from '../agent/testing/folder.ts';
import { MemoryLog } from '../core/testing/fakes.ts';
import { ALREADY_RUNNING_CODE, launch, RESTART_CODE } from './launcher.ts';
import { UpdateFiles } from './update-files.ts';
import { broken, choose, compareVersions, healthy, NOTHING_YET, staged } from './update-state.ts';
import { Updater } from './updater.ts';

const skip = process.platform === 'win32' && 'the versions of this test are shell scripts';

// — the account —

test('a staged version is tried, stays once it is healthy, and the one before is kept', () => {
  const first = choose(staged(NOTHING_YET, '2.0.0'), '1.0.0');
  assert.deepEqual([first.run, first.trial], ['2.0.0', true]);
  const settled = healthy(first.state, '2.0.0');
  assert.deepEqual([settled.current, settled.trial], ['2.0.0', null]);
  const next = healthy(choose(staged(settled, '3.0.0'), '1.0.0').state, '3.0.0');
  assert.deepEqual([next.current, next.previous], ['3.0.0', '2.0.0']);
  assert.equal(choose(next, '1.0.0').run, '3.0.0');
});

test('a version on trial has two starts, then the one before runs, for good', () => {
  let { state } = choose(staged(NOTHING_YET, '2.0.0'), '1.0.0');
  ({ state } = choose(state, '1.0.0'));
  const third = choose(state, '1.0.0');
  assert.deepEqual([third.run, third.trial, third.state.failed], [null, false, [{ version: '2.0.0', reason: 'it did not come up' }]]);
  assert.equal(choose(third.state, '1.0.0').run, null);
});

test('a version in use that breaks gives way to the one before it', () => {
  const state = { ...NOTHING_YET, current: '3.0.0', previous: '2.0.0' };
  assert.equal(choose(broken(state, '3.0.0', 'x'), '1.0.0').run, '2.0.0');
  assert.equal(choose(broken(broken(state, '3.0.0', 'x'), '2.0.0', 'x'), '1.0.0').run, null);
});

test('a program installed anew that is not older runs itself', () => {
  const state = { ...NOTHING_YET, current: '2.0.0' };
  assert.equal(choose(state, '1.9.9').run, '2.0.0');
  assert.equal(choose(state, '2.0.0').run, null);
  assert.equal(choose(state, '2.1.0').run, null);
});

test('versions are ordered as numbers, a pre-release before its release', () => {
  const sorted = ['1.10.0', '1.2.0', '2.0.0-beta.10', '2.0.0', '2.0.0-beta.2'].toSorted(compareVersions);
  assert.deepEqual(sorted, ['1.2.0', '1.10.0', '2.0.0-beta.2', '2.0.0-beta.10', '2.0.0']);
});

// — the launcher —

const scene = (t: TestContext) => {
  const folder = join(folderFor(t), 'updates');
  const files = new UpdateFiles(folder);
  const diary = join(folder, 'diary');
  const said: string[] = [];
  mkdirSync(folder, { recursive: true });
  /** A version whose program runs these lines of shell, after it has written down that it started. */
  const install = (version: string, script: string) => {
    mkdirSync(files.versionFolder(version), { recursive: true });
    const program = join(files.versionFolder(version), 'vitrine');
    writeFileSync(program, `#!/bin/sh\necho ${version} "$@" >> '${diary}'\n${script}\n`);
    chmodSync(program, 0o755);
  };
  const run = (more: Partial<Parameters<typeof launch>[0]> = {}) => launch({ folder, installed: '1.0.0', args: ['--role', 'player'], log: (line) => said.push(line), ...more });
  const started = () => (existsSync(diary) ? readFileSync(diary, 'utf8').trim().split('\n') : []);
  /** What the agent of a version does once all is well. */
  const reports = (version: string) => `cat > '${folder}/state.json' <<'END'\n${JSON.stringify({ ...NOTHING_YET, current: version })}\nEND`;
  return { folder, files, install, run, started, reports, said };
};

test('without an update the installed program runs', async (t) => {
  const { run, started } = scene(t);
  assert.equal(await run(), 'self');
  assert.deepEqual(started(), []);
});

test('a new version that crashes is given up, and the installed program runs again', { skip }, async (t) => {
  const { files, install, run, started, said } = scene(t);
  install('2.0.0', 'exit 3');
  await files.write(staged(NOTHING_YET, '2.0.0'));
  assert.equal(await run(), 'self');
  assert.deepEqual(started(), ['2.0.0 --role player']);
  assert.deepEqual(files.read().failed, [{ version: '2.0.0', reason: 'it ended with 3' }]);
  assert.match(said.join(), /2\.0\.0 is given up/);
  assert.equal(await run(), 'self');
  assert.equal(started().length, 1, 'it is not tried again');
});

test('a new version that hangs is ended when its time is over', { skip }, async (t) => {
  const { files, install, run, started } = scene(t);
  install('2.0.0', 'exec sleep 300');
  await files.write(staged(NOTHING_YET, '2.0.0'));
  assert.equal(await run({ healthyWithinMs: 300 }), 'self');
  assert.equal(started().length, 1);
  assert.deepEqual(files.read().failed, [{ version: '2.0.0', reason: 'it did not report healthy in time' }]);
});

test('a new version that reports healthy stays, also at the next start', { skip }, async (t) => {
  const { files, install, run, started, reports } = scene(t);
  install('2.0.0', `${reports('2.0.0')}\nexit 0`);
  await files.write(staged(NOTHING_YET, '2.0.0'));
  assert.equal(await run({ healthyWithinMs: 60_000 }), 0);
  assert.equal(await run(), 0);
  assert.deepEqual([started().length, files.read().current], [2, '2.0.0']);
});

test('from a version in use to a broken next one and back', { skip }, async (t) => {
  const { files, folder, install, run, started } = scene(t);
  const next = JSON.stringify(staged({ ...NOTHING_YET, current: '2.0.0' }, '3.0.0'));
  // In use; takes in the next version at its first start, ends in order at its second.
  install('2.0.0', `[ -e '${folder}/was' ] && exit 0\ntouch '${folder}/was'\necho '${next}' > '${folder}/state.json'\nexit ${RESTART_CODE}`);
  install('3.0.0', 'exit 1');
  await files.write({ ...NOTHING_YET, current: '2.0.0' });
  assert.equal(await run(), 0);
  assert.deepEqual(
    started().map((line) => line.split(' ')[0]),
    ['2.0.0', '3.0.0', '2.0.0'],
  );
  assert.equal(files.read().current, '2.0.0');
});

test('a second start of what runs already says nothing about a version on trial', { skip }, async (t) => {
  const { files, install, run } = scene(t);
  install('2.0.0', `exit ${ALREADY_RUNNING_CODE}`);
  await files.write(staged(NOTHING_YET, '2.0.0'));
  assert.equal(await run(), 0);
  assert.equal(files.read().trial?.version, '2.0.0');
});

test('a version whose files are gone is given up', async (t) => {
  const { files, run } = scene(t);
  await files.write({ ...NOTHING_YET, current: '2.0.0' });
  assert.equal(await run(), 'self');
});

test('told to stop, it ends what it started first', { skip }, async (t) => {
  const { files, install, run, folder } = scene(t);
  install('2.0.0', `trap "touch '${folder}/ended'; exit 0" TERM\ntouch '${folder}/began'\nwhile :; do sleep 0.05; done`);
  await files.write(staged(NOTHING_YET, '2.0.0'));
  const stop = new AbortController();
  const ended = run({ signal: stop.signal });
  while (!existsSync(join(folder, 'began'))) await new Promise((next) => setTimeout(next, 20));
  stop.abort();
  assert.equal(await ended, 0);
  assert.ok(existsSync(join(folder, 'ended')));
  assert.equal(files.read().trial?.version, '2.0.0', 'that is no fault of the version');
});

// — taking a version in —

const release = (folder: string, version: string): { bytes: Buffer; sha256: string } => {
  const top = join(folder, `Vitrine-${version}`);
  mkdirSync(top, { recursive: true });
  writeFileSync(join(top, 'vitrine'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  execFileSync('tar', ['-czf', join(folder, 'release.tar.gz'), '-C', folder, `Vitrine-${version}`]);
  const bytes = readFileSync(join(folder, 'release.tar.gz'));
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
};

const shop = (t: TestContext, version = '1.0.0') => {
  const folder = folderFor(t);
  const { bytes, sha256 } = release(folder, '2.0.0');
  const server = { bytes, offers: true, asked: [] as string[] };
  const file = { name: 'Vitrine-2.0.0-linux-x64.tar.gz', platform: 'linux', arch: 'x64', kind: 'tar.gz', size: bytes.length, sha256, sha512: '' };
  const later: (() => void)[] = [];
  const after = (_ms: number, run: () => void) => {
    later.push(run);
    return () => {};
  };
  let restarts = 0;
  const updater = new Updater({
    folder: join(folder, 'updates'),
    version,
    platform: 'linux',
    arch: 'x64',
    get: async (path) => {
      server.asked.push(path);
      const body = path.includes('offer') ? Buffer.from(JSON.stringify({ update: server.offers ? { version: '2.0.0', file } : null })) : server.bytes;
      return {
        status: 200,
        header: () => null,
        body: (async function* () {
          yield body;
        })(),
      };
    },
    restart: () => restarts++,
    time: { mono: () => 0, wall: () => 0, after },
    log: new MemoryLog(),
  });
  return { updater, server, files: new UpdateFiles(join(folder, 'updates')), later, restarts: () => restarts };
};

test('the command takes the offered version in, and has the program started anew', { skip }, async (t) => {
  const { updater, files, later, restarts, server } = shop(t);
  assert.deepEqual(await updater.update('2.0.0'), { status: 'done' });
  assert.equal(execFileSync(files.program('2.0.0', 'linux')!, { encoding: 'utf8' }), '2.0.0\n');
  assert.deepEqual(files.read().trial, { version: '2.0.0', starts: 0 });
  assert.equal(restarts(), 0, 'the result goes out first');
  later.shift()!();
  assert.equal(restarts(), 1);
  assert.deepEqual(server.asked[0], '/api/updates/offer?platform=linux&arch=x64');
});

test('bytes that are not the release’s are thrown away', async (t) => {
  const { updater, server, files } = shop(t);
  server.bytes = Buffer.from(server.bytes).fill(0, 10, 20);
  assert.deepEqual(await updater.update(null), { status: 'failed', error: 'the new version did not arrive as a whole' });
  server.bytes = server.bytes.subarray(0, 20);
  assert.equal((await updater.update(null)).status, 'failed');
  assert.deepEqual([files.read(), existsSync(files.versionFolder('2.0.0'))], [NOTHING_YET, false]);
});

test('nothing offered, another version, an older one: failed, in words', async (t) => {
  const newer = shop(t, '3.0.0');
  assert.deepEqual(await newer.updater.update(null), { status: 'failed', error: 'this screen runs 3.0.0, which is newer than 2.0.0' });
  const { updater, server } = shop(t);
  assert.deepEqual(await updater.update('2.5.0'), { status: 'failed', error: 'the server offers 2.0.0, not 2.5.0' });
  server.offers = false;
  assert.deepEqual(await updater.update(null), { status: 'failed', error: 'the server offers no version for this machine' });
  assert.deepEqual(await updater.update('1.0.0'), { status: 'done' }, 'what runs already');
});

test('a version on trial reports healthy once its page paints and the server knows it', async (t) => {
  const { updater, files, later } = shop(t, '2.0.0');
  await files.write(staged({ ...NOTHING_YET, current: '1.5.0' }, '2.0.0'));
  mkdirSync(files.versionFolder('1.0.0'), { recursive: true });
  updater.start();
  later.shift()!();
  while (later.length === 0) await new Promise((next) => setTimeout(next, 5));
  assert.equal(files.read().current, '1.5.0', 'nothing is painted yet');
  updater.showing();
  later.shift()!();
  while (files.read().current !== '2.0.0' || existsSync(files.versionFolder('1.0.0'))) await new Promise((next) => setTimeout(next, 5));
  assert.deepEqual([files.read().previous, files.read().trial], ['1.5.0', null]);
});
