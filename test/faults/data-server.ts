/**
 * Starts the real server in a separate process that tests kill. The tests use HTTP and sockets like other clients. The
 * data folder outlives the process.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { picture } from '../api/media.ts';
import { callerOf, firstUser, type Site, startSite } from '../harness.ts';
import { must } from '../people.ts';
import { DEVICE, hashOf, PlayerClient } from '../player-client.ts';
import { upload } from '../uploads.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

export interface RunningServer {
  readonly origin: string;
  readonly child: ChildProcess;
  /** Returns all output so far, from stdout and stderr. */
  said(): string;
  /** Kills the process without warning, like a power cut. */
  kill(): Promise<void>;
  /** Stops the process normally. Resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** Error: the process ended by itself before it was ready. */
export class NotStarted extends Error {
  readonly code: number | null;
  readonly said: string;
  constructor(code: number | null, said: string) {
    super(`the server ended with ${code}: ${said}`);
    this.code = code;
    this.said = said;
  }
}

const env = (more: Record<string, string>): NodeJS.ProcessEnv => {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !key.startsWith('VITRINE_') && key !== 'NODE_OPTIONS' && key !== 'NODE_TEST_CONTEXT',
    ),
  );
  return { ...clean, VITRINE_DISCOVERY: '0', VITRINE_LOG_LEVEL: 'warn', ...more };
};

/**
 * Starts a server process that may be killed at any moment. `up` resolves with the server's origin, or rejects with
 * NotStarted.
 */
export const launch = (
  data: string,
  more: Record<string, string> = {},
): { child: ChildProcess; said: () => string; up: Promise<string> } => {
  const child = spawn(process.execPath, ['server/main.ts', '--port', '0', '--host', '127.0.0.1', '--data', data], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: env(more),
  });
  const lines: string[] = [];
  child.stderr!.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const up = new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      lines.push(line);
      const match = /This computer:\s+http:\/\/localhost:(\d+)/.exec(line);
      if (match) found(`http://127.0.0.1:${match[1]}`);
    });
    child.once('close', (code) => failed(new NotStarted(code, lines.join('\n'))));
  });
  up.catch(() => {});
  return { child, said: () => lines.join('\n'), up };
};

export const gone = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/**
 * Starts a server, and resolves when it is ready. The server is killed at the end of the test, unless it has ended
 * before.
 */
export const startServer = async (
  t: TestContext,
  data: string,
  more: Record<string, string> = {},
): Promise<RunningServer> => {
  const { child, said, up } = launch(data, more);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await gone(child);
    return child.exitCode;
  };
  const kill = async () => void (await end('SIGKILL'));
  t.after(kill);
  return { origin: await up, child, said, kill, stop: () => end('SIGTERM') };
};

export type Answer = Pick<Awaited<ReturnType<Site['call']>>, 'status' | 'body'>;

/** Status of an answer; 0 means that there was no answer. */
export const ask = (
  origin: string,
  method: string,
  path: string,
  options: { token?: string; body?: unknown } = {},
): Promise<Answer> => callerOf(origin)(method, path, options).catch(() => ({ status: 0, body: undefined }));

/** Returns a function that sends requests of one user to a server. */
export const callTo =
  (origin: string, token: string) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask(origin, method, path, { token, ...(body !== undefined && { body }) });

/** Registers the first user of a fresh server. Returns the session. */
export const registerOwner = async (origin: string): Promise<string> => {
  const body = { email: 'owner@store.test', password: 'correct horse', name: 'Owner' };
  return (await ask(origin, 'POST', '/api/auth/register', { body })).body.token;
};

/** Starts a new server and creates its owner. */
export const startOwned = async (t: TestContext, data: string, more?: Record<string, string>) => {
  const server = await startServer(t, data, more);
  const token = await registerOwner(server.origin);
  return { server, token, call: callTo(server.origin, token) };
};

/** Id and secret with which a screen connects. */
export interface Screen {
  readonly id: string;
  readonly secret: string;
}

/**
 * Claims a simulated screen, which is only a connection. `server` is the data that the screen received when it asked to
 * be claimed.
 */
export const claimScreen = async (origin: string, call: ReturnType<typeof callTo>) => {
  const secret = randomBytes(32).toString('hex');
  const player = new PlayerClient(origin);
  await player.opened;
  player.say({ type: 'hello', protocol: 1, secret_hash: hashOf(secret), device: DEVICE });
  const { code, server } = await player.next('pairing');
  const { id } = (await call('POST', '/api/devices/pair', { code, name: 'Till' })).body;
  return { screen: { id, secret } satisfies Screen, player, server };
};

/** Publishes a picture for a screen. Returns the content. */
export const showPicture = async (
  call: ReturnType<typeof callTo>,
  device_id: string,
): Promise<{ id: string; sha256: string }> => {
  const content = (await call('POST', '/api/content', formWith('a.gif', picture('a')))).body;
  const { id } = (await call('POST', '/api/playlists', { name: 'P' })).body;
  await call('POST', `/api/playlists/${id}/items`, { content_id: content.id });
  await call('POST', `/api/playlists/${id}/publish`);
  await call('POST', `/api/playlists/${id}/assign`, { device_id });
  return content;
};

export const formWith = (name: string, bytes: Buffer): FormData => {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
};

export interface Ran {
  /** Exit code; null if the process was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of this repository with Node until it ends. */
export const run = async (args: readonly string[], options: SpawnOptions = {}): Promise<Ran> => {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
};

/** Runs an ES module, given as text, until it ends. @param env additional environment variables */
export const runScript = (script: string, more: Record<string, string>): Promise<Ran> =>
  run(['--no-warnings', '--input-type=module', '-e', script], {
    env: { ...process.env, NODE_OPTIONS: '', ...more },
  });

/** Runs `vitrine <args>` until it ends. */
export const vitrine = (args: readonly string[], more: Record<string, string> = {}): Promise<Ran> =>
  run(['server/cli/main.ts', ...args], { env: env(more) });

/**
 * Calls one function of a module in a process with simulated faults.
 * @returns the exit code: 1 if the function threw the module's error class with this name; 2 for another error; null if
 * the process was killed
 */
export const apart = async (
  module: string,
  call: string,
  argument: unknown,
  more: Record<string, string>,
  error = '',
): Promise<number | null> => {
  const address = JSON.stringify(pathToFileURL(join(ROOT, module)).href);
  const script = `const m = await import(${address}); try { await m.${call}(${JSON.stringify(argument)}); } catch (error) { process.exit(error instanceof (m.${error || 'none'} ?? Error) ? 1 : 2); }`;
  return (await runScript(script, more)).code;
};

/** Returns the data folder of a stopped server, with an owner and these pictures. */
export const stoppedStore = async (t: TestContext, pictures: readonly string[], data: string): Promise<string> => {
  const site = await startSite(t, { data });
  const { token } = await firstUser(site);
  for (const name of pictures) must(await upload(site, token, picture(name), `${name}.gif`), 201);
  await site.app.stop();
  return data;
};
