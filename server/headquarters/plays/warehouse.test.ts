/** Tests that both warehouses give the same answers: the database of headquarters, and a real PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../shared/contract/errors.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import { noPostgres, Postgres } from '../../../test/chain/postgres.ts';
import { runCount } from '../../../test/run-count.ts';
import { openPg } from '../testing/pg.ts';
import { epochOf, NOON, openHq, playOf } from '../testing/rig.ts';
import { summed } from './summed.ts';
import type { SegmentRow, Taken, Warehouse, Whose } from './warehouse.ts';

const DAY = 86_400_000;
const ALL = { start: -8.64e15, end: 8.64e15 };
const PAGE = { before: { to_ms: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }, limit: 100 };

const KINDS = noPostgres ? (['SQLite'] as const) : (['SQLite', 'PostgreSQL'] as const);
const endings: (() => unknown)[] = [];
let postgres: Postgres | undefined;
before(async () => {
  if (!noPostgres) postgres = await Postgres.open({ after: (work) => endings.push(work) });
});
after(async () => {
  for (const end of endings) await end();
});

const open = async (t: TestContext, kind: (typeof KINDS)[number]) => {
  const hq = openHq(t);
  const addStores = (n = 0) => [hq.addStore(`mill${n}`), hq.addStore(`dock${n}`), hq.addStore(`quay${n}`)] as const;
  const warehouse = kind === 'SQLite' ? hq.warehouse : openPg(t, await postgres!.database()).warehouse;
  const forget = async (whose: Whose) => {
    await warehouse.thin(whose);
    hq.db.write(() => hq.stores.delete(whose.id));
    await warehouse.forget(whose);
  };
  return { warehouse, forget, addStores };
};

test('thin() deletes the rows of a store in small steps, and does not read rows of other stores', async (t) => {
  const { db, stores, warehouse, addStore } = openHq(t);
  const { id, ref } = addStore('mill');
  const [OTHERS, DAYS, SHOWN] = [60, 30, 5];
  db.write(() => {
    for (let n = 0; n < OTHERS; n++) addStore(`other${n}`);
    const sum = db.raw.prepare(
      'INSERT INTO hq_sums (scope, day, store, device, shown, plays, ms) VALUES (?, ?, ?, ?, ?, 1, 1)',
    );
    for (const scope of [0, 1])
      for (let day = 0; day < DAYS; day++)
        for (let store = 1; store <= OTHERS; store++)
          for (let shown = 1; shown <= SHOWN; shown++) sum.run(scope, day, store, scope, shown);
  });
  const LONG = 2_300;
  db.write(() => {
    const { raw } = db;
    const segment = raw.prepare(
      `INSERT INTO hq_segments (store, epoch, first, last, plays, from_ms, to_ms, fresh, pack, "offset", bytes)
         VALUES (?, 'e', ?, ?, 1, 1, 1, 1, 'p', ?, 1)`,
    );
    const mark = raw.prepare('INSERT INTO hq_marks (store, device, segment) VALUES (?, ?, ?)');
    const overlap = raw.prepare('INSERT INTO hq_overlaps (store, play) VALUES (?, ?)');
    for (const store of [id, id + 1])
      for (let n = 0; n < LONG; n++) {
        segment.run(store, n, n, n);
        mark.run(store, 'till', n);
        overlap.run(store, Buffer.from(`${n}`));
      }
  });
  await db.durable();
  const count = (where: string, table = 'hq_sums') =>
    db.raw.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get();
  const left = 2 * DAYS * (OTHERS - 1) * SHOWN;
  const changed = () => db.raw.prepare('SELECT total_changes()').pluck().get() as number;
  let most = 0;
  const { write } = db;
  db.write = (work) => {
    const before = changed();
    const done = write.call(db, work);
    most = Math.max(most, changed() - before);
    return done as never;
  };
  await warehouse.thin({ id, ref });
  db.write = write;
  assert.ok(most <= 500, `${most} rows at once`);
  assert.deepEqual([count(`store = ${id}`), count('true')], [0, left]);
  for (const table of ['hq_segments', 'hq_marks', 'hq_overlaps'])
    assert.deepEqual([count(`store = ${id}`, table), count('true', table)], [0, LONG], table);
  const plans: unknown[] = [];
  const { exec } = db.raw;
  db.raw.exec = (sql) => {
    const done = exec.call(db.raw, sql);
    if (sql.includes('ANALYZE'))
      plans.push(db.raw.prepare('EXPLAIN QUERY PLAN DELETE FROM hq_sums WHERE store = ?').all(id));
    return done;
  };
  db.write(() => stores.delete(id));
  const [within, after] = plans.map((plan) => JSON.stringify(plan));
  assert.match(within!, /ANY\(day\) AND store=\?/);
  assert.match(after!, /SCAN hq_sums/);
  assert.equal(count('true'), left);
});

/** Random segments of a store. */
interface Sent {
  readonly store: number;
  readonly epoch: number;
  readonly plays: readonly { name: number; device: number; day: number; ms: number; of: number }[];
  readonly isOverlap: boolean;
  readonly isMarked: boolean;
}
const NAMES = ['Sale.jpg', 'SALE.JPG', 'sale.jpg', 'Öl.jpg', 'öl.jpg', 'straße', '😀 %_', 'Z', 'a', ''];
/** The last campaign in the list no longer exists at headquarters. */
const CAMPAIGNS = [1, 2, 3].map((n) => `0199aaaa-0000-7000-8000-00000000000${n}`);
const sentOf: fc.Arbitrary<Sent> = fc.record({
  store: fc.nat(2),
  epoch: fc.nat(1),
  plays: fc.array(
    fc.record({
      name: fc.nat(NAMES.length - 1),
      device: fc.nat(2),
      day: fc.nat(3),
      ms: fc.nat(20_000),
      of: fc.nat(CAMPAIGNS.length),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  isOverlap: fc.boolean(),
  isMarked: fc.boolean(),
});

const segmentAt = (pack: string, offset: number, more: Partial<Taken['segment']> = {}): Taken['segment'] => ({
  epoch: epochOf(1),
  first: 1,
  last: 1,
  fresh: 1,
  dropped: null,
  plays: 1,
  from_ms: NOON,
  to_ms: NOON,
  pack,
  offset,
  bytes: 100,
  ...more,
});

/** Stores the segments in the warehouse. */
const fill = async (warehouse: Warehouse, stores: readonly Whose[], sent: readonly Sent[]): Promise<void> => {
  const ends = new Map<string, number>();
  for (const [n, one] of sent.entries()) {
    const whose = stores[one.store]!;
    const epoch = epochOf(one.epoch);
    const key = `${one.store} ${one.epoch}`;
    const through = ends.get(key) ?? 0;
    if (through === 0) await warehouse.begin(whose, { epoch, first: 1 }, 'head');
    const plays = one.plays.map(({ name, device, day, ms, of }, i) => {
      const started_ms = NOON + day * DAY + n * 1_000 + i;
      return playOf(through + 1 + i, n * 10 + i, {
        device_id: `device ${device}`,
        // Plays use only four ids of contents but more names, so that plays of one content have different names.
        content_id: `content ${name % 4}`,
        content_name: NAMES[name]!,
        playlist_id: of === 0 ? 'own' : `${CAMPAIGNS[of - 1]}-playlist`,
        started_ms,
        ended_ms: started_ms + ms,
      });
    });
    const last = through + plays.length;
    const times = plays.map(({ started_ms }) => started_ms);
    const pack = `${whose.ref}/${n % 2 === 0 ? '2026-11' : '2026-12'}.segments`;
    await warehouse.storeSegment(whose, {
      segment: segmentAt(pack, await warehouse.endOf(pack), {
        epoch,
        first: through + 1,
        last,
        fresh: through + 1,
        plays: plays.length,
        from_ms: Math.min(...times),
        to_ms: Math.max(...times),
      }),
      marks: one.isMarked ? ['device 0'] : [],
      overlaps: one.isOverlap ? plays.map(({ play_id }) => Buffer.from(play_id)) : [],
      ...summed(
        plays,
        [0, 1, 2].map((i) => ({ id: `device ${i}`, name: `Screen ${i}`, key: null })),
        {
          zone: zoneOf('Europe/Berlin'),
          campaign: (id) => (id === CAMPAIGNS.at(-1) ? undefined : `Campaign ${id.at(-1)}, ${n}`),
        },
      ),
      cursor: { epoch, through: last, head: `head ${n}` },
      before: through,
    });
    ends.set(key, last);
  }
};

const BY = ['campaign', 'content', 'store', 'screen', 'day'] as const;

/** Returns the answers to every query. Ids of segments are left out, because they differ between warehouses. */
const answersOf = async (warehouse: Warehouse, stores: readonly Whose[]): Promise<unknown> => {
  const bare = (rows: readonly SegmentRow[]) => rows.map(({ id: _, ...row }) => row);
  const day = Math.floor(NOON / DAY);
  const answers: unknown[] = [];
  const one = stores.slice(0, 1);
  for (const asked of [
    { stores, from: day, to: day + 3, content: undefined, campaign: undefined },
    { stores, from: day, to: day + 3, content: 'SALE.jpg', campaign: undefined },
    { stores, from: day, to: day + 3, content: undefined, campaign: CAMPAIGNS[0] },
    { stores, from: day, to: day + 3, content: 'SALE.jpg', campaign: CAMPAIGNS[1] },
    { stores: one, from: day, to: day + 3, content: undefined, campaign: CAMPAIGNS[2] },
    { stores, from: day, to: day + 3, content: undefined, campaign: CAMPAIGNS[0]!.slice(0, -1) },
    { stores, from: day + 1, to: day + 1, content: 'ÖL.jpg', campaign: undefined },
    { stores: one, from: day, to: day + 1, content: undefined, campaign: undefined },
    { stores: [], from: day, to: day, content: undefined, campaign: undefined },
  ]) {
    answers.push(await warehouse.totals(asked));
    for (const by of BY) {
      const page = (limit: number, offset: number) => warehouse.sums({ ...asked, by, limit, offset });
      const whole = await page(100, 0);
      answers.push(
        sorted(whole.rows),
        whole.rows.map(({ plays }) => plays),
      );
      const pages = [await page(2, 0), await page(2, 2), await page(2, 500)];
      answers.push(pages.map(({ total, rows }) => [total, rows.length]));
      // Rows of screens are not compared, because screens with the same store and name come in any order.
      if (by !== 'screen') answers.push(pages.map(({ rows }) => rows));
    }
  }
  for (const some of [stores, one, []]) answers.push(await warehouse.campaignNames(CAMPAIGNS, some));
  for (const whose of stores) {
    answers.push(await warehouse.cursors(whose), await warehouse.packsIn(whose), await warehouse.spansOf(whose, ALL));
    answers.push(
      await warehouse.isIn([`${whose.ref}/2026-12.segments`], whose, { start: NOON + DAY, end: NOON + 2 * DAY }),
    );
    for (const epoch of [epochOf(0), epochOf(1)]) {
      for (const number of [1, 4, 9]) {
        const found = await warehouse.segmentFrom(whose, epoch, number);
        answers.push(found ? bare([found]) : found);
        answers.push(
          await warehouse.beginningOf(whose, epoch, number, 2),
          await warehouse.beginningOf(whose, epoch, number, 50),
        );
      }
      answers.push(bare(await warehouse.between(whose, epoch, { from: 2, to: 9 }, 3)));
    }
    const ids = [0, 11, 20, 31, 99].map((n) => Buffer.from(playOf(1, n).play_id));
    answers.push((await warehouse.overlapsAmong(whose, ids)).map(String));
    let after = { to_ms: -1, id: 0 };
    for (let rows: SegmentRow[] = [{} as SegmentRow]; rows.length > 0; ) {
      rows = await warehouse.segmentsOf(whose, { start: NOON, end: NOON + 2 * DAY }, { after, limit: 2 });
      answers.push(bare(rows));
      after = rows.at(-1) ?? after;
    }
  }
  for (const some of [stores, stores.slice(1, 2), [...stores, ...other(stores, 60)]]) {
    let { before } = PAGE;
    for (let rows: SegmentRow[] = [{} as SegmentRow]; rows.length > 0; ) {
      rows = await warehouse.newestSegments(some, { start: NOON, end: NOON + 3 * DAY }, { before, limit: 3 });
      answers.push(bare(rows));
      before = rows.at(-1) ?? before;
    }
  }
  return answers;
};
const sorted = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted();
/** Returns stores for which the warehouse has no data. */
const other = (stores: readonly Whose[], count: number): Whose[] =>
  Array.from({ length: count }, (_, i) => ({ id: stores.length + 100 + i, ref: `other ${i}` }));

test('both warehouses give the same answers to all queries for any segments, also after a store was removed', {
  skip: noPostgres,
}, async (t) => {
  const both = await Promise.all(KINDS.map((kind) => open(t, kind)));
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(sentOf, { minLength: 1, maxLength: 14 }), async (sent) => {
      runs++;
      const answers = await Promise.all(
        both.map(async ({ warehouse, addStores, forget }) => {
          // Each random case adds new stores, and the stores of earlier cases stay.
          const stores = addStores(runs);
          await fill(warehouse, stores, sent);
          const whole = await answersOf(warehouse, stores);
          await forget(stores[0]);
          return { whole, less: await answersOf(warehouse, stores) };
        }),
      );
      assert.deepEqual(answers[1], answers[0]);
    }),
    { numRuns: runCount(4, 10), endOnFailure: true },
  );
});

test('sums for very many stores do not include other stores', { skip: noPostgres }, async (t) => {
  const { warehouse, addStores } = await open(t, 'PostgreSQL');
  const stores = addStores();
  const plays = [{ name: 0, device: 0, day: 0, ms: 1_000, of: 0 }];
  await fill(
    warehouse,
    stores,
    [0, 1, 2].map((store) => ({ store, epoch: 0, plays, isOverlap: false, isMarked: false })),
  );
  const asked = {
    stores: [stores[0], ...other(stores, 600)],
    from: 0,
    to: 100_000,
    content: undefined,
    campaign: undefined,
  };
  const page = { limit: 10, offset: 0 };
  assert.equal((await warehouse.totals(asked)).plays, 1);
  for (const by of BY)
    assert.deepEqual(
      (await warehouse.sums({ ...asked, ...page, by })).rows.map((row) => row.plays),
      [1],
      by,
    );
});

for (const kind of KINDS)
  describe(kind, () => {
    const take = (warehouse: Warehouse, whose: Whose, more: Partial<Taken> & { at?: number } = {}) =>
      warehouse.storeSegment(whose, {
        segment: segmentAt(`${whose.ref}/x`, 0),
        marks: [],
        overlaps: [],
        subjects: [
          { kind: 'content', ref: 'sale', name: 'Sale', at: NOON },
          { kind: 'device', ref: 'till', name: 'Till', at: NOON },
        ],
        sums: [
          { day: 1, device: null, shown: 0, plays: 1, ms: 1_000 },
          { day: 1, device: 1, shown: 0, plays: 1, ms: 1_000 },
        ],
        cursor: { epoch: epochOf(1), through: 1, head: 'b' },
        before: 0,
        ...more,
      });
    const asked = (stores: readonly Whose[]) => {
      const all = { content: undefined, campaign: undefined };
      return { stores, from: 0, to: 9, ...all, limit: 10, offset: 0 };
    };

    test('warehouse refuses a segment when the store’s cursor has moved since the segment was checked', async (t) => {
      const { warehouse, addStores } = await open(t, kind);
      const stores = addStores();
      const [mill] = stores;
      await warehouse.begin(mill, { epoch: epochOf(1), first: 1 }, 'a');
      await take(warehouse, mill);
      const before = await answersOf(warehouse, stores);
      const isBusy = (error: unknown) => error instanceof ApiError && error.status === 503;
      await assert.rejects(take(warehouse, mill, { segment: segmentAt('mill/y', 0, { last: 2 }) }), isBusy);
      await assert.rejects(take(warehouse, stores[1]), isBusy);
      assert.deepEqual(await answersOf(warehouse, stores), before);
    });

    test('two segments for the same position of the cursor that arrive in parallel are stored only once', async (t) => {
      const { warehouse, addStores } = await open(t, kind);
      const stores = addStores();
      const [mill] = stores;
      await warehouse.begin(mill, { epoch: epochOf(1), first: 1 }, 'a');
      const done = await Promise.allSettled(Array.from({ length: 8 }, () => take(warehouse, mill)));
      assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await warehouse.totals(asked(stores))).plays, 1);
    });

    test('subject (content, screen or campaign) has the name of its newest play, in any order of arrival', async (t) => {
      const { warehouse, addStores } = await open(t, kind);
      const stores = addStores();
      const [mill] = stores;
      await warehouse.begin(mill, { epoch: epochOf(1), first: 1 }, 'a');
      const named = async (name: string, at: number, n: number) => {
        await take(warehouse, mill, {
          segment: segmentAt('mill/x', n * 100, { last: n + 1 }),
          subjects: [{ kind: 'content', ref: 'sale', name, at }],
          sums: [{ day: 1, device: null, shown: 0, plays: 1, ms: 1 }],
          cursor: { epoch: epochOf(1), through: n + 1, head: 'b' },
          before: n,
        });
        const { rows } = await warehouse.sums({ ...asked(stores), by: 'content' });
        return rows.map((row) => row.name);
      };
      assert.deepEqual(await named('first', 10, 0), ['first']);
      // The play at time 20 is now the newest play with this name.
      assert.deepEqual(await named('first', 20, 1), ['first']);
      assert.deepEqual(await named('late', 15, 2), ['first']);
      assert.deepEqual(await named('equally new', 20, 3), ['equally new']);
      assert.deepEqual(await named('newer', 30, 4), ['newer']);
    });

    test('sums can be filtered by campaign in every grouping, and deleted campaigns keep their names', async (t) => {
      const { warehouse, addStores } = await open(t, kind);
      const stores = addStores();
      const play = { name: 0, device: 0, day: 0, ms: 1_000 };
      const sent = { store: 0, epoch: 0, isOverlap: false, isMarked: false };
      await fill(warehouse, stores, [
        { ...sent, plays: [0, 1, 1, 2, 3].map((of) => ({ ...play, of })) },
        { ...sent, store: 1, plays: [1, 2, 2].map((of, device) => ({ ...play, of, device, name: of })) },
      ]);
      const day = Math.floor(NOON / DAY);
      const whole = { ...asked(stores), from: day, to: day };
      const by = async (what: (typeof BY)[number], campaign?: string) =>
        (await warehouse.sums({ ...whole, by: what, campaign })).rows.map((row) => [
          row.campaign ?? row.name,
          row.plays,
        ]);
      const [spring, summer, gone] = CAMPAIGNS;
      assert.deepEqual(
        (await by('campaign')).toSorted(),
        [
          [spring, 3],
          [summer, 3],
          [gone, 1],
          [null, 1],
        ].toSorted(),
      );
      assert.deepEqual(
        await by('screen', summer),
        [
          ['Screen 1', 1],
          ['Screen 2', 1],
          ['Screen 0', 1],
        ].toSorted(),
      );
      assert.deepEqual((await by('content', spring)).toSorted(), [
        ['SALE.JPG', 1],
        ['Sale.jpg', 2],
      ]);
      const { plays, stores: both, screens } = await warehouse.totals({ ...whole, campaign: spring });
      assert.deepEqual([plays, both, screens], [3, 2, 2]);
      assert.equal((await warehouse.totals({ ...whole, campaign: spring, content: 'sale.jpg' })).plays, 3);
      assert.deepEqual(await warehouse.campaignNames(CAMPAIGNS, stores), {
        [spring!]: 'Campaign 1, 1',
        [summer!]: 'Campaign 2, 1',
      });
    });

    test('warehouse stores any texts and times that a malicious store sends', async (t) => {
      const { warehouse, addStores } = await open(t, kind);
      const stores = addStores();
      const [mill, dock] = stores;
      const long = Array.from({ length: 2_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7_919) % 20_000))).join(
        '',
      );
      const names = ['zero \0 in it', 'half \ud83d', long, `${long.slice(1)}!`, '\0', '\ufffd'];
      await warehouse.begin(mill, { epoch: epochOf(1), first: 1 }, 'a');
      await take(warehouse, mill, {
        marks: names.map((name) => name.slice(0, 200)),
        overlaps: names.map((name) => Buffer.from(name)),
        subjects: names.map((name) => ({ kind: 'other', ref: name, name, at: NOON })),
        sums: names.map((_, shown) => ({ day: 1, device: null, shown, plays: 2_000, ms: 2_000 * 1.7e16 })),
      });
      await warehouse.begin(dock, { epoch: epochOf(1), first: 1 }, 'a');
      await take(warehouse, dock);
      const { plays, stores: both } = await warehouse.totals(asked(stores));
      assert.deepEqual([plays, both], [names.length * 2_000 + 1, 2]);
      const known = await warehouse.overlapsAmong(
        mill,
        names.map((name) => Buffer.from(name)),
      );
      assert.equal(known.length, names.length);
    });

    test('forget() deletes all data of a store, so that a new store with the same number has none', async (t) => {
      const { warehouse, addStores, forget } = await open(t, kind);
      const stores = addStores();
      const [mill, dock] = stores;
      for (const whose of [mill, dock]) {
        await warehouse.begin(whose, { epoch: epochOf(1), first: 1 }, 'a');
        await take(warehouse, whose);
      }
      await forget(mill);
      assert.deepEqual(await warehouse.cursors(mill), []);
      assert.deepEqual(await warehouse.packsIn(mill), []);
      assert.equal((await warehouse.totals(asked([mill]))).plays, 0);
      assert.equal((await warehouse.totals(asked([dock]))).plays, 1);
      if (kind === 'PostgreSQL') assert.deepEqual(await warehouse.cursors({ id: dock.id, ref: 'another' }), []);
    });
  });
