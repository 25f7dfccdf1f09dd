/** Reports of the chain: selection of stores and days, sums, single plays, and files. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { idInCampaign } from '../../../shared/chain/campaign-ids.ts';
import type { SegmentPlay } from '../../../shared/chain/segment.ts';
import type { Presence } from '../../../shared/chain/wire.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import type { PlaysExport } from '../../features/reports/reports.service.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { StoresService } from '../stores/stores.service.ts';
import { ANNA, actorOf } from '../testing/campaigns.ts';
import { epochOf, NOON, openHq, playOf, segmentOf } from '../testing/rig.ts';
import { ChainReportsService } from './chain-reports.service.ts';

const [SPRING, WINTER, NOBODY_KNOWS] = [1, 2, 3].map((n) => `0199aaaa-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
const HOUR = 3_600_000;
const WHICH = {
  ...{ start: undefined, end: undefined, region: undefined, tag: undefined },
  ...{ store_id: undefined, campaign_id: undefined, content: undefined },
};
const PAGE = { limit: 100, offset: 0 };
/** A user who may see only one region. */
const NORA = actorOf('nora', { regions: [{ region: 'North', role: 'workspace_viewer' }] });
const BOB = actorOf('bob', { workspaceId: 'other' });

type Shown = Pick<SegmentPlay, 'started_ms'> & Partial<SegmentPlay>;

/** Two shops in the north, one in the south, one without a region. */
const setUp = (t: TestContext) => {
  const hq = openHq(t);
  addWorkspace(hq.db, 'other');
  const { parts, stores: store, registry, segmentFiles, writer, warehouse, plays, clock } = hq;
  const kernel = { ...parts, activity: { add: () => {} } };
  const identity = { fingerprint: '', publicKey: '', sealing: { key: '' } as never };
  const server = () => ({ name: 'HQ' });
  const stores = new StoresService({
    ...{ ...kernel, store, registry, segmentFiles, writer, warehouse, identity, server },
    addresses: () => [],
  });
  const campaign = (workspaceId: string, id: string) => (workspaceId === 'hq' && id === SPRING ? 'Spring' : undefined);
  const zone = () => zoneOf('Europe/Berlin');
  const reports = new ChainReportsService({ ...kernel, stores, store, plays, warehouse, zone, campaign, server });
  const add = (ref: string, region: string, tags: string[] = []) => {
    const made = hq.addStore(ref);
    store.update(made.id, { name: `Shop ${ref}`, region, tags, note: '', latitude: null, longitude: null });
    registry.refresh(made.id);
    return made;
  };
  const mill = add('10', 'North', ['mall']);
  const quay = add('9', 'North');
  const dock = add('8', 'South');
  const pier = add('7', '');
  let n = 0;
  /** Sends plays of the store to headquarters. Each play lasts a second unless the test says otherwise. */
  const show = async (to: ReturnType<typeof hq.addStore>, shown: readonly Shown[]) => {
    const made = shown.map((more, i) => playOf(i + 1, ++n, { ended_ms: more.started_ms + 1_000, ...more, seq: i + 1 }));
    const epoch = epochOf(to.id);
    await hq.writer.through(to, [{ epoch, first: 1 }]);
    const stretch = { epoch, first: 1, last: made.length, plays: made };
    assert.equal(await hq.take(to, segmentOf(to.of, to.ref, stretch).file), 'taken');
  };
  const textOf = async ({ head, chunks }: PlaysExport) => {
    const pieces = [Buffer.from(head ?? '')];
    for await (const piece of chunks) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  };
  const sums = async (by: Parameters<typeof reports.sums>[1]['by'], more: object = {}, actor: Actor = ANNA) => {
    const { rows, total } = await reports.sums(actor, { ...WHICH, ...PAGE, by, ...more });
    return { rows, total, names: rows.map(({ name, plays, seconds }) => [name, plays, seconds]) };
  };
  return { ...hq, reports, add, mill, quay, dock, pier, show, textOf, sums, clock };
};

const at = (text: string): { started_ms: number } => ({ started_ms: Date.parse(text) });

test('report covers the last thirty days by default, and counts a play on the day at headquarters on which it starts', async (t) => {
  const { mill, dock, show, sums, reports } = setUp(t);
  await show(mill, [
    at('2026-10-03T21:59:59.999Z'),
    { ...at('2026-10-03T22:00:00Z'), content_name: 'First' },
    { ...at('2026-11-02T22:59:59.999Z'), ended_ms: Date.parse('2026-11-02T23:00:05.499Z'), content_name: 'Last' },
    at('2026-11-02T23:00:00Z'),
  ]);
  await show(dock, [at('2026-10-20T10:00:00Z')]);
  const days = [
    ['2026-10-04', 1, 1],
    ['2026-10-20', 1, 1],
    ['2026-11-02', 1, 5.5],
  ];
  assert.deepEqual((await sums('day')).names, days);
  assert.deepEqual((await sums('day', { limit: 1, offset: 1 })).names, [days[1]]);
  assert.equal((await sums('day', { limit: 1, offset: 9 })).total, 3);
  const single = async (more: object = {}) => {
    const { rows, total } = await reports.list(ANNA, { ...WHICH, ...PAGE, ...more });
    return [rows.map(({ content_name }) => content_name), total];
  };
  assert.deepEqual(await single(), [['Last', 'Sale.jpg', 'First'], 3]);
  assert.deepEqual(await single({ limit: 1, offset: 1 }), [['Sale.jpg'], 3]);
  const whole = { start: '2026-10-03', end: '2026-11-03' };
  assert.equal((await single(whole))[1], 5);
  assert.deepEqual(await single({ start: '2026-10-04', end: '2026-10-04' }), [['First'], 1]);
  // The request gives only an end, so the period is the thirty days before this end.
  assert.deepEqual((await single({ end: '2026-11-01' }))[0], ['Sale.jpg', 'First', 'Sale.jpg']);
  for (const [more, message] of [
    [{ start: '2026-11-02', end: '2026-11-01' }, 'end: must not be before start'],
    [{ start: '2026-11-03' }, 'end: must not be before start'],
    [{ start: '2026-02-30' }, 'start: must be a date like 2026-11-01'],
    [{ end: 'today' }, 'end: must be a date like 2026-11-01'],
  ] as const)
    for (const asked of [
      () => reports.totals(ANNA, { ...WHICH, ...more }),
      () => reports.list(ANNA, { ...WHICH, ...PAGE, ...more }),
      () => reports.sums(ANNA, { ...WHICH, ...PAGE, by: 'content', ...more }),
      () => reports.export(ANNA, { ...WHICH, by: 'content', format: 'csv', ...more }),
    ])
      await assert.rejects(asked, { status: 400, message });
});

test('sums contain only stores that are selected and visible to the user, in every grouping', async (t) => {
  const { mill, quay, dock, pier, show, sums, reports, db } = setUp(t);
  const of = (campaign: string, more: Partial<SegmentPlay> = {}) => ({
    started_ms: NOON,
    playlist_id: idInCampaign(campaign, 'list'),
    ...more,
  });
  await show(mill, [of(SPRING), of(SPRING, { device_id: 'door' }), { started_ms: NOON, content_name: 'Menu' }]);
  await show(quay, [of(SPRING), of(WINTER), of(NOBODY_KNOWS)]);
  await show(dock, [of(SPRING, { content_name: 'SALE.jpg' })]);
  await show(pier, [{ started_ms: NOON, ended_ms: NOON + 4_500 }]);
  db.write(() =>
    db.raw.prepare("UPDATE hq_subjects SET name = 'Winter' WHERE kind = 'campaign' AND ref = ?").run(WINTER),
  );

  const one = { plays: 1, seconds: 1, stores: 1, screens: 1 };
  const none = { campaign_id: null, store_id: null, store_name: null };
  assert.deepEqual(await sums('region').then(({ rows, total }) => [rows, total]), [
    [
      { name: 'North', ...none, plays: 6, seconds: 6, stores: 2, screens: 3 },
      { name: '', ...none, ...one, seconds: 4.5 },
      { name: 'South', ...none, ...one },
    ],
    3,
  ]);
  assert.deepEqual((await sums('region', { limit: 1, offset: 1 })).names, [['', 1, 4.5]]);
  const campaigns = await sums('campaign');
  assert.deepEqual(
    campaigns.rows.map(({ name, campaign_id, plays, stores }) => [name, campaign_id, plays, stores]).sort(),
    [
      ['', null, 2, 2],
      ['', NOBODY_KNOWS, 1, 1],
      ['Spring', SPRING, 4, 3],
      ['Winter', WINTER, 1, 1],
    ],
  );
  const spring = { name: 'Spring', campaign_id: SPRING, store_id: null, store_name: null };
  assert.deepEqual(campaigns.rows[0], { ...spring, plays: 4, seconds: 4, stores: 3, screens: 4 });
  const shop = { name: 'Shop 10', campaign_id: null, store_id: '10', store_name: 'Shop 10' };
  assert.deepEqual((await sums('store')).rows[0], { ...shop, plays: 3, seconds: 3, stores: 1, screens: 2 });
  assert.deepEqual((await sums('screen')).rows.map(({ name, store_name, plays }) => [name, store_name, plays]).sort(), [
    ['door', 'Shop 10', 1],
    ['till', 'Shop 10', 2],
    ['till', 'Shop 7', 1],
    ['till', 'Shop 8', 1],
    ['till', 'Shop 9', 3],
  ]);
  const contents = (more: object = {}, actor: Actor = ANNA) =>
    sums('content', more, actor).then(({ names }) => names.map(([name, plays]) => [String(name).toLowerCase(), plays]));
  assert.deepEqual((await contents()).sort(), [
    ['menu', 1],
    ['sale.jpg', 1],
    ['sale.jpg', 6],
  ]);
  for (const [more, expected] of [
    [{ region: 'South' }, [['sale.jpg', 1]]],
    [{ tag: 'MALL', content: 'menu' }, [['menu', 1]]],
    [{ campaign_id: SPRING, region: 'South' }, [['sale.jpg', 1]]],
    [{ campaign_id: SPRING, region: 'North', tag: 'mall' }, [['sale.jpg', 2]]],
    [{ store_id: '9', campaign_id: WINTER }, [['sale.jpg', 1]]],
    [{ store_id: '9', region: 'South' }, []],
    [{ region: 'North', content: 'Menu' }, [['menu', 1]]],
    [{ content: 'none' }, []],
  ] as const)
    assert.deepEqual(await contents(more), expected, JSON.stringify(more));
  const { behind: _, ...totals } = await reports.totals(ANNA, { ...WHICH, content: 'Sale.jpg' });
  assert.deepEqual(totals, { plays: 7, seconds: 10.5, stores: 4, screens: 5, contents: 2 });

  // The number of screens is absent, because screens are not counted for such a long period.
  const long = { start: '2000-01-01' };
  const { rows: regions } = await sums('region', long);
  assert.deepEqual(
    regions.map(({ plays, screens }) => [plays, screens]),
    [
      [6, null],
      [1, null],
      [1, null],
    ],
  );
  assert.equal((await reports.totals(ANNA, { ...WHICH, ...long })).screens, null);
  assert.equal((await reports.totals(NORA, WHICH)).plays, 6);
  assert.deepEqual(await contents({ region: 'South' }, NORA), []);
  assert.deepEqual(await contents({}, BOB), []);
  for (const actor of [NORA, BOB])
    await assert.rejects(reports.totals(actor, { ...WHICH, store_id: '8' }), { status: 404 });

  const { rows } = await reports.list(ANNA, { ...WHICH, ...PAGE, store_id: '9', campaign_id: WINTER });
  const times = { started_ms: NOON, ended_ms: NOON + 1_000, completed: 1 };
  assert.deepEqual(rows, [
    {
      ...{ store_id: '9', store_name: 'Shop 9', device_id: 'till', device_name: 'till', content_name: 'Sale.jpg' },
      ...{ campaign_id: WINTER, campaign_name: 'Winter', ...times },
    },
  ]);
  const named = await reports.list(ANNA, { ...WHICH, ...PAGE, store_id: '10' });
  assert.deepEqual(
    named.rows.map(({ campaign_id, campaign_name }) => [campaign_id, campaign_name]).sort(),
    [
      [null, null],
      [SPRING, 'Spring'],
      [SPRING, 'Spring'],
    ].sort(),
  );
});

test('totals name up to 100 stores, sorted by name, that may not have sent all plays of the period', async (t) => {
  const { mill, quay, dock, registry, reports, clock, add } = setUp(t);
  const told = (waiting: number) => ({ waiting, screens: {}, incidents: [] }) as unknown as Presence;
  // Midnight at headquarters is 23:00 UTC.
  clock.advance(11 * HOUR - 1_000);
  registry.record(mill.id, told(7), null);
  clock.advance(1_000);
  registry.record(quay.id, told(7), null);
  clock.advance(HOUR);
  registry.record(dock.id, told(2_000), null);
  const behind = async (more: object = {}, actor = ANNA) =>
    (await reports.totals(actor, { ...WHICH, end: '2026-11-02', ...more })).behind;
  const heard = NOON / 1000 + 11 * 3_600 - 1;
  const shop7 = { id: '7', name: 'Shop 7', waiting: 0, heard_at: null };
  assert.deepEqual(await behind(), [shop7, { id: '10', name: 'Shop 10', waiting: 7, heard_at: heard }]);
  registry.record(dock.id, told(2_001), null);
  const all = (await behind()).map(({ name, waiting }) => [name, waiting]);
  assert.deepEqual(all, [
    ['Shop 7', 0],
    ['Shop 8', 2_001],
    ['Shop 10', 7],
  ]);
  assert.deepEqual(
    (await behind({}, NORA)).map(({ id }) => id),
    ['10'],
  );
  for (let i = 11; i <= 110; i++) add(String(i), '');
  const named = await behind();
  assert.deepEqual([named.length, named.at(-1)!.name], [100, 'Shop 107']);
});

test('exported files contain exactly the requested sums or plays, however many there are', async (t) => {
  const { mill, dock, show, reports, textOf, plays: kept, db } = setUp(t);
  await show(mill, [{ started_ms: NOON, completed: false }]);
  // The test adds so many contents that the export has to read three pages.
  const MANY = 10_001;
  db.write(() => {
    const n = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})`;
    db.raw.exec(`${n} INSERT INTO hq_subjects (id, store, kind, ref, name, named_ms) SELECT 1000 + i, ${mill.id}, 'content', i, 'c' || i, 1 FROM n;
      ${n} INSERT INTO hq_sums (scope, day, store, device, shown, plays, ms) SELECT 0, ${NOON / 86_400_000 - 0.5}, ${mill.id}, 0, 1000 + i, 1, 1000 FROM n`);
  });
  await show(dock, [
    { started_ms: NOON, content_name: '=a', playlist_id: idInCampaign(SPRING, 'l') },
    { started_ms: NOON, ended_ms: NOON + 1_500, playlist_id: idInCampaign(SPRING, 'l') },
  ]);
  const file = (format: 'csv' | 'sums' | 'proof', more: object = {}, actor: Actor = ANNA) =>
    reports.export(actor, { ...WHICH, by: 'content', format, ...more });
  const south = { region: 'South', start: '2026-11-01' };
  const plays = await file('csv', south);
  assert.deepEqual(
    [plays.filename, plays.type],
    ['vitrine-chain-2026-11-01-2026-11-02.csv', 'text/csv; charset=utf-8'],
  );
  const times = '2026-11-02T12:00:00.000Z,2026-11-02T12:00:01.';
  assert.equal(
    await textOf(plays),
    'Store,Region,Screen,Content,Started,Ended,Duration (sec),Completed,Campaign\n' +
      `Shop 8,South,till,'=a,${times}000Z,1,Yes,Spring\nShop 8,South,till,Sale.jpg,${times}500Z,1.5,Yes,Spring\n`,
  );
  const sums = await file('sums', { ...south, by: 'store' });
  assert.deepEqual([sums.filename, sums.type], ['vitrine-chain-2026-11-01-2026-11-02-store.csv', plays.type]);
  assert.equal(await textOf(sums), 'Name,Store,Plays,Played (sec),Stores,Screens\nShop 8,Shop 8,2,2.5,1,1\n');
  assert.equal((await textOf(await file('sums', { ...south, by: 'region' }))).split('\n')[1], 'South,,2,2.5,1,1');
  const all = (await textOf(await file('sums'))).trim().split('\n');
  assert.deepEqual([all.length, new Set(all).size], [MANY + 2, MANY + 2]);
  const [, single] = (await textOf(await file('csv', { store_id: '10' }))).split('\n');
  assert.equal(single, `Shop 10,North,till,Sale.jpg,${times}000Z,1,No,`);
  const long = await textOf(await file('sums', { by: 'store', start: '2000-01-01' }));
  assert.match(long, /^Shop 8,Shop 8,2,2\.5,1,$/m);
  const proof = await file('proof', south);
  assert.deepEqual(
    [proof.filename, proof.type, proof.head],
    ['vitrine-chain-2026-11-01-2026-11-02.vitrine-chain', 'application/vnd.vitrine.chain', ''],
  );
  const [first] = (await textOf(proof)).split('\n') as [string];
  assert.deepEqual(JSON.parse(first), {
    ...{ vitrine: 'chain', version: 1, headquarters: 'HQ', from: '2026-11-01', to: '2026-11-02' },
    ...{ made_at: NOON / 1000, stores: [{ id: '8', name: 'Shop 8', keys: [dock.key] }] },
  });
  const looked: number[] = [];
  const { newest } = kept;
  kept.newest = (selection, limit) => {
    looked.push(limit);
    return newest.call(kept, selection, limit);
  };
  for (const offset of [10_000, 10_001]) {
    const { rows, total } = await reports.list(ANNA, { ...WHICH, limit: 1, offset });
    assert.deepEqual([rows, total], [[], MANY + 3]);
  }
  assert.deepEqual(looked, [10_001], 'single plays are paged through so far');
});

test('report of single plays names the store whose segment files are missing, and its sums stay complete', async (t) => {
  const { mill, dock, show, reports, sums, folder } = setUp(t);
  for (const store of [mill, dock]) await show(store, [{ started_ms: NOON }]);
  rmSync(join(folder, 'chain', mill.ref), { recursive: true });
  const lost = { status: 503, message: /^The single plays of Shop 10 are not on this computer/ };
  const ask = { ...WHICH, by: 'content', format: 'csv' } as const;
  await assert.rejects(reports.list(ANNA, { ...WHICH, ...PAGE }), lost);
  await assert.rejects(reports.export(ANNA, ask), lost);
  await assert.rejects(reports.export(ANNA, { ...ask, format: 'proof' }), lost);
  assert.equal((await reports.export(ANNA, { ...ask, format: 'sums' })).type, 'text/csv; charset=utf-8');
  assert.equal((await sums('content')).rows[0]!.plays, 2);
  assert.equal((await reports.list(ANNA, { ...WHICH, ...PAGE, region: 'South' })).total, 1);
});

test('file of missing plays lists each gap in the numbers of a screen, also when the request filters by content', async (t) => {
  const { reports, textOf, mill, dock, writer, take } = setUp(t);
  const send = async (to: typeof mill, epoch: string, numbers: readonly number[], first = 1) => {
    const made = numbers.map((seq, i) =>
      playOf(first + i, seq, { started_ms: NOON + seq * 1_000, ended_ms: NOON + seq * 1_000 + 500, seq }),
    );
    await writer.through(to, [{ epoch, first: 1 }]);
    const stretch = { epoch, first, last: first + made.length - 1, plays: made };
    assert.equal(await take(to, segmentOf(to.of, to.ref, stretch).file), 'taken');
  };
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  await send(mill, epochOf(mill.id), [...range(1, 40), ...range(61, 70)]);
  await send(dock, epochOf(dock.id), range(1, 9));
  const missing = async (more: object = {}) =>
    textOf(await reports.export(ANNA, { ...WHICH, by: 'content', format: 'missing', ...more }));
  const head = 'Store,Region,Screen,First missing,Last missing,Plays missing,After,Before\n';
  const line = 'Shop 10,North,till,41,60,20,2026-11-02T12:00:40.500Z,2026-11-02T12:01:01.500Z\n';
  assert.equal(await missing(), head + line);
  assert.equal(await missing({ content: 'Other.jpg' }), head + line);
  assert.equal(await missing({ region: 'South' }), head);
  const { filename } = await reports.export(ANNA, { ...WHICH, by: 'content', format: 'missing' });
  assert.match(filename, /^vitrine-chain-.*-missing\.csv$/);
});
