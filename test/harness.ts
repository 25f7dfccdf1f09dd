/**
 * The real server in this process, on a free loopback port, with a temporary data folder. The test closes the server at
 * its end.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../server/app.ts';
import type { MachineClock } from '../server/kernel/time/clock.ts';
import { type Call, callAs, type Person, person } from './people.ts';

/** A clock that only moves when the test moves it. */
export class TestClock implements MachineClock {
  #now: number;
  /** Milliseconds by which the clock was set wrong; 0 while it is right. */
  #set = 0;
  constructor(start = Date.UTC(2026, 2, 10, 9, 0, 0)) {
    this.#now = start;
  }
  now(): number {
    return this.#now + this.#set;
  }
  mono(): number {
    return this.#now;
  }
  advance(ms: number): void {
    this.#now += ms;
  }
  /** Moves the test's time to `ms`. Programs see no jump of the clock. */
  set(ms: number): void {
    this.#now = ms - this.#set;
  }
  /** Sets the machine's clock forward or back by `ms` while programs run, as a person would. No time passes. */
  jump(ms: number): void {
    this.#set += ms;
  }
}

/** Milliseconds. The limit for an answer is shorter than the limit of the test, so that the error names the request. */
const PATIENCE_MS = 60_000;

/** The cheapest parameters of Argon2, since tests create hundreds of accounts. */
const CHEAP = { memoryCost: 1024, timeCost: 2, parallelism: 1 };

export interface Site {
  readonly origin: string;
  readonly data: string;
  readonly app: App;
  /** Sends a request with JSON or a form. `token` is sent as a Bearer token. */
  call(
    method: string,
    path: string,
    options?: { token?: string | undefined; body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Headers; body: any }>;
}

/**
 * The part of a test context that helpers need. `after` registers cleanup functions, which run in the order of
 * registration.
 */
export interface Ending {
  readonly after: (work: () => unknown) => void;
}

export const tempFolder = (t: Ending): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

/** Returns a loopback port that was free a moment ago, for programs that cannot choose a port themselves. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
};

/** Ports below the ephemeral range, so that only an explicit request can take the port meanwhile. */
const OWN_PORTS = { first: 20_000, count: 12_000 };

/**
 * Returns a free port that no program gets by chance. For a server that starts after other servers, which take any free
 * port.
 */
export const ownPort = async (): Promise<number> => {
  for (;;) {
    const server = createServer().listen(OWN_PORTS.first + Math.floor(Math.random() * OWN_PORTS.count), '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    const address = server.address() as { port: number } | null;
    server.close();
    if (isFree && address) return address.port;
  }
};

/** Returns a function that sends requests to a server at any origin. */
export const callerOf =
  (origin: string): Site['call'] =>
  async (method, path, { token, body, headers } = {}) => {
    const patience = new AbortController();
    setTimeout(
      () => patience.abort(new Error(`${method} ${path} was not answered within ${PATIENCE_MS / 1_000} s`)),
      PATIENCE_MS,
    ).unref();
    const response = await fetch(`${origin}${path}`, {
      method,
      redirect: 'manual',
      signal: patience.signal,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };

/**
 * The server is loaded when a test first starts one, because loading takes 0.7 s, and many tests use only other helpers
 * of this file.
 */
const loadServer = async () => ({
  ...(await import('../server/app.ts')),
  ...(await import('../server/config.ts')),
  ...(await import('../server/compose/headquarters.ts')),
});

export const startSite = async (
  t: Ending,
  options: { clock?: MachineClock; env?: Record<string, string>; data?: string; releaseKeys?: readonly string[] } = {},
): Promise<Site> => {
  const { App, configFrom, createHeadquarters } = await loadServer();
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'vitrine-'));
  const config = configFrom(
    { port: 0, host: '127.0.0.1', data, discovery: '0', log_level: 'warn', check_answers: '1' },
    // The tests act as many clients at one address, so the server trusts the addresses in their proxy headers.
    { VITRINE_TRUSTED_PROXIES: '127.0.0.1', ...options.env },
  );
  const app = new App({
    config,
    hashCost: CHEAP,
    ...(config.chain_role === 'hq' && { headquarters: createHeadquarters }),
    ...(options.clock && { clock: options.clock }),
    ...(options.releaseKeys && { releaseKeys: options.releaseKeys }),
  });
  t.after(async () => {
    await app.stop();
    // Deleted in the hook that stops the server: hooks run in the order of registration, and a running server would
    // miss its files.
    if (options.data === undefined) rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  });
  await app.start();
  const origin = `http://127.0.0.1:${app.port}`;
  return {
    origin,
    data,
    app,
    call: callerOf(origin),
  };
};

/** Starts a server with its first user, who is the platform's administrator and has a workspace. */
export const ownedSite = async (
  t: Ending,
  options?: Parameters<typeof startSite>[1],
): Promise<{ site: Site; owner: Person; token: string; call: Call }> => {
  const site = await startSite(t, options);
  const owner = await person(site, 'owner@store.test');
  return { site, owner, token: owner.token, call: callAs(site, owner.token) };
};

/** Registers the first user of a new server: the platform's administrator, with a Default workspace. */
export const firstUser = async (site: Site, email = 'owner@store.test') => {
  const { status, body } = await site.call('POST', '/api/auth/register', {
    body: { email, password: 'correct horse', name: 'Owner' },
  });
  if (status !== 201) throw new Error(`register answered ${status}: ${JSON.stringify(body)}`);
  return body as { token: string; user: { id: string }; current_workspace_id: string };
};
