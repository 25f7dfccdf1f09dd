/**
 * Measures headquarters with 5,000 stores, of which some hundred are connected and send the plays of twenty screens per
 * minute.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { openDatabase } from '../../server/db/open.ts';
import { loadIdentity } from '../../server/identity.ts';
import { firstHead } from '../../shared/chain/segment.ts';
import {
  ask,
  CONNECTED,
  CONTENTS,
  DAYS,
  ignore,
  inTurns,
  listen,
  minuteOf,
  newStore,
  PLAYS,
  presence,
  SCREENS,
  SEGMENTS,
  STORES,
  type Store,
  sendAll,
  sha256,
  signIn,
  type Told,
} from './chain-fleet.ts';
import { byNats } from './chain-nats.ts';
import { byPostgres } from './chain-postgres.ts';
import { wishRows } from './chain-wishes.ts';
import { startServer } from './child.ts';
import type { Group } from './row.ts';

const EMAIL = { email: 'owner@store.test', password: 'correct horse' };

/** Adds enrolled stores, and for each store the summed plays of a month. */
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

/**
 * Measures the same writes without headquarters: one transaction for each segment (a batch of plays), its bytes in a
 * file, no checks.
 */
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
    {
      key: 'wishNats',
      what: 'the same by NATS, the hub on this machine too',
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

      // Connects all stores at once, as after a failure of headquarters. Each store has one connection to send and one
      // to receive.
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
    if (['natsBack', 'natsCpu', 'natsRss', 'wishNats'].some(wants))
      await byNats({ data, folder: join(folder, 'nats'), stores, fingerprint, token, report });
    if (['pgMove', 'pgMonth', 'pgWrite'].some(wants))
      await byPostgres({ data, stores: stores.slice(CONNECTED, 2 * CONNECTED), fingerprint, token, report });
  },
};
