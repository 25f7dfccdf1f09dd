/** The stores of the bench: their data, and their requests to headquarters. */
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { encodeColumns, headOf, type SegmentPlay, segmentText } from '../../shared/chain/segment.ts';
import { type DownlinkLine, type HubOffer, sessionText } from '../../shared/chain/wire.ts';
import { until } from '../until.ts';

export const WAIT_MS = 60_000;
export const STORES = 5_000;
export const CONNECTED = 300;
export const SEGMENTS = 6;
export const SCREENS = 20;
export const PLAYS = 120;
export const DAYS = 30;
export const CONTENTS = 10;

export type Told = ReturnType<typeof DownlinkLine.parse>;

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
export const compress = promisify(zstdCompress);

export interface Store {
  readonly ref: string;
  readonly key: string;
  readonly sign: (text: string) => string;
  readonly agent: Agent;
  token: string;
  segments: Buffer[];
  readonly epoch: string;
}

export const newStore = (): Store => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    ref: randomUUID(),
    key: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('hex'),
    agent: new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false }),
    token: '',
    segments: [],
    epoch: randomBytes(16).toString('hex'),
  };
};

/**
 * Returns the plays of one minute: twenty screens show six items of ten seconds each. Every 32nd row of a journal is
 * signed.
 */
export const minuteOf = async (store: Store, minute: number, prev: string): Promise<string> => {
  const contents = Array.from({ length: 12 }, (_, i) => ({
    id: `0199cccc-0000-7000-8000-${String(i).padStart(12, '0')}`,
    name: `Offer of the week ${i}.jpg`,
  }));
  const start = Date.now() - 3_600_000 + minute * 60_000;
  const devices = Array.from({ length: SCREENS }, (_, i) => ({
    id: `${store.ref.slice(0, 24)}${String(i).padStart(12, '0')}`,
    name: `Screen ${i}`,
    key: sha256(store.ref + i),
  }));
  const plays = Array.from({ length: PLAYS }, (_, n): SegmentPlay => {
    const [turn, screen] = [Math.floor(n / SCREENS), n % SCREENS];
    const content = contents[(minute * 6 + turn + screen) % 12]!;
    const started_ms = start + turn * 10_000 + screen * 7;
    return {
      number: minute * PLAYS + n + 1,
      device_id: devices[screen]!.id,
      seq: minute * 6 + turn + 1,
      play_id: randomUUID(),
      item_id: 1,
      playlist_id: '0199aaaa-0000-7000-8000-000000000001',
      content_id: content.id,
      widget_id: null,
      zone_id: null,
      content_name: content.name,
      boot_id: 'boot',
      started_ms,
      ended_ms: started_ms + 10_000 - (n % 3),
      completed: true,
      uncertainty_ms: 0.4,
      claimed: null,
    };
  });
  const isSealed = Math.floor((minute * 6 + 6) / 32) > Math.floor((minute * 6) / 32);
  const seals = isSealed
    ? devices.map(({ id }) => ({ device_id: id, seq: minute * 6 + 6, signature: randomBytes(64).toString('hex') }))
    : [];
  const body = { devices: devices.map((d) => ({ ...d, key: isSealed ? d.key : null })), plays, marks: [], seals };
  const bytes = await compress(encodeColumns(body), { params: { [constants.ZSTD_c_compressionLevel]: 12 } });
  const head = headOf(sha256, prev, plays);
  const facts = {
    vitrine: 'segment',
    version: 1,
    store: store.ref,
    epoch: store.epoch,
    first: minute * PLAYS + 1,
    last: (minute + 1) * PLAYS,
    plays: PLAYS,
    prev_head: prev,
    head,
  } as const;
  const header = {
    ...facts,
    bytes: bytes.length,
    key: store.key,
    signature: store.sign(segmentText(facts, sha256(bytes))),
  };
  store.segments.push(Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes]));
  return head;
};

export const post = (port: number, store: Store, path: string, body: Buffer): Promise<{ status: number; body: any }> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `https://127.0.0.1:${port}/chain/${path}`,
      {
        agent: store.agent,
        method: 'POST',
        headers: { 'Content-Length': body.length, ...(store.token && { Authorization: `Bearer ${store.token}` }) },
      },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        reply.once('end', () => resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) }));
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });

export const ask = async (port: number, store: Store, path: string, body: object | Buffer) => {
  const answer = await post(port, store, path, Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/**
 * Signs a store in over HTTPS. Returns the addresses and the credential of the hub; undefined if headquarters has no
 * hub.
 */
export const signIn = async (port: number, store: Store, fingerprint: string): Promise<HubOffer | undefined> => {
  store.token = '';
  const { nonce } = await ask(port, store, 'challenge', { store: store.ref });
  const signature = store.sign(sessionText(store.ref, nonce, fingerprint));
  const { token, nats } = await ask(port, store, 'session', { store: store.ref, nonce, signature });
  store.token = token;
  return nats;
};

/** Receives messages of headquarters. Returns a function that stops it. */
export const listen = (port: number, store: Store, told: (line: Told) => void = ignore): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false, rejectUnauthorized: false });
    const headers = { Authorization: `Bearer ${store.token}`, 'Content-Length': 0 };
    const asked = request(`https://127.0.0.1:${port}/chain/listen`, { agent, method: 'POST', headers }, (reply) => {
      reply.on('error', ignore);
      // The line reader emits errors of its input a second time. Both are ignored.
      createInterface({ input: reply })
        .on('line', (line) => {
          if (line !== '') told(JSON.parse(line));
        })
        .on('error' as never, ignore);
      if (reply.statusCode === 200) resolve(() => asked.destroy());
      else reject(new Error(`listen answered ${reply.statusCode}`));
    });
    asked.on('error', reject);
    asked.end();
  });

/** Runs the tasks, at most `atOnce` at the same time. */
export const inTurns = async <T, R>(all: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  const left = [...all];
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) done.push(await work(one));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
};

/** Sends all plays of the stores. Returns plays per second. */
export const sendAll = async (port: number, stores: readonly Store[], fingerprint: string): Promise<number> => {
  // Waits for HTTPS, which is ready a moment after HTTP.
  const isThere = () =>
    signIn(port, stores[0]!, fingerprint).then(
      () => true,
      () => false,
    );
  await until('it takes stores', WAIT_MS, isThere);
  for (const store of stores) {
    await signIn(port, store, fingerprint);
    await ask(port, store, 'through', { epochs: [{ epoch: store.epoch, first: 1 }] });
  }
  const began = performance.now();
  await Promise.all(
    stores.map(async (store) => {
      for (const segment of store.segments) {
        const { verdict } = await ask(port, store, 'segment', segment);
        if (verdict !== 'taken') throw new Error(`a segment was ${verdict}`);
      }
    }),
  );
  return (stores.length * SEGMENTS * PLAYS) / ((performance.now() - began) / 1000);
};

export const ignore = (): void => {};

export const presence = (online: number) => ({
  version: '0.1.0',
  clock_ms: Date.now(),
  screens: { total: SCREENS, online, dark: SCREENS - online, behind: 0 },
  dark_names: online < SCREENS ? ['Screen 3'] : [],
  disk: { free_bytes: 100e9, total_bytes: 250e9 },
  waiting: 100,
  incidents: [],
});
