/**
 * The real server in a process of its own, to be killed: over HTTP and sockets like any other, on a data folder that
 * outlives it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const ROOT = join(import.meta.dirname, '..', '..');

export interface RunningServer {
  readonly origin: string;
  readonly child: ChildProcess;
  /** Everything it said so far, stdout and stderr. */
  said(): string;
  /** Without a word, as a power cut does it. */
  kill(): Promise<void>;
  /** In order. Returns its exit code. */
  stop(): Promise<number | null>;
}

/** It ended by itself before it was up. */
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

/** Starts a process that may be killed at any moment; `up` resolves with its origin, or rejects with NotStarted. */
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

export const startServer = async (data: string, more: Record<string, string> = {}): Promise<RunningServer> => {
  const { child, said, up } = launch(data, more);
  const origin = await up;
  return {
    origin,
    child,
    said,
    kill: async () => {
      child.kill('SIGKILL');
      await gone(child);
    },
    stop: async () => {
      child.kill('SIGTERM');
      await gone(child);
      return child.exitCode;
    },
  };
};

export interface Answer {
  readonly status: number;
  readonly body: any;
}

/** Status 0: there was no answer. */
export const ask = async (
  origin: string,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<Answer> => {
  try {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
  } catch {
    return { status: 0, body: undefined };
  }
};

export const formWith = (name: string, bytes: Buffer): FormData => {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
};

/** Runs `vitrine <args>` to its end. */
export const vitrine = async (
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> => {
  const child = spawn(process.execPath, ['server/cli/main.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: env(more),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
};
