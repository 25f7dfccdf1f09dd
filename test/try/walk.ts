/**
 * The life of a package in a store, from its first start to its end, observed from outside: a server that runs with the
 * packaged Node, and a screen under its own launcher. The test requests screenshots of the screen through the server.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import type { Places } from '../../build/desktop/programs.ts';
import { running, runningIn } from '../../server/cli/set-up/running.ts';
import type { PackedFile } from '../e2e/hosts/packed-app.ts';
import { callerOf, type Ending, freePort } from '../harness.ts';
import { must, type Person, person, type Server } from '../people.ts';
import { upload } from '../uploads.ts';

const RED = { r: 200, g: 30, b: 40 };
const NEAR = 24;
const LOOK_EVERY_MS = 500;
/** Milliseconds for a first start on a slow machine, with a browser that creates its profile. */
const START_MS = 120_000;
/**
 * Time limit in milliseconds for a screenshot of the screen after a failure of its windows. The screen must be back
 * within a minute, and then the screenshot is requested.
 */
const BACK_MS = 90_000;
/** Milliseconds to prepare, start and accept an update. */
const UPDATE_MS = 180_000;
const END_MS = 30_000;

export interface Tried {
  readonly app: Places & { /** Path of the installed or unpacked program. */ readonly folder: string };
  readonly next: { readonly version: string; readonly file: PackedFile };
  /** Folder in which this run stores its data. */
  readonly work: string;
  /** Additional options of the launcher. */
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folder with prepared new versions of the program. */
  readonly updates: string;
  /** Installs the package first, on a machine without it. @param server future address of the machine's server */
  readonly install?: (server: string) => Promise<void>;
}

export type Step = <T>(what: string, work: () => Promise<T>) => Promise<T>;

/** Waits until there is a result. Throws an error that says what was missing. */
export const until = async <T>(
  what: string,
  limitMs: number,
  look: () => Promise<T | undefined | false>,
): Promise<T> => {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline; await wait(LOOK_EVERY_MS)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${limitMs / 1_000} s`);
};

/** Stores the last lines of output, which explain a failure. */
const start = (
  t: Ending,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): { readonly child: ChildProcess; readonly said: () => string } => {
  const child = spawn(program, [...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream!.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  t.after(() => child.kill('SIGKILL'));
  return { child, said: () => said };
};

const ended = async (child: ChildProcess, limitMs: number): Promise<number | NodeJS.Signals | null> => {
  if (child.exitCode === null && child.signalCode === null)
    await once(child, 'exit', { signal: AbortSignal.timeout(limitMs) });
  return child.exitCode ?? child.signalCode;
};

export const walk = async (
  t: Ending,
  { app, next, work, options, env, updates, install }: Tried,
  step: Step,
): Promise<void> => {
  const port = await freePort();
  const site: Server = { origin: `http://127.0.0.1:${port}`, call: callerOf(`http://127.0.0.1:${port}`) };
  await install?.(site.origin);
  const serverArgs = ['--port', String(port), '--host', '127.0.0.1', '--data', join(work, 'store')];
  const server = start(t, app.node, [join(app.programs, 'server', 'main.js'), ...serverArgs], {
    VITRINE_DISCOVERY: '0',
    VITRINE_TRUSTED_PROXIES: '127.0.0.1',
  });
  const words = (error: unknown, of: () => string) =>
    Object.assign(error as Error, { message: `${(error as Error).message}\n${of()}` });

  const owner = await step('a server starts, and has an owner', async () => {
    const isUp = () =>
      site.call('GET', '/api/health').then(
        ({ status }) => status === 200,
        () => server.child.exitCode !== null && assert.fail('the server has ended'),
      );
    await until('the server', START_MS, isUp).catch((error) => {
      throw words(error, server.said);
    });
    return person(site, 'owner@store.test');
  });
  const call = (method: string, path: string, body?: unknown) => site.call(method, path, { token: owner.token, body });

  const launcher = start(t, app.node, [join(app.programs, 'player', 'launcher.js'), ...options], {
    ...env,
    VITRINE_SERVER: site.origin,
  });
  const device = await step('a screen starts, and is claimed', async () => {
    const pending = await until(
      'a screen that waits to be claimed',
      START_MS,
      async () => must(await call('GET', '/api/devices/pending'))[0],
    ).catch((error) => {
      throw words(error, launcher.said);
    });
    return must(await call('POST', '/api/devices/pair', { pending_id: pending.pending_id }), 201).id as string;
  });

  const isRed = async () => {
    const response = await fetch(`${site.origin}/api/devices/${device}/screenshot?fresh=true`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) return false;
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
    return [RED.r, RED.g, RED.b].every((value, i) => Math.abs(data[at + i]! - value) < NEAR);
  };
  const plays = (limitMs: number) =>
    until('the picture on the screen', limitMs, isRed).catch((error) => {
      throw words(error, launcher.said);
    });
  await step('a picture that was uploaded is on it, and its plays are reported', async () => {
    await publishPicture(site, owner, device);
    await plays(START_MS);
    await until('a play', START_MS, async () => must(await call('GET', '/api/reports/plays?limit=10')).length > 0);
  });

  const versions = join(updates, 'versions');
  const windows = () => {
    const all = running();
    const besides = [process.pid, server.child.pid!, launcher.child.pid!];
    return { installed: runningIn(all, app.folder, { besides }), next: runningIn(all, versions, { besides }) };
  };
  await step('its windows and its agent die, and it is back', async () => {
    const dying = windows().installed;
    assert.ok(dying.length > 0, 'nothing ran from the folder of the package');
    for (const pid of dying) process.kill(pid, 'SIGKILL');
    await until('other processes in their place', BACK_MS, async () =>
      windows().installed.some((pid) => !dying.includes(pid)),
    );
    await plays(BACK_MS);
  });

  await step(`it takes version ${next.version}, and plays in it`, async () => {
    const at = { path: '/api/updates/releases' };
    must(await upload(site, owner.token, readFileSync(next.file.path), basename(next.file.path), at), 201);
    const release = must(
      await upload(site, owner.token, Buffer.from(`${next.file.signature}\n`), `${basename(next.file.path)}.sig`, at),
      201,
    );
    const rollout = must(
      await call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: device }),
      201,
    );
    await until('the new version', UPDATE_MS, async () => {
      const [seen] = must(await call('GET', `/api/updates/rollouts/${rollout.id}`)).devices;
      assert.ok(seen.status !== 'failed' && seen.status !== 'unsupported', `the screen says: ${JSON.stringify(seen)}`);
      return seen.version === next.version;
    }).catch((error) => {
      throw words(error, launcher.said);
    });
    await plays(BACK_MS);
    const { installed, next: fresh } = windows();
    assert.ok(
      fresh.length > 0 && installed.length === 0,
      `one version runs, and it is the new one: ${installed.length} processes of the old, ${fresh.length} of the new`,
    );
  });

  await step('they end when they are told to, and nothing is left running', async () => {
    launcher.child.kill('SIGTERM');
    server.child.kill('SIGTERM');
    const codes = [await ended(launcher.child, END_MS), await ended(server.child, END_MS)];
    // Windows has no SIGTERM: there, the process is killed.
    if (process.platform !== 'win32') assert.deepEqual(codes, [0, 0], `${launcher.said()}\n${server.said()}`);
    await until('the last process', END_MS, async () => windows().installed.length + windows().next.length === 0);
  });
};

const publishPicture = async (site: Server, { token }: Person, device: string): Promise<void> => {
  const call = async (path: string, body?: unknown, status = 200) =>
    must(await site.call('POST', path, { token, body }), status);
  const jpeg = await sharp({ create: { width: 640, height: 360, channels: 3, background: RED } })
    .jpeg()
    .toBuffer();
  const content = must(await upload(site, token, jpeg, 'offer.jpg'), 201);
  const playlist = await call('/api/playlists', { name: 'Offers' }, 201);
  await call(`/api/playlists/${playlist.id}/items`, { content_id: content.id, duration_sec: 2 }, 201);
  await call(`/api/playlists/${playlist.id}/publish`);
  await call(`/api/playlists/${playlist.id}/assign`, { device_id: device });
};
