/** A player without a screen: the player protocol over a real socket, for tests and benchmarks of the server. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { type Play, SUBPROTOCOL } from '../shared/protocol/messages.ts';
import type { Site, TestClock } from './harness.ts';

export interface Said {
  readonly type: string;
  readonly [member: string]: any;
}

export const DEVICE = {
  name: 'Till',
  platform: 'linux',
  version: '1.0.0',
  capabilities: ['screen'],
  screen: { width: 1920, height: 1080 },
};

/** Limit in milliseconds for the arrival of a message. */
const PATIENCE_MS = 5_000;

export class PlayerClient {
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly opened: Promise<void>;
  readonly #said: Said[] = [];
  readonly #waiting: { match: (said: Said) => boolean; take: (said: Said) => void }[] = [];

  constructor(origin: string, options: { headers?: Record<string, string>; subprotocol?: string | null } = {}) {
    const protocols = options.subprotocol === null ? [] : [options.subprotocol ?? SUBPROTOCOL];
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/api/player`, protocols, {
      headers: options.headers ?? {},
    });
    this.opened = new Promise((done, failed) => {
      this.socket.on('open', () => done());
      this.socket.on('error', failed);
    });
    this.opened.catch(() => {});
    this.closed = new Promise((done) =>
      this.socket.on('close', (code, reason) => done({ code, reason: reason.toString() })),
    );
    this.socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString()) as Said));
  }

  say(message: object | string | Buffer): void {
    this.socket.send(typeof message === 'object' && !Buffer.isBuffer(message) ? JSON.stringify(message) : message);
  }

  /**
   * Returns the next message of a type (or of any type), including messages that have arrived already. Each message is
   * returned once.
   */
  next(type: string | ((said: Said) => boolean)): Promise<Said> {
    const match = typeof type === 'string' ? (said: Said) => said.type === type : type;
    const here = this.#said.findIndex(match);
    if (here >= 0) return Promise.resolve(this.#said.splice(here, 1)[0]!);
    return new Promise((done, failed) => {
      const timer = setTimeout(
        () => failed(new Error(`no ${type} came; there is ${this.#said.map((s) => s.type).join(', ') || 'nothing'}`)),
        PATIENCE_MS,
      );
      const waiting = {
        match,
        take: (said: Said) => {
          clearTimeout(timer);
          done(said);
        },
      };
      this.#waiting.push(waiting);
    });
  }

  /** Messages that arrived and were not returned yet. */
  get heard(): readonly Said[] {
    return this.#said;
  }

  #hear(said: Said): void {
    const waiting = this.#waiting.findIndex((one) => one.match(said));
    if (waiting >= 0) this.#waiting.splice(waiting, 1)[0]!.take(said);
    else this.#said.push(said);
  }
}

/** @param from the player's address; by default the server's own computer */
export const connectPlayer = async (
  t: TestContext,
  site: Pick<Site, 'origin'>,
  from?: string,
): Promise<PlayerClient> => {
  const player = new PlayerClient(site.origin, from === undefined ? {} : { headers: { 'X-Forwarded-For': from } });
  t.after(() => player.socket.terminate());
  await player.opened;
  return player;
};

export interface PairedPlayer {
  readonly client: PlayerClient;
  readonly deviceId: string;
  readonly secret: string;
  /** Token of the player's HTTP requests. */
  readonly credential: string;
  /** Id of the first program that the server announced. */
  readonly programId: string;
}

export const hashOf = (secret: string): string => createHash('sha256').update(Buffer.from(secret, 'hex')).digest('hex');

/** Creates a player and claims it by its code. The messages paired, welcome and program have been read already. */
export const pairPlayer = async (
  t: TestContext,
  site: Site,
  token: string,
  name = 'Till',
  device: Partial<typeof DEVICE> = {},
): Promise<PairedPlayer> => {
  const client = await connectPlayer(t, site);
  const secret = randomBytes(32).toString('hex');
  client.say({ type: 'hello', protocol: 1, secret_hash: hashOf(secret), device: { ...DEVICE, ...device } });
  const { code } = await client.next('pairing');
  const { status, body } = await site.call('POST', '/api/devices/pair', { token, body: { code, name } });
  if (status !== 201) throw new Error(`pair answered ${status}: ${JSON.stringify(body)}`);
  await client.next('welcome');
  const { id: programId } = (await client.next('program')) as unknown as { id: string };
  await client.next('paired');
  return { client, deviceId: body.id, secret, credential: `${body.id}.${secret}`, programId };
};

/** Connects the same player again. The messages welcome and program have been read already. */
export const reconnect = async (
  t: TestContext,
  site: Pick<Site, 'origin'>,
  { deviceId, secret }: Pick<PairedPlayer, 'deviceId' | 'secret'>,
  from?: string,
): Promise<PlayerClient> => {
  const client = await connectPlayer(t, site, from);
  client.say({ type: 'hello', protocol: 1, device_id: deviceId, secret, device: DEVICE });
  await client.next('welcome');
  await client.next('program');
  return client;
};

/** A play as a player reports it; by default ten seconds that end now. */
export const playOf = (more: Partial<Play> = {}): Play => ({
  id: randomUUID(),
  item_id: null,
  playlist_id: null,
  content_id: null,
  widget_id: null,
  zone_id: null,
  content_name: 'a',
  started_at: Date.now() - 10_000,
  ended_at: Date.now(),
  completed: true,
  ...more,
});

/**
 * Advances the server's time in steps until `until` has happened, because the server may set a timer only after a
 * message.
 */
export const passing = async (clock: TestClock, ms: number, until: Promise<unknown>): Promise<void> => {
  let happened = false;
  const mark = () => {
    happened = true;
  };
  until.then(mark, mark);
  // Waits 60 ms at each step, so that the sockets can work. Twenty steps are five times the longest wait.
  for (let step = 0; step < 20 && !happened; step++) {
    await new Promise((next) => setTimeout(next, 60));
    if (!happened) clock.advance(ms);
  }
};
