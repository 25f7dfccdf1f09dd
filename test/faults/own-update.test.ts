/**
 * The server's own update with real programs: bundles of these sources under other version numbers, started as a service
 * manager does it. Whatever is cut off, and however bad a version is, a version that was there before or the new one
 * serves the store.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
// @ts-expect-error plain JavaScript, run by whatever Node is there
import { bundlePrograms, layBesideBundle } from '../../build/bundle.mjs';
import { writeNotes } from '../../build/release-signing.ts';
import { programIn, VersionFolder } from '../../server/versions/version-folder.ts';
import { BUNDLE } from '../../shared/desktop/entries.ts';
import { choose } from '../../shared/desktop/update-state.ts';
import { freePort, tempFolder } from '../harness.ts';
import { newPublisher } from '../publisher.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { ask, callTo, ROOT, registerOwner, runScript } from './data-server.ts';
import { createFaults, whyNoFaults } from './hooks/faults.ts';

const skip = process.platform !== 'linux' && 'the releases of this test are for Linux';
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const WAIT_MS = 90_000;
/** A new version has so long to answer, and stays when it has answered for half of it. */
const TRIAL_SECONDS = 8;

const publisher = newPublisher();
/** What all versions have in common, made once. */
let programs = '';
before(async () => {
  if (skip) return;
  programs = mkdtempSync(join(tmpdir(), 'vitrine-programs-'));
  await bundlePrograms(join(programs, BUNDLE));
  layBesideBundle(programs);
});
after(() => rmSync(programs, { recursive: true, force: true }));

interface Made {
  /** In place of what starts the server; it may import `./real.js`. */
  readonly main?: string;
  /** It changes the database, so that the version before does not understand it. */
  readonly migrates?: true;
}

/** Lays a version as its package has it. */
const layVersion = (top: string, version: string, { main, migrates }: Made = {}): void => {
  const vitrine = join(top, 'resources', 'vitrine');
  cpSync(programs, vitrine, { recursive: true });
  mkdirSync(join(top, 'resources', 'node'), { recursive: true });
  symlinkSync(process.execPath, join(top, 'resources', 'node', 'node'));
  symlinkSync(join(ROOT, 'node_modules'), join(vitrine, 'node_modules'));
  writeFileSync(
    join(vitrine, 'package.json'),
    JSON.stringify({ name: 'vitrine', version, type: 'module', vitrineReleaseKeys: [publisher.publicKey] }),
  );
  const start = join(vitrine, 'server', 'main.js');
  if (main !== undefined) {
    cpSync(start, join(vitrine, 'server', 'real.js'));
    writeFileSync(start, main);
  }
  if (!migrates) return;
  const journal = join(vitrine, 'server', 'db', 'migrations', 'meta', '_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'));
  const last = entries.at(-1);
  const next = { ...last, idx: last.idx + 1, when: last.when + 1000, tag: `${last.idx + 1}_later` };
  writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, next] }));
  writeFileSync(join(journal, '..', '..', `${next.tag}.sql`), 'CREATE TABLE later (id integer PRIMARY KEY);');
};

/** A computer whose service manager starts the installed version again whenever it has ended. */
const computer = async (t: TestContext, data = join(tempFolder(t), 'data')) => {
  const installed = join(tempFolder(t), 'Vitrine');
  layVersion(installed, '1.0.0');
  const port = await freePort();
  const { node, main } = programIn(installed)!;
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _test, ...env } = process.env;
  let child: ChildProcess | undefined;
  let [isOver, said] = [false, ''];
  const start = () => {
    child = spawn(node, [main, '--port', String(port), '--no-https', '--host', '127.0.0.1', '--data', data], {
      env: {
        ...env,
        VITRINE_SERVICE_NOTE: join(installed, 'note.json'),
        VITRINE_TRIAL_SECONDS: String(TRIAL_SECONDS),
        VITRINE_DISCOVERY: '0',
        VITRINE_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('exit', () => setTimeout(() => isOver || start(), 100));
  };
  const kill = (pid = child!.pid!) => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  start();
  t.after(async () => {
    isOver = true;
    kill();
    await later(300);
  });
  const origin = `http://127.0.0.1:${port}`;
  const health = async () => (await ask(origin, 'GET', '/api/health')).body?.version as string | undefined;
  return {
    data,
    origin,
    installed,
    /** All of it, as a power cut does. */
    kill,
    said: () => said,
    health,
    runs: (version: string) =>
      until(`version ${version} serves`, WAIT_MS, async () => (await health()) === version).catch((error) => {
        throw new Error(`${error.message}\n${said.slice(-3000)}`);
      }),
  };
};

type Computer = Awaited<ReturnType<typeof computer>>;

/** The owner of a fresh store, with a playlist, and releases that were uploaded. */
const owned = async (t: TestContext, it: Computer, releases: Readonly<Record<string, Made>>) => {
  await it.runs('1.0.0');
  const token = await registerOwner(it.origin);
  const call = callTo(it.origin, token);
  await call('POST', '/api/playlists', { name: 'Autumn' });
  const ids: Record<string, string> = {};
  for (const [version, made] of Object.entries(releases)) {
    const folder = tempFolder(t);
    layVersion(join(folder, `Vitrine-${version}`), version, made);
    const name = `Vitrine-${version}-linux-${arch}.tar.gz`;
    execFileSync('tar', ['-czf', join(folder, name), '-C', folder, `Vitrine-${version}`]);
    const bytes = readFileSync(join(folder, name));
    const send = (file: Buffer, label: string) =>
      upload({ origin: it.origin }, token, file, label, { path: '/api/updates/releases' });
    await send(bytes, name);
    const notes = writeNotes(folder, version, `## ${version}\nBrighter.`, publisher)!;
    await send(readFileSync(join(folder, notes)), notes);
    const { body } = await send(Buffer.from(publisher.sign(name, bytes)), `${name}.sig`);
    ids[version] = body.id;
  }
  const names = async (): Promise<string[]> =>
    ((await call('GET', '/api/playlists')).body ?? []).map(({ name }: { name: string }) => name).sort();
  const state = async () => (await call('GET', '/api/server/update')).body;
  const install = async (version: string) => {
    const { status, body } = await call('POST', '/api/server/update', { release_id: ids[version] });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const lastIs = (status: string) =>
    until(`the update is ${status}`, WAIT_MS, async () => {
      const { last, version } = (await state()) ?? {};
      return last?.status === status && { ...last, runs: version };
    });
  return { call, names, state, install, lastIs };
};

test('a release is laid beside what runs, tried, and stays; the version before comes back when somebody wants it', {
  skip,
  timeout: 300_000,
}, async (t) => {
  const it = await computer(t);
  const { call, names, state, install, lastIs } = await owned(t, it, { '2.0.0': {}, '3.0.0': { migrates: true } });
  const before = await state();
  assert.deepEqual([before.version, before.how, before.back, before.last], ['1.0.0', 'trial', null, null]);
  assert.deepEqual([before.offer.version, before.offer.notes], ['3.0.0', 'Brighter.']);
  const { backup } = await install('2.0.0');
  await it.runs('2.0.0');
  assert.equal((await lastIs('done')).runs, '2.0.0');
  assert.ok(existsSync(join(it.data, 'backups', backup)));
  await call('POST', '/api/playlists', { name: 'Winter' });
  const second = await state();
  assert.deepEqual([second.back.version, second.back.backup], ['1.0.0', null], 'one store for both: nothing is lost');
  assert.equal((await call('POST', '/api/server/update/return', {})).status, 200);
  await it.runs('1.0.0');
  assert.equal((await lastIs('returned')).version, '2.0.0');
  assert.deepEqual(await names(), ['Autumn', 'Winter']);
  assert.equal((await state()).back, null);

  // Once more, and from there to one that changes the database.
  await install('2.0.0');
  await lastIs('done');
  await install('3.0.0');
  await it.runs('3.0.0');
  await lastIs('done');
  await call('POST', '/api/playlists', { name: 'Later' });
  const third = await state();
  assert.deepEqual([third.back.version, third.back.backup], ['2.0.0', third.last.backup]);
  const { safety } = (await call('POST', '/api/server/update/return', {})).body;
  await it.runs('2.0.0');
  assert.deepEqual([(await lastIs('returned')).restored, await names()], [1, ['Autumn', 'Winter']]);
  const { last_restore, backups } = (await call('GET', '/api/server/backups')).body;
  assert.deepEqual([last_restore.error, last_restore.backup], [null, third.last.backup]);
  assert.ok(
    backups.some(({ name }: { name: string }) => name === safety),
    'what was lost is in a backup of its own',
  );
  assert.deepEqual(readdirSync(join(it.data, 'programs', 'versions')), ['2.0.0']);
});

/** By their versions: how each is bad, and what is said of it. */
const BAD: Readonly<Record<string, Made & { readonly says: RegExp }>> = {
  '2.0.0': { main: 'process.exit(3);', says: /ended with 3/ },
  '2.1.0': { main: 'for (;;);', says: /did not answer in time/ },
  '2.2.0': { main: 'setInterval(() => {}, 1000);', says: /did not answer in time/ },
  '2.3.0': {
    migrates: true,
    main: "await import('./real.js'); setTimeout(() => { for (;;); }, 2500);",
    says: /stopped answering|did not answer/,
  },
};

test('a version that crashes, hangs, never answers or hangs after it has changed the database gives way to the one before, with everything that was there', {
  skip,
  timeout: 400_000,
}, async (t) => {
  const it = await computer(t);
  const { names, install, lastIs, state } = await owned(t, it, BAD);
  for (const [version, { migrates, says }] of Object.entries(BAD)) {
    await install(version);
    await until(`${version} is given up`, WAIT_MS, async () => {
      const { last } = (await state()) ?? {};
      return last?.version === version && last.status === 'failed';
    });
    const last = await lastIs('failed');
    assert.match(last.reason, says, version);
    assert.deepEqual([await it.health(), await names()], ['1.0.0', ['Autumn']], version);
    assert.equal(last.restored, migrates ? 1 : 0, it.said());
    assert.equal(new VersionFolder(it.data).read().trial, null);
  }
  assert.equal((await state()).offer.version, '2.3.0', 'it can be tried again');
});

test('everything is killed at one moment or another of an update: the old or the new version serves, and nothing is lost', {
  skip,
  timeout: 300_000,
}, async (t) => {
  const it = await computer(t);
  const { names, install, lastIs, state } = await owned(t, it, { '2.0.0': { migrates: true } });
  const serves = () =>
    until('a version serves', WAIT_MS, async () => {
      const version = await it.health();
      return (version === '1.0.0' || version === '2.0.0') && version;
    });
  // While it is being laid.
  for (const ms of [300, 1_500]) {
    const asked = install('2.0.0').catch(() => {});
    await later(ms);
    it.kill();
    await asked;
    assert.equal(await serves(), '1.0.0', `after ${ms} ms`);
    assert.deepEqual(await names(), ['Autumn']);
  }
  // Between two versions, and while the new one is on trial.
  await install('2.0.0');
  it.kill();
  await it.runs('2.0.0');
  assert.equal((await state()).last.status, 'trying');
  it.kill();
  await serves();
  const last = await until('it is decided', WAIT_MS, async () => {
    const { last: now } = (await state()) ?? {};
    return ['done', 'failed'].includes(now?.status) && now;
  });
  assert.equal(await it.health(), last.status === 'done' ? '2.0.0' : '1.0.0');
  assert.deepEqual(await names(), ['Autumn']);
  // As it goes on being used.
  if (last.status === 'failed') {
    await install('2.0.0');
    await lastIs('done');
  }
  it.kill();
  await it.runs('2.0.0');
  assert.deepEqual(await names(), ['Autumn']);
});

test('what lays a version is killed at any step: a whole version is chosen, or the one before', {
  skip: skip || whyNoFaults,
  timeout: 240_000,
}, async (t) => {
  const faults = createFaults(t);
  const folder = tempFolder(t);
  const unpacked = join(folder, 'unpacked');
  mkdirSync(join(unpacked, 'resources', 'vitrine', 'server'), { recursive: true });
  mkdirSync(join(unpacked, 'resources', 'node'));
  writeFileSync(join(unpacked, 'resources', 'vitrine', 'server', 'main.js'), 'of 2.0.0');
  writeFileSync(join(unpacked, 'resources', 'node', 'node'), 'node', { mode: 0o755 });
  const at = (path: string) => JSON.stringify(new URL(path, `file://${ROOT}/`).href);
  const seen = new Set<string>();
  for (let step = 1; ; step += 2) {
    const data = join(folder, `data-${step}`);
    cpSync(unpacked, join(data, 'programs', 'unpacking'), { recursive: true });
    const script = `const { VersionFolder } = await import(${at('server/versions/version-folder.ts')});
      const { NOTHING_YET, staged } = await import(${at('shared/desktop/update-state.ts')});
      const folder = new VersionFolder(${JSON.stringify(data)});
      await folder.place('2.0.0', folder.unpacking, '${'a'.repeat(64)}');
      folder.write(staged(NOTHING_YET, '2.0.0'));`;
    faults.disk('kill', data, step);
    const { code } = await runScript(script, faults.env);
    faults.mend();
    const versions = new VersionFolder(data);
    const { run } = choose(versions.read(), '1.0.0');
    if (run !== null) assert.equal(await versions.damage(run, { byBytes: true }), undefined, `step ${step}`);
    seen.add(String(run));
    if (code === 0) break;
  }
  assert.deepEqual([...seen], ['null', '2.0.0']);
});
