/**
 * A computer with a server that is installed as a service, and releases for it: bundles of these sources under other
 * version numbers, signed by a test publisher. Import this file only where needed, because it bundles the programs.
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
import { after, before, type TestContext } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
// @ts-expect-error plain JavaScript, run by whatever Node is there
import { bundlePrograms, layBesideBundle } from '../../build/bundle.mjs';
import { writeNotes } from '../../build/release-signing.ts';
import { programIn } from '../../server/versions/version-folder.ts';
import { BUNDLE } from '../../shared/desktop/entries.ts';
import { freePort, tempFolder } from '../harness.ts';
import { newPublisher } from '../publisher.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { ask, callTo, ROOT, registerOwner } from './data-server.ts';

export const whyNoReleases = process.platform !== 'linux' && 'the releases of this test are for Linux';
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
export const WAIT_MS = 90_000;
/** Seconds within which a new version must answer. It is accepted after answering for half of this time. */
const TRIAL_SECONDS = 8;

const publisher = newPublisher();
/** Folder with the files that all versions share, bundled once. */
let programs = '';
before(async () => {
  if (whyNoReleases) return;
  programs = mkdtempSync(join(tmpdir(), 'vitrine-programs-'));
  await bundlePrograms(join(programs, BUNDLE));
  layBesideBundle(programs);
});
after(() => rmSync(programs, { recursive: true, force: true }));

export interface Made {
  /** Source code that replaces the server's entry script. It may import the real script from `./real.js`. */
  readonly main?: string;
  /** True: the version changes the database, so that the previous version cannot read it. */
  readonly migrates?: true;
}

/** Writes a version into a folder as its package would. */
const layVersion = (top: string, version: string, { main, migrates }: Made = {}): void => {
  const vitrine = join(top, 'resources', 'vitrine');
  cpSync(programs, vitrine, { recursive: true });
  mkdirSync(join(top, 'resources', 'node'), { recursive: true });
  symlinkSync(process.execPath, join(top, 'resources', 'node', 'node'));
  symlinkSync(join(ROOT, 'node_modules'), join(vitrine, 'node_modules'));
  // Links the built pages of the admin window and of screens, if they exist.
  for (const name of existsSync(join(ROOT, 'dist')) ? readdirSync(join(ROOT, 'dist')) : [])
    if (!existsSync(join(vitrine, 'dist', name))) symlinkSync(join(ROOT, 'dist', name), join(vitrine, 'dist', name));
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

/** A computer whose service manager restarts the installed version whenever it has ended. */
export const computer = async (t: TestContext, data = join(tempFolder(t), 'data')) => {
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
      // The process has ended already.
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
    /** Kills all processes, like a power cut. */
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

/** A release as the publisher distributes it: file, signature, and some lines of release notes. */
export const releaseOf = (t: TestContext, version: string, made: Made = {}) => {
  const folder = tempFolder(t);
  layVersion(join(folder, `Vitrine-${version}`), version, made);
  const name = `Vitrine-${version}-linux-${arch}.tar.gz`;
  execFileSync('tar', ['-czf', join(folder, name), '-C', folder, `Vitrine-${version}`]);
  const bytes = readFileSync(join(folder, name));
  const notes = writeNotes(folder, version, `## ${version}\nBrighter.`, publisher)!;
  return [
    { name, bytes },
    { name: notes, bytes: readFileSync(join(folder, notes)) },
    { name: `${name}.sig`, bytes: Buffer.from(publisher.sign(name, bytes)) },
  ];
};

/** Creates the owner of a new store with a playlist, and uploads releases with some lines of release notes. */
export const owned = async (t: TestContext, it: Computer, releases: Readonly<Record<string, Made>>) => {
  await it.runs('1.0.0');
  const token = await registerOwner(it.origin);
  const call = callTo(it.origin, token);
  await call('POST', '/api/playlists', { name: 'Autumn' });
  const ids: Record<string, string> = {};
  for (const [version, made] of Object.entries(releases)) {
    for (const { name, bytes } of releaseOf(t, version, made)) {
      const { body } = await upload({ origin: it.origin }, token, bytes, name, { path: '/api/updates/releases' });
      ids[version] = body.id;
    }
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
  return { token, call, names, state, install, lastIs };
};
