/**
 * Headquarters: 5,000 stores that it knows, of which some hundred have a connection of their own and send what a minute
 * of twenty screens makes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { movePlays } from '../../server/compose/move-plays.ts';
import { openDatabase } from '../../server/db/open.ts';
import { CampaignsStore } from '../../server/features/chain/campaigns.store.ts';
import { ChainStore } from '../../server/features/chain/chain.store.ts';
import { DesiredState } from '../../server/features/chain/desired-state.ts';
import { Incidents } from '../../server/features/chain/incidents.ts';
import { NatsLine } from '../../server/features/chain/nats-line.ts';
import { addWorkspace } from '../../server/features/reports/testing/plays.ts';
import { summed } from '../../server/headquarters/summed.ts';
import { openPg } from '../../server/headquarters/testing/pg.ts';
import { readSegment } from '../../server/headquarters/writer.ts';
import { loadIdentity } from '../../server/identity.ts';
import { Bus } from '../../server/kernel/bus.ts';
import { encodeColumns, firstHead, headOf, type SegmentPlay, segmentText } from '../../shared/chain/segment.ts';
import { type HubOffer, sessionText, type ToldLine } from '../../shared/chain/wire.ts';
import { zoneOf } from '../../shared/program/zones.ts';
import { noPostgres, Postgres } from '../chain/postgres.ts';
import { type Ending, freePort } from '../harness.ts';
import { until } from '../until.ts';
import { startServer } from './child.ts';
import type { Group } from './row.ts';

const HUB = ['/usr/sbin/nats-server', 'nats-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const WAIT_MS = 60_000;
const STORES = 5_000;
const CONNECTED = 300;
const SEGMENTS = 6;
const SCREENS = 20;
const PLAYS = 120;
const DAYS = 30;
const CONTENTS = 10;
const EMAIL = { email: 'owner@store.test', password: 'correct horse' };

type Told = ReturnType<typeof ToldLine.parse>;

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const compress = promisify(zstdCompress);

interface Store {
  readonly ref: string;
  readonly key: string;
  readonly sign: (text: string) => string;
  readonly agent: Agent;
  token: string;
  segments: Buffer[];
  readonly epoch: string;
}

const newStore = (): Store => {
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

/** Six turns of each of twenty screens, as a minute of ten-second items makes them; every 32nd row of a journal signed. */
const minuteOf = async (store: Store, minute: number, prev: string): Promise<string> => {
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

/** Stores that are enrolled, and a month of sums of all of them. */
const seed = (data: string, stores: readonly Store[], workspaceId: string): void => {
  const db = openDatabase(join(data, 'vitrine.db'));
  const { raw } = db;
  const today = Math.floor(Date.now() / 86_400_000);
  raw.transaction(() => {
    const store = raw.prepare(
      'INSERT INTO hq_stores (ref, workspace_id, name, region, tags, key, enrolled_at, created_at) VALUES (?, ?, ?, ?, ?, ?, 1, 1)',
    );
    const subject = raw.prepare(
      "INSERT INTO hq_subjects (store, kind, ref, name, named_ms) VALUES (?, 'content', ?, ?, 0)",
    );
    const sum = raw.prepare(
      'INSERT INTO hq_sums (scope, day, store, device, shown, plays, ms) VALUES (0, ?, ?, 0, ?, 500, 5000000)',
    );
    for (const [i, { ref, key }] of stores.entries()) {
      const id = store.run(
        ref,
        workspaceId,
        `Store ${String(i).padStart(4, '0')}`,
        `Region ${i % 12}`,
        '["mall"]',
        key,
      ).lastInsertRowid;
      const shown = Array.from(
        { length: CONTENTS },
        (_, n) => subject.run(id, `old ${n}`, `Campaign ${n}`).lastInsertRowid,
      );
      for (let day = today - DAYS + 1; day <= today; day++) for (const one of shown) sum.run(day, id, one);
    }
  })();
  db.close();
};

const post = (port: number, store: Store, path: string, body: Buffer): Promise<{ status: number; body: any }> =>
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

const ask = async (port: number, store: Store, path: string, body: object | Buffer) => {
  const answer = await post(port, store, path, Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** Returns what headquarters offers besides HTTPS. */
const signIn = async (port: number, store: Store, fingerprint: string): Promise<HubOffer | undefined> => {
  store.token = '';
  const { nonce } = await ask(port, store, 'challenge', { store: store.ref });
  const signature = store.sign(sessionText(store.ref, nonce, fingerprint));
  const { token, nats } = await ask(port, store, 'session', { store: store.ref, nonce, signature });
  store.token = token;
  return nats;
};

/** Hears what headquarters asks. Returns what ends it. */
const listen = (port: number, store: Store, told: (line: Told) => void = ignore): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false, rejectUnauthorized: false });
    const headers = { Authorization: `Bearer ${store.token}`, 'Content-Length': 0 };
    const asked = request(`https://127.0.0.1:${port}/chain/listen`, { agent, method: 'POST', headers }, (reply) => {
      reply.on('error', ignore);
      // It passes on what ends its input.
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

/** So many at once. */
const inTurns = async <T, R>(all: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  const left = [...all];
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) done.push(await work(one));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
};

/** The same stores by NATS: the hub, and headquarters beside it. */
const byNats = async ({
  data,
  stores,
  fingerprint,
  report,
}: {
  readonly data: string;
  readonly stores: readonly Store[];
  readonly fingerprint: string;
  readonly report: Parameters<Group['run']>[0]['report'];
}): Promise<void> => {
  if (HUB === undefined) return;
  const hubPort = await freePort();
  const hq = await startServer(data, { env: { VITRINE_CHAIN_ROLE: 'hq', VITRINE_NATS: `tls://127.0.0.1:${hubPort}` } });
  const file = join(data, 'nats', 'nats.conf');
  await until('what the hub is started with is written', WAIT_MS, () => existsSync(file));
  const startHub = () => spawn(HUB, ['-c', file], { stdio: 'ignore' });
  let hub = startHub();
  const lines: NatsLine[] = [];
  const offers = new Map<Store, Awaited<ReturnType<typeof signIn>>>();
  /** In seconds. */
  const allCome = async (): Promise<number> => {
    const cameAt = performance.now();
    await inTurns(stores, 100, async (store) => {
      const offer =
        offers.get(store) ??
        (await until('the hub is offered', WAIT_MS, async () => signIn(hq.port + 1, store, fingerprint)));
      offers.set(store, offer);
      // What is signed in goes on by the hub alone.
      store.agent.destroy();
      const whose = { store: store.ref, key: store.key };
      const open = () =>
        NatsLine.open({ offer: offer!, host: '127.0.0.1', whose, sign: store.sign }).catch(() => undefined);
      const line = await until('the hub lets it in', WAIT_MS, open);
      lines.push(line);
      // Headquarters may still be on its way to the hub.
      const tell = () => line.ask('presence', presence(20)).catch(() => undefined);
      await until('headquarters answers', WAIT_MS, tell);
      const ear = line.listen(ignore, ignore);
      ear.catch(() => {});
    });
    return (performance.now() - cameAt) / 1000;
  };
  try {
    const first = await allCome();
    const cpuOf = () => cpuMsOf(hub.pid!);
    const [before, hubBefore] = [await hq.ask('facts'), cpuOf()];
    await inTurns(lines, 100, (line) => line.ask('presence', presence(19)));
    const [after, hubAfter] = [await hq.ask('facts'), cpuOf()];
    report('natsCpu', {
      value: (after.cpuMs - before.cpuMs) / 300,
      note: `and the hub ${((hubAfter - hubBefore) / 300).toFixed(1)} %; sent as fast as they are answered, counted over 30 s`,
    });
    report('natsRss', { value: rssMbOf(hub.pid!), note: `headquarters beside it: ${(after.rss / 1e6).toFixed(0)} MB` });
    const ended = once(hub, 'exit');
    hub.kill('SIGKILL');
    await ended;
    await Promise.all(lines.splice(0).map((line) => line.ended));
    hub = startHub();
    report('natsBack', {
      value: await allCome(),
      note: `with what they were offered before; the first time ${first.toFixed(0)} s, each signing in by HTTPS`,
    });
  } finally {
    for (const line of lines) line.close();
    hub.kill('SIGKILL');
    await hq.stop();
  }
};

/** The same with its plays in PostgreSQL: what was taken is moved there, and other stores send. */
const byPostgres = async ({
  data,
  stores,
  fingerprint,
  token,
  report,
}: {
  readonly data: string;
  readonly stores: readonly Store[];
  readonly fingerprint: string;
  readonly token: string;
  readonly report: Parameters<Group['run']>[0]['report'];
}): Promise<void> => {
  if (noPostgres) return;
  const endings: (() => unknown)[] = [];
  const t: Ending = { after: (work) => endings.push(work) };
  try {
    const postgres = await Postgres.open(t);
    const url = await postgres.database();
    const movedAt = performance.now();
    await movePlays({ data, url, say: () => {} });
    report('pgMove', {
      value: (performance.now() - movedAt) / 1000,
      note: `${(STORES * DAYS * CONTENTS).toLocaleString('en')} sums, and what ${CONNECTED} stores had sent`,
    });
    for (const store of stores) {
      let head = firstHead(sha256, store.epoch);
      for (let minute = 0; minute < SEGMENTS; minute++) head = await minuteOf(store, minute, head);
    }
    const hq = await startServer(data, { env: { VITRINE_CHAIN_ROLE: 'hq', VITRINE_POSTGRES: url } });
    try {
      const asked = async (path: string) => {
        const reply = await fetch(`http://127.0.0.1:${hq.port}${path}`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
        await reply.arrayBuffer();
      };
      await asked('/api/stores/plays/totals');
      const monthAt = performance.now();
      await Promise.all([asked('/api/stores/plays/sums?by=content'), asked('/api/stores/plays/totals')]);
      report('pgMonth', { value: performance.now() - monthAt });
      const rate = await sendAll(hq.port + 1, stores, fingerprint);
      const bareUrl = await postgres.database();
      report('pgWrite', {
        value: rate,
        bare: await bareTakes(t, bareUrl, stores),
        note: 'bare: the same statements of one process, nothing checked, no TLS',
      });
    } finally {
      for (const { agent } of stores) agent.destroy();
      await hq.stop();
    }
  } finally {
    for (const end of endings) await end();
  }
};

/** All that the stores have. Returns plays a second. */
const sendAll = async (port: number, stores: readonly Store[], fingerprint: string): Promise<number> => {
  // It speaks HTTPS a moment after HTTP.
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

/** What the segments come to, handed to the database alone. */
const bareTakes = async (t: Ending, url: string, stores: readonly Store[]): Promise<number> => {
  const { warehouse, line } = openPg(t, url);
  const all = await Promise.all(
    stores.map(async (store, id) => {
      await warehouse.begin({ id, ref: store.ref }, { epoch: store.epoch, first: 1 }, '');
      const read = await Promise.all(store.segments.map(readSegment));
      return { whose: { id, ref: store.ref }, read };
    }),
  );
  const began = performance.now();
  await Promise.all(
    all.map(async ({ whose, read }) => {
      for (const { header, body } of read)
        await warehouse.take(whose, {
          segment: {
            ...{ epoch: header.epoch, first: header.first, last: header.last, fresh: header.first, dropped: null },
            ...{ plays: PLAYS, from_ms: body.plays[0]!.started_ms, to_ms: body.plays.at(-1)!.started_ms },
            ...{ pack: `${whose.ref}/x`, offset: header.first, bytes: 1 },
          },
          marks: [],
          overlaps: [],
          ...summed(body.plays, body.devices, { zone: zoneOf('UTC'), campaign: () => undefined }),
          cursor: { epoch: header.epoch, through: header.last, head: header.head },
          before: header.first - 1,
        });
    }),
  );
  const rate = (stores.length * SEGMENTS * PLAYS) / ((performance.now() - began) / 1000);
  await line.stop();
  return rate;
};

const ignore = (): void => {};

/** What a store does with what headquarters wants: the code that it runs, of all of them over one database. */
const desiredStates = (folder: string, stores: readonly Store[], key: string) => {
  const db = openDatabase(join(folder, 'stores.db'));
  const links = new ChainStore(db);
  const parts = { db, bus: new Bus(ignore), clock: { now: Date.now }, activity: { add: ignore } };
  const link = { name: 'S', address: 'https://hq.test:1', headquarters: 'HQ', certificate: '', key, may: null };
  const sticks = { seal_key: null, stick_in: 0, stick_out: 0 };
  db.write(() => {
    for (const { ref } of stores) {
      addWorkspace(db, ref);
      links.insert({
        ...link,
        ...sticks,
        workspace_id: ref,
        store: ref,
        lets_update: 0,
        enrolled_at: 1,
        enrolled_by: 'O',
      });
    }
  });
  const shared = { ...parts, store: new CampaignsStore(db), incidents: new Incidents({ ...parts, store: links }) };
  const of = new Map(
    stores.map(({ ref }) => [
      ref,
      new DesiredState({ ...shared, workspaceId: ref, storeRef: ref, key, timezone: () => 'UTC' }),
    ]),
  );
  return { of, db };
};

/** Campaigns and how far they are, of all stores while they listen. */
const wishRows = async ({
  hq,
  stores,
  hear,
  folder,
  key,
  token,
  report,
}: {
  readonly hq: Awaited<ReturnType<typeof startServer>>;
  readonly stores: readonly Store[];
  /** Has whatever a store is told from now on come here. */
  readonly hear: (told: (store: Store, line: Told) => void) => void;
  readonly folder: string;
  /** Headquarters'. */
  readonly key: string;
  readonly token: string;
  readonly report: Parameters<Group['run']>[0]['report'];
}): Promise<void> => {
  const port = hq.port + 1;
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`http://127.0.0.1:${hq.port}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const { id: widget_id } = await call('POST', '/widgets', { widget_type: 'clock', name: 'Clock', config: {} });
  const { id: playlist_id } = await call('POST', '/playlists', { name: 'Advent' });
  await call('POST', `/playlists/${playlist_id}/items`, { widget_id, duration_sec: 10 });
  await call('POST', `/playlists/${playlist_id}/publish`);
  const day = (offset: number) => `${new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)}T09:00`;
  const { id } = await call('POST', '/campaigns', {
    ...{ name: 'Advent', note: '', rank: 'must', playlist_id, layout_id: null, whole_screen: false, begins: 'whole' },
    ...{ start_time: day(1), end_time: day(20), recurrence: null, recurrence_end: null, screen_tags: [], slots: [] },
    where: { regions: [], tags: [], store_ids: [] },
  });
  const answer = (store: Store, line: Told, said: object) =>
    void ask(port, store, 'answer', { id: line.id, answer: said }).catch(ignore);

  const { of, db } = desiredStates(folder, stores, key);
  try {
    await db.durable();
    const arrived = new Map<Store, { at: number; said: never }>();
    hear((store, line) => {
      if (line.verb !== 'desired') return;
      arrived.set(store, { at: performance.now(), said: line.said as never });
      answer(store, line, {});
    });
    const startedAt = performance.now();
    await call('POST', `/campaigns/${id}/start`);
    const saidAt = performance.now() - startedAt;
    await until('every store is told', WAIT_MS, () => arrived.size === STORES, 20);
    // Each has a computer of its own: what one does is not waited for by another.
    const all: number[] = [];
    for (const [store, { at, said }] of arrived) {
      const began = performance.now();
      if (!of.get(store.ref)!.take(said)) throw new Error('a store did not take what it was told');
      await db.durable();
      all.push(at - startedAt + performance.now() - began);
    }
    all.sort((a, b) => a - b);
    report('wishTold', {
      value: all[Math.floor(all.length * 0.99)]! / 1000,
      note: `median ${(all[all.length >> 1]! / 1000).toFixed(2)} s; who started it was answered after ${saidAt.toFixed(0)} ms; both ends on this machine`,
    });
  } finally {
    db.close();
  }
  hear(ignore);

  const phases = ['fetching', 'armed', 'on_screens', 'refused'] as const;
  const readiness = (i: number) => ({
    ...{
      id,
      edition: 1,
      phase: phases[i % phases.length],
      applied: null,
      bytes_left: (i % 7) * 1_000_000,
      rate: 90_000,
    },
    ...{ screens: SCREENS, ready: i % SCREENS, why: '' },
  });
  const numbered = stores.map((store, i) => ({ store, i }));
  await inTurns(numbered, 200, ({ store, i }) =>
    ask(port, store, 'presence', { ...presence(20), desired_rev: 0, campaigns: [readiness(i)] }),
  );
  const heardAt = performance.now();
  const counted = async () => {
    const { phases: found } = await call('GET', `/campaigns/${id}`);
    return found.unheard === 0 && found.told === 0;
  };
  await until('all are counted', WAIT_MS, counted, 100);
  const countedAt = performance.now() - heardAt;
  const lookedAt = performance.now();
  await Promise.all([call('GET', `/campaigns/${id}/stores?limit=100`), call('GET', `/campaigns/${id}`)]);
  report('wishReady', {
    value: performance.now() - lookedAt,
    note: `counted ${(countedAt / 1000).toFixed(1)} s after the last of ${STORES.toLocaleString('en')} had told`,
  });
};

/** Of another process, on Linux. Milliseconds, of ticks of a hundredth of a second. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
const rssMbOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;

const presence = (online: number) => ({
  version: '0.1.0',
  clock_ms: Date.now(),
  screens: { total: SCREENS, online, dark: SCREENS - online, behind: 0 },
  dark_names: online < SCREENS ? ['Screen 3'] : [],
  disk: { free_bytes: 100e9, total_bytes: 250e9 },
  waiting: 100,
  incidents: [],
});

/** The same rows without headquarters: one transaction a segment, its bytes beside, nothing checked. */
const bareWrites = (folder: string, segments: number): number => {
  const raw = new BetterSqlite3(join(folder, 'bare.db'));
  raw.pragma('journal_mode = WAL');
  raw.pragma('synchronous = FULL');
  raw.exec(
    'CREATE TABLE segments (id INTEGER PRIMARY KEY, body BLOB); CREATE TABLE sums (scope, day, store, device, shown, plays, ms, PRIMARY KEY (scope, day, store, device, shown)) WITHOUT ROWID',
  );
  const segment = raw.prepare('INSERT INTO segments (body) VALUES (?)');
  const sum = raw.prepare(
    'INSERT INTO sums VALUES (?, 1, ?, ?, ?, 1, 10000) ON CONFLICT DO UPDATE SET plays = plays + 1, ms = ms + excluded.ms',
  );
  const body = randomBytes(4_000);
  const began = performance.now();
  for (let n = 0; n < segments; n++)
    raw.transaction(() => {
      segment.run(body);
      const store = n % CONNECTED;
      for (let device = 0; device < SCREENS; device++)
        for (let turn = 0; turn < 6; turn++) sum.run(1, store, device, (device + turn) % 12);
      for (let shown = 0; shown < 12; shown++) sum.run(0, store, 0, shown);
    })();
  const seconds = (performance.now() - began) / 1000;
  raw.close();
  return (segments * PLAYS) / seconds;
};

export const chainRows: Group = {
  rows: [
    {
      key: 'chainBytes',
      what: 'a play on the wire, in a minute of 20 screens',
      unit: 'bytes',
      budget: 40,
      better: 'less',
    },
    {
      key: 'chainWrite',
      what: `plays taken in with sums, ${CONNECTED} stores over TLS`,
      unit: '/s',
      budget: 10_000,
      better: 'more',
    },
    { key: 'chainCpu', what: 'presence of 5,000 stores every 30 s', unit: '% of a core', budget: 5, better: 'less' },
    {
      key: 'chainRss',
      what: `memory with 5,000 stores, ${CONNECTED} of them connected`,
      unit: 'MB',
      budget: 400,
      better: 'less',
    },
    {
      key: 'chainBack',
      what: 'all 5,000 stores back after headquarters was down',
      unit: 's',
      budget: 20,
      better: 'less',
    },
    {
      key: 'chainHeld',
      what: 'memory with 5,000 stores connected, listening',
      unit: 'MB',
      budget: 400,
      better: 'less',
    },
    {
      key: 'wishTold',
      what: 'a new desired state at 5,000 stores, checked and written, p99',
      unit: 's',
      budget: 1,
      better: 'less',
    },
    { key: 'wishReady', what: 'readiness of 5,000 stores on a page', unit: 'ms', budget: 1_000, better: 'less' },
    {
      key: 'natsBack',
      what: 'all 5,000 stores back by NATS after the hub was killed',
      unit: 's',
      budget: 20,
      better: 'less',
    },
    {
      key: 'natsCpu',
      what: 'presence of 5,000 stores every 30 s by NATS',
      unit: '% of a core',
      budget: 5,
      better: 'less',
    },
    { key: 'natsRss', what: 'memory of the hub with 5,000 stores connected', unit: 'MB', budget: 400, better: 'less' },
    {
      key: 'pgWrite',
      what: `plays taken into PostgreSQL with sums, ${CONNECTED} stores over TLS`,
      unit: '/s',
      budget: 10_000,
      better: 'more',
    },
    {
      key: 'pgMonth',
      what: 'report of a month of 5,000 stores, by content, from PostgreSQL',
      unit: 'ms',
      budget: 1_000,
      better: 'less',
    },
    { key: 'pgMove', what: 'a month of 5,000 stores moved into PostgreSQL', unit: 's', budget: 120, better: 'less' },
    { key: 'chainPage', what: 'first page and numbers of 5,000 stores', unit: 'ms', budget: 1_000, better: 'less' },
    {
      key: 'chainMonth',
      what: 'report of a month of 5,000 stores, by content',
      unit: 'ms',
      budget: 1_000,
      better: 'less',
    },
  ],
  run: async ({ folder, report, wants }) => {
    const data = join(folder, 'hq');
    const env = { VITRINE_CHAIN_ROLE: 'hq' };
    const first = await startServer(data, { env });
    const { token, current_workspace_id } = (await fetch(`http://127.0.0.1:${first.port}/api/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(EMAIL),
    }).then((reply) => reply.json())) as { token: string; current_workspace_id: string };
    await first.stop();
    const stores = Array.from({ length: STORES }, newStore);
    seed(data, stores, current_workspace_id);
    const { fingerprint } = loadIdentity(data);
    const connected = stores.slice(0, CONNECTED);
    let bytes = 0;
    for (const store of connected) {
      let head = firstHead(sha256, store.epoch);
      for (let minute = 0; minute < SEGMENTS; minute++) head = await minuteOf(store, minute, head);
      bytes += store.segments.reduce((sum, segment) => sum + segment.length, 0);
    }
    report('chainBytes', { value: bytes / (CONNECTED * SEGMENTS * PLAYS) });

    const hq = await startServer(data, { env });
    const port = hq.port + 1;
    try {
      const origin = `http://127.0.0.1:${hq.port}`;
      const timed = async (...paths: string[]): Promise<number> => {
        const began = performance.now();
        await Promise.all(
          paths.map(async (path) => {
            const reply = await fetch(origin + path, { headers: { Authorization: `Bearer ${token}` } });
            if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
            await reply.arrayBuffer();
          }),
        );
        return performance.now() - began;
      };
      report('chainPage', {
        value: await timed('/api/stores?order=worst', '/api/stores/counts'),
        note: 'the first after the start, which reads them all',
      });
      const month = await timed('/api/stores/plays/sums?by=content', '/api/stores/plays/totals');
      report('chainMonth', { value: month, note: `${(STORES * DAYS * CONTENTS).toLocaleString('en')} sums` });

      const rate = await sendAll(port, connected, fingerprint);
      report('chainWrite', {
        value: rate,
        bare: bareWrites(folder, 600),
        note: 'bare: a transaction of the same rows in one process, nothing checked, no TLS',
      });

      const before = await hq.ask('facts');
      const turns = Math.ceil(STORES / CONNECTED);
      for (let turn = 0; turn < turns; turn++)
        await Promise.all(connected.map((store) => ask(port, store, 'presence', presence(turn % 5 === 0 ? 19 : 20))));
      const after = await hq.ask('facts');
      report('chainCpu', {
        value: (after.cpuMs - before.cpuMs) / 300,
        note: 'sent as fast as they are answered, counted over 30 s',
      });
      report('chainRss', { value: after.rss / 1e6 });

      // All of them come at once, as after headquarters was down: each by a connection of its own to tell and one to hear.
      const cameAt = performance.now();
      const came: number[] = [];
      let told: (store: Store, line: Told) => void = ignore;
      const listening = await inTurns(stores, 200, async (store) => {
        await signIn(port, store, fingerprint);
        const ear = await listen(port, store, (line) => told(store, line));
        await ask(port, store, 'presence', presence(20));
        came.push(performance.now() - cameAt);
        return ear;
      });
      report('chainBack', {
        value: came.at(-1)! / 1000,
        note: 'each signs in, listens and tells how it is; both ends on this machine',
      });
      report('chainHeld', { value: (await hq.ask('facts')).rss / 1e6, note: '10,000 TLS connections' });
      await wishRows({
        ...{ hq, stores, folder, token, report, key: loadIdentity(data).publicKey },
        hear: (now) => {
          told = now;
        },
      });
      for (const end of listening) end();
    } finally {
      for (const { agent } of stores) agent.destroy();
      await hq.stop();
    }
    if (['natsBack', 'natsCpu', 'natsRss'].some(wants)) await byNats({ data, stores, fingerprint, report });
    if (['pgMove', 'pgMonth', 'pgWrite'].some(wants))
      await byPostgres({ data, stores: stores.slice(CONNECTED, 2 * CONNECTED), fingerprint, token, report });
  },
};
