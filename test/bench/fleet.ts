/** `node fleet.ts`: many players in a separate process, controlled over IPC (fleet-driver.ts). */
import { hash, randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { percentile } from './load.ts';
import { deviceId, secretOf } from './seed.ts';

export interface FleetOrder {
  readonly do: 'connect' | 'request' | 'traffic' | 'deliver' | 'leave';
  readonly url?: string;
  readonly first?: number;
  readonly count?: number;
  /** True: connections are plain sockets that do not authenticate. */
  readonly bare?: boolean;
  readonly request?: { readonly url: string; readonly token: string; readonly method: string; readonly body?: string };
  /**
   * Type of the message that each player waits for after the request. With `ready`, a player waits until it has the
   * announced program, with checked hash and all files, and has reported this.
   */
  readonly until?: string;
  readonly ms?: number;
  readonly plays?: number;
}

export interface FleetReport {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly ms: number;
  /** Milliseconds until the server answered the request. */
  readonly answeredMs?: number;
}

const sockets: WebSocket[] = [];
const device = {
  platform: 'Linux',
  version: '1.0.0',
  capabilities: ['screen', 'reboot', 'screenshot'],
  screen: { width: 1920, height: 1080 },
};
const telemetry = () => ({
  local_ip: '192.168.1.20',
  storage_free_mb: 20_000 + Math.floor(Math.random() * 500),
  ram_free_mb: 1800,
  cpu_usage: Math.round(Math.random() * 100),
  uptime_seconds: Math.floor(performance.now() / 1000),
});

/**
 * Functions that get the type of each incoming message, and `ready`. Only the type is read from a message, because
 * parsing all of it would cost time.
 */
const listeners = new Set<(socket: WebSocket, type: string) => void>();
const TYPE = /"type":"([^"]+)"/;

interface Holding {
  readonly credential: string;
  readonly origin: string;
  readonly agent: Agent;
  readonly assets: Set<string>;
  program: string | undefined;
  /** A program message that arrived before the announcement of this program. */
  ahead: string | undefined;
}
const holdings = new WeakMap<WebSocket, Holding>();

/**
 * Result of the last check by its message, so that each program is checked once for all players. Real players check on
 * their own processors; here all players share one machine.
 */
const checked = new Map<string, { readonly id: string; readonly assets: readonly string[] }>();
const check = (came: string, programOf: (came: string) => string) => {
  let known = checked.get(came);
  if (known) return known;
  const text = programOf(came);
  const { assets } = JSON.parse(text) as { assets: { sha256: string }[] };
  known = { id: hash('sha256', text), assets: assets.map(({ sha256 }) => sha256) };
  checked.clear();
  checked.set(came, known);
  return known;
};
const bodyOf = (message: string): string => (JSON.parse(message) as { body: string }).body;

const fetched = (holding: Holding, path: string): Promise<string> =>
  new Promise((done, fail) => {
    const headers = { Authorization: `Bearer ${holding.credential}` };
    get(`${holding.origin}${path}`, { agent: holding.agent, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        if (answer.statusCode === 200) done(Buffer.concat(parts).toString());
        else fail(new Error(`${path} answered ${answer.statusCode}`));
      });
    }).on('error', fail);
  });

/** Fetches missing files like a player, beginning with the files of the first announced program. */
const take = async (socket: WebSocket, text: string): Promise<void> => {
  const { id, url, placement_id } = JSON.parse(text) as { id: string; url: string; placement_id: string };
  const holding = holdings.get(socket)!;
  const isFirst = holding.program === undefined;
  if (holding.program !== id) {
    const found = holding.ahead?.includes(id)
      ? check(holding.ahead, bodyOf)
      : check(await fetched(holding, url), (text) => text);
    if (found.id !== id) throw new Error('the program does not match its hash');
    if (!isFirst)
      for (const asset of found.assets)
        if (!holding.assets.has(asset)) await fetched(holding, `/api/player/assets/${asset}`);
    for (const asset of found.assets) holding.assets.add(asset);
    holding.program = id;
  }
  holding.ahead = undefined;
  socket.send(JSON.stringify({ type: 'program.ready', id, placement_id }));
  for (const listener of listeners) listener(socket, 'ready');
};

const connectOne = (url: string, n: number, bare: boolean): Promise<void> =>
  new Promise((done, fail) => {
    const socket = new WebSocket(url, bare ? [] : ['vitrine.v1'], { perMessageDeflate: false });
    sockets.push(socket);
    socket.on('error', fail);
    socket.on('open', () => {
      if (bare) return done();
      holdings.set(socket, {
        credential: `${deviceId(n)}.${secretOf(n)}`,
        origin: new URL(url).origin.replace('ws', 'http'),
        agent: new Agent({ keepAlive: true, maxSockets: 1 }),
        assets: new Set(),
        program: undefined,
        ahead: undefined,
      });
      const takes = ['program.body'];
      socket.send(
        JSON.stringify({ type: 'hello', protocol: 1, device_id: deviceId(n), secret: secretOf(n), device, takes }),
      );
    });
    socket.on('close', (code, reason) => fail(new Error(`closed with ${code} ${reason.toString()}`)));
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      const type = TYPE.exec(text.slice(0, 200))?.[1] ?? TYPE.exec(text)?.[1] ?? '';
      if (type === 'program.body') holdings.get(socket)!.ahead = text;
      if (type === 'program' && !bare) take(socket, text).then(done, fail);
      if (type === 'command')
        socket.send(
          JSON.stringify({ type: 'command.result', id: (JSON.parse(text) as { id: string }).id, status: 'done' }),
        );
      for (const listener of listeners) listener(socket, type);
    });
  });

/** Connects players, at most 32 at the same time: the row measures the cost of a connection, not of a flood. */
const connect = async ({ url, first = 0, count = 1, bare = false }: FleetOrder): Promise<FleetReport> => {
  const at = performance.now();
  let next = first;
  const worker = async () => {
    while (next < first + count) await connectOne(url!, next++, bare);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return { count, p50Ms: Number.NaN, p99Ms: Number.NaN, ms: performance.now() - at };
};

/** Sends the request, and measures the milliseconds until each player has received its message. */
const requestAndWait = async ({ request, until, count = sockets.length }: FleetOrder): Promise<FleetReport> => {
  const arrived: number[] = [];
  const seen = new Set<WebSocket>();
  let done = () => {};
  const all = new Promise<void>((resolve) => (done = resolve));
  const at = performance.now();
  const listener = (socket: WebSocket, type: string) => {
    if (type !== until || seen.has(socket)) return;
    seen.add(socket);
    arrived.push(performance.now() - at);
    if (seen.size >= count) done();
  };
  listeners.add(listener);
  const { url, token, method, body } = request!;
  const answered = fetch(url, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body }),
  });
  const answer = await answered;
  const answeredMs = performance.now() - at;
  await Promise.race([all, later(10_000)]);
  listeners.delete(listener);
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  arrived.sort((a, b) => a - b);
  return {
    count: arrived.length,
    p50Ms: percentile(arrived, 50),
    p99Ms: percentile(arrived, 99),
    ms: performance.now() - at,
    answeredMs,
  };
};

const BOOT = randomUUID();
const playsOf = (count: number) => {
  const now = Date.now();
  return Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    item_id: 1,
    playlist_id: 'p',
    content_id: `content-${n % 50}`,
    widget_id: null,
    zone_id: null,
    content_name: `Autumn offer ${n % 50}.jpg`,
    started_at: now - (count - n) * 10_000,
    ended_at: now - (count - n - 1) * 10_000,
    completed: true,
    boot_id: BOOT,
    uncertainty_ms: 0.3,
  }));
};
const journals = new Map<WebSocket, number>();
const sayPlays = (socket: WebSocket, count: number): void => {
  const first = journals.get(socket) ?? 1;
  journals.set(socket, first + count);
  socket.send(JSON.stringify({ type: 'plays', first, plays: playsOf(count) }));
};

/**
 * Simulates traffic: each player sends a heartbeat with telemetry every 15 s and a play every 10 s, spread evenly.
 */
const traffic = async ({ ms = 10_000, bare = false }: FleetOrder): Promise<FleetReport> => {
  const at = performance.now();
  const perStep = sockets.length / 1500;
  let due = 0;
  let next = 0;
  let said = 0;
  while (performance.now() - at < ms) {
    due = ((performance.now() - at) / 10) * perStep;
    for (; said < due; said++) {
      const socket = sockets[next++ % sockets.length]!;
      socket.send(
        JSON.stringify({
          type: 'heartbeat',
          telemetry: telemetry(),
          showing: [{ zone_id: null, item_id: 1, content_id: 'c', widget_id: null, since: Date.now() }],
        }),
      );
      if (bare) socket.send('{"type":"plays"}');
      else sayPlays(socket, said % 2 === 0 ? 2 : 1);
    }
    await later(10);
  }
  return { count: said, p50Ms: Number.NaN, p99Ms: Number.NaN, ms: performance.now() - at };
};

/**
 * Sends the plays of days without a connection: each player sends `plays` plays in messages of 250, and waits for the
 * acknowledgement of each message.
 */
const deliver = async ({ plays = 1000 }: FleetOrder): Promise<FleetReport> => {
  const at = performance.now();
  const waits: number[] = [];
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((done) => {
          let left = plays;
          let sentAt = 0;
          const say = () => {
            sentAt = performance.now();
            sayPlays(socket, Math.min(250, left));
            left -= Math.min(250, left);
          };
          const listener = (who: WebSocket, type: string) => {
            if (who !== socket || type !== 'plays.ack') return;
            waits.push(performance.now() - sentAt);
            if (left > 0) return say();
            listeners.delete(listener);
            done();
          };
          listeners.add(listener);
          say();
        }),
    ),
  );
  waits.sort((a, b) => a - b);
  return {
    count: sockets.length * plays,
    p50Ms: percentile(waits, 50),
    p99Ms: percentile(waits, 99),
    ms: performance.now() - at,
  };
};

const leave = async (): Promise<FleetReport> => {
  for (const socket of sockets.splice(0)) socket.terminate();
  return { count: 0, p50Ms: Number.NaN, p99Ms: Number.NaN, ms: 0 };
};

const orders = { connect, request: requestAndWait, traffic, deliver, leave };

process.on('message', (order: FleetOrder) => {
  orders[order.do](order).then(
    (report) => process.send!({ report }),
    (error: Error) => process.send!({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
