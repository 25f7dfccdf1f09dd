/** Starts the processes under test: Vitrine's server, and minimal servers of the same libraries for comparison. */
import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const PROBE = join(import.meta.dirname, 'probe.mjs');

export interface Facts {
  /** Memory of the process in bytes (resident set size). */
  readonly rss: number;
  /** Bytes of JavaScript objects and buffers. */
  readonly held: number;
  readonly cpuMs: number;
  /** Delay of the event loop in milliseconds between the messages `watch` and `facts`, 99th percentile. */
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
}

export interface Child {
  readonly port: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number;
  ask(question: 'facts' | 'watch' | 'collect'): Promise<Facts>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Returns a port that was free a moment ago. The child gets this port as an option. */
const freePort = async (): Promise<number> => {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const launch = async (
  args: (port: number) => string[],
  path: string,
  options: { probe: boolean; env?: Record<string, string> },
): Promise<Child> => {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [...(options.probe ? ['--expose-gc', '--import', PROBE] : []), ...args(port)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, VITRINE_LOG_LEVEL: 'error', NODE_OPTIONS: '', ...options.env },
  });
  running.add(child);
  const ended = once(child, 'exit');
  ended.then(() => running.delete(child));
  await firstAnswer(`http://127.0.0.1:${port}${path}`, child);
  return {
    port,
    startMs: performance.now() - began,
    ask: async (question) => {
      child.send(question);
      // Skips other messages that the server sends to its parent.
      for await (const [answer] of on(child, 'message')) if ('rss' in answer) return answer as Facts;
      throw new Error('The process under test ended before it answered');
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const firstAnswer = async (url: string, child: ChildProcess): Promise<void> => {
  for (let tries = 0; tries < 20_000; tries++) {
    if (child.exitCode !== null) throw new Error(`The process under test ended with ${child.exitCode}`);
    try {
      const response = await fetch(url);
      await response.arrayBuffer();
      if (response.status === 200) return;
    } catch {
      // The child does not listen yet, so the loop tries again.
    }
    await new Promise((turn) => setTimeout(turn, 2));
  }
  throw new Error('The process under test did not answer');
};

/** Starts the server on this data folder. Without the probe (probe.mjs), it is exactly the product. */
export const startServer = (
  data: string,
  { probe = true, env = {} }: { probe?: boolean; env?: Record<string, string> } = {},
): Promise<Child> =>
  launch(
    (port) => [
      'dist/programs/server-main.js',
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
      '--data',
      data,
      '--no-discovery',
    ],
    '/api/health',
    { probe, env },
  );

/** Starts a minimal server of the same libraries (bare-server.ts). */
export const startBare = (kind: string, ...more: string[]): Promise<Child> =>
  launch((port) => [join(import.meta.dirname, 'bare-server.ts'), String(port), kind, ...more], '/', { probe: true });
