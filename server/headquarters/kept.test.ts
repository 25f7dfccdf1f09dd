/**
 * Tests the SQL of headquarters: each statement reads and changes only the rows of its store, campaign or workspace.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Connection from 'better-sqlite3';
import type { Readiness } from '../../shared/chain/campaign.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import { put } from '../db/testing/put.ts';
import { addWorkspace } from '../features/reports/testing/plays.ts';
import { CampaignLibraryStore } from './campaigns/campaign-library.store.ts';
import { type CampaignRow, CampaignsStore } from './campaigns/campaigns.store.ts';
import { WarehouseStore } from './plays/warehouse.store.ts';
import { COPIED, type Copied, WarehouseCopyStore } from './plays/warehouse-copy.store.ts';
import { WarehouseHomeStore } from './plays/warehouse-home.store.ts';
import { StoresStore } from './stores/stores.store.ts';
import { DesiredStatesStore } from './transport/desired-states.store.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-hq-'));
const PAGE = { limit: 100, offset: 0 };
const LATER = 1e12;
let db: Database;
before(() => {
  db = openDatabase(join(folder, 'hq.db'));
});
after(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Adds two stores of a workspace, and one store of another workspace. */
const setUp = () => {
  db.write(() => db.raw.exec('DELETE FROM organizations'));
  for (const workspace of ['hq', 'other']) addWorkspace(db, workspace);
  const stores = new StoresStore(db);
  const campaigns = new CampaignsStore(db);
  const desiredStates = new DesiredStatesStore(db);
  const addStore = (ref: string, workspace_id = 'hq') =>
    stores.insert({
      ...{ ref, workspace_id, name: ref, region: '', tags: [], note: '', latitude: null, longitude: null },
      created_at: 1,
    });
  const [mill, dock, abroad] = [addStore('mill'), addStore('dock'), addStore('abroad', 'other')];
  const addCampaign = (id: string, more: Partial<CampaignRow> = {}): CampaignRow => {
    const row: CampaignRow = {
      ...{ id, workspace_id: 'hq', name: id, note: '', rank: 'must', body: '{}', state: 'running', edition: 1 },
      ...{
        changed_by: 'anna',
        asked_by: null,
        asked_by_id: null,
        asked_sha256: null,
        approved_by: null,
        refused: null,
      },
      ...{ started_at: 5, stopped_at: null, revision: 1, created_at: 1, updated_at: 1 },
      ...more,
    };
    campaigns.insert(row);
    return row;
  };
  const addEdition = (
    campaign: string,
    edition: number,
    { doc = `{"n":"${campaign}${edition}"}`, blobs = [''] } = {},
  ) =>
    campaigns.addEdition(
      {
        ...{ campaign, edition, sha256: `${campaign}${edition}`, doc, body: `{"of":"${campaign}${edition}"}` },
        ...{ bytes: 1, made_at: 1, made_by: 'anna', approved_by: null },
      },
      blobs,
    );
  const tell = (store: number, id: string, more: Partial<Readiness> = {}) =>
    desiredStates.setTold(store, {
      ...{ id, edition: 1, phase: 'fetching', applied: null, bytes_left: 6, rate: 1, screens: 3, ready: 0, why: '' },
      ...more,
      told_at: 7,
    });
  return { stores, campaigns, desiredStates, addStore, addCampaign, addEdition, tell, mill, dock, abroad };
};

test('update of one store does not change other stores, and increments the store’s revision', () => {
  const { stores, mill, dock } = setUp();
  const said = { name: 'Mill', region: 'North', tags: ['mall'], note: 'N', latitude: 1, longitude: 2 };
  const others = stores.find(dock);
  stores.update(mill, said);
  stores.setValues([{ id: mill, values: { phone: '1' } }]);
  stores.setHeard(mill, { presence: '{}', heard_at: 3, clock_ms: 4 });
  stores.setSealKey(mill, 'sealed');
  assert.deepEqual([stores.nextStick(mill), stores.nextStick(mill)], [1, 2]);
  stores.setStickTaken(mill, 1, 1);
  const { revision, values, presence, heard_at, clock_ms, seal_key, stick_in, stick_out } = stores.find(mill)!;
  assert.deepEqual({ ...stores.find(mill), ...said }, stores.find(mill));
  assert.deepEqual(
    [revision, values, presence, heard_at, clock_ms, seal_key, stick_in, stick_out],
    [3, { phone: '1' }, '{}', 3, 4, 'sealed', 1, 2],
  );
  stores.setStickTaken(mill, 5, 9);
  assert.equal(stores.nextStick(mill), 10, 'no number is given twice');
  assert.deepEqual(stores.find(dock), others);
  stores.delete(mill);
  assert.deepEqual([stores.find(mill), stores.find(dock)], [undefined, others]);
  assert.equal(stores.all().length, 2);
  const known = db.raw.prepare("SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'hq_sums'").pluck().get();
  assert.equal(known, 0, 'reports are planned as before');
});

test('enrolment code belongs to one store, expires, and is deleted on use', () => {
  const { stores, mill, dock } = setUp();
  stores.setCode(mill, 'first', 100);
  stores.setCode(mill, 'second', 200);
  stores.setCode(dock, 'third', 200);
  assert.deepEqual(
    ['first', 'second', 'third'].map((hash) => stores.byCode(hash, 199)),
    [undefined, mill, dock],
  );
  assert.deepEqual([stores.byCode('second', 200), stores.find(mill)!.expires_at], [undefined, 200]);
  const server = { server_name: 'PC', workspace_name: 'W' };
  stores.enrol(mill, { ...server, key: 'b', at: 9 });
  stores.enrol(mill, { ...server, key: 'a', seal_key: 'sealed', at: 9 });
  stores.enrol(mill, { ...server, key: 'b', at: 10 });
  stores.enrol(dock, { ...server, key: 'c', at: 10 });
  assert.deepEqual([stores.byCode('second', 1), stores.keys(mill), stores.keys(dock)], [undefined, ['b', 'a'], ['c']]);
  const { key, seal_key, server_name, workspace_name, enrolled_at } = stores.find(mill)!;
  assert.deepEqual([key, seal_key, server_name, workspace_name, enrolled_at], ['b', null, 'PC', 'W', 10]);
  stores.leave(mill, 11);
  assert.deepEqual([stores.find(mill)!.key, stores.find(mill)!.left_at, stores.find(dock)!.key], [null, 11, 'c']);
  stores.enrol(mill, { ...server, key: 'd', at: 12 });
  assert.equal(stores.find(mill)!.left_at, null);
});

test('incidents are returned per store, newest first, and the oldest seen incidents beyond 500 are deleted', () => {
  const { stores, mill, dock } = setUp();
  const add = (store: number, id: string, at: number, kind = 'forked', details = id) =>
    stores.addIncident(store, { id, kind, details, at });
  const listed = (store: number, page = PAGE) => stores.incidents(store, page).map(({ id }) => id);
  for (const [id, at] of [
    ['b', 5],
    ['a', 5],
    ['c', 4],
  ] as const)
    add(mill, id, at);
  add(dock, 'd', 9, 'segment_refused');
  assert.deepEqual(
    [listed(mill), listed(mill, { limit: 1, offset: 1 }), listed(dock)],
    [['b', 'a', 'c'], ['a'], ['d']],
  );
  add(mill, 'a', 6, 'forked', 'more');
  add(dock, 'a', 6, 'forked', 'theirs');
  assert.equal(stores.incidents(mill, PAGE)[1]!.details, 'more');
  assert.deepEqual([stores.countIncidents(mill), stores.countIncidents(dock)], [3, 1]);
  assert.deepEqual([stores.find(mill)!.incidents, stores.find(dock)!.incidents], [3, 1]);
  const hasUnseen = (store: number, kind: string) => stores.latestIncident(store, kind)?.seen_at === null;
  const unseen = () => [hasUnseen(mill, 'forked'), hasUnseen(mill, 'segment_refused')];
  assert.deepEqual(unseen(), [true, false]);
  assert.deepEqual([stores.seeIncidents(mill, 8, 'anna'), stores.seeIncidents(mill, 9, 'eva')], [3, 0]);
  assert.deepEqual([unseen(), hasUnseen(dock, 'segment_refused')], [[false, false], true]);
  add(mill, 'a', 5, 'forked', 'counted');
  assert.equal(hasUnseen(mill, 'forked'), false);
  stores.addIncident(mill, { id: 'a', kind: 'forked', details: 'worse', at: 5 }, { showAgain: true });
  assert.equal(hasUnseen(mill, 'forked'), true);
  stores.seeIncidents(mill, 8, 'anna');
  const { seen_at, seen_by } = stores.incidents(mill, PAGE)[0]!;
  assert.deepEqual([seen_at, seen_by, stores.incidents(dock, PAGE)[0]!.seen_at], [8, 'anna', null]);
  for (let n = 0; n < 498; n++) add(mill, `n${n}`, 1);
  assert.deepEqual([stores.countIncidents(mill), listed(mill).includes('c')], [500, false], 'older than others seen');
  for (let n = 498; n < 501; n++) add(mill, `n${n}`, 1);
  assert.deepEqual([stores.countIncidents(mill), stores.find(mill)!.incidents, listed(dock)], [500, 500, ['d']]);
});

test('campaign is found by id and by name, but only in its own workspace', () => {
  const { campaigns, addCampaign } = setUp();
  const sale = addCampaign('sale');
  addCampaign('theirs', { workspace_id: 'other', name: 'sale' });
  addCampaign('waits', { state: 'waiting', edition: null });
  addCampaign('abroad', { workspace_id: 'other', state: 'waiting', stopped_at: 9 });
  assert.deepEqual([campaigns.find('hq', 'sale'), campaigns.find('other', 'sale')], [sale, undefined]);
  assert.deepEqual([campaigns.name('hq', 'sale'), campaigns.name('other', 'sale')], ['sale', undefined]);
  assert.deepEqual([campaigns.named('hq', 'sale'), campaigns.named('other', 'sale')], ['sale', 'theirs']);
  assert.equal(campaigns.named('hq', 'abroad'), undefined);
  assert.deepEqual([campaigns.count('hq'), campaigns.count('other')], [2, 2]);
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
  assert.deepEqual(ids(campaigns.needing('hq', [])), ['waits']);
  assert.deepEqual(ids(campaigns.needing('hq', ['sale', 'theirs'])), ['sale', 'waits']);
  assert.deepEqual(ids(campaigns.live()), ['sale', 'theirs']);
  campaigns.update({ ...sale, name: 'Sale', edition: 2, stopped_at: 9 });
  assert.deepEqual(campaigns.find('hq', 'sale'), { ...sale, name: 'Sale', edition: 2, stopped_at: 9, revision: 2 });
  assert.equal(campaigns.find('other', 'theirs')!.revision, 1);
  campaigns.delete('sale');
  assert.deepEqual([campaigns.count('hq'), campaigns.count('other')], [1, 2]);
  assert.equal(campaigns.isApprovalNeeded('hq'), false);
  db.write(() => db.raw.exec("UPDATE workspaces SET approval = 1 WHERE id = 'hq'"));
  assert.deepEqual([campaigns.isApprovalNeeded('hq'), campaigns.isApprovalNeeded('other')], [true, false]);
});

test('campaign list shows running and waiting campaigns first, then the newest, and finds parts of their names', () => {
  const { campaigns, addCampaign } = setUp();
  for (const [id, state, created_at] of [
    ['Über', 'draft', 3],
    ['old', 'running', 1],
    ['same', 'waiting', 2],
    ['later', 'running', 2],
    ['over', 'stopped', 9],
  ] as const)
    addCampaign(id, { state, created_at });
  addCampaign('other', { workspace_id: 'other', created_at: 10 });
  const listed = (filter: { q?: string; state?: CampaignRow['state'] } = {}, page = PAGE) => {
    const { rows, total } = campaigns.page('hq', { q: undefined, state: undefined, ...filter }, page);
    return [rows.map(({ id }) => id), total];
  };
  assert.deepEqual(listed(), [['later', 'same', 'old', 'over', 'Über'], 5]);
  assert.deepEqual(listed({}, { limit: 2, offset: 1 }), [['same', 'old'], 5]);
  assert.deepEqual(listed({ q: ' UBER ' }), [['Über'], 1]);
  assert.deepEqual(listed({ q: ' ' })[1], 5);
  assert.deepEqual(listed({ state: 'running' }), [['later', 'old'], 2]);
  assert.deepEqual(listed({ state: 'running', q: 'l' }, { limit: 1, offset: 0 }), [['later'], 2]);
});

test('editions are returned per campaign, newest first, and old editions are deleted with their lists of files', () => {
  const { campaigns, desiredStates, addCampaign, addEdition } = setUp();
  for (const id of ['sale', 'other']) {
    addCampaign(id);
    for (const edition of [1, 2, 3]) addEdition(id, edition, { blobs: [`${id}${edition}a`, 'shared'] });
  }
  const listed = (id: string, page = PAGE) => {
    const { rows, total } = campaigns.editions(id, page);
    return [rows.map(({ edition }) => edition), total];
  };
  assert.deepEqual(listed('sale'), [[3, 2, 1], 3]);
  assert.deepEqual(listed('sale', { limit: 1, offset: 1 }), [[2], 3]);
  assert.equal(campaigns.edition('sale', 2)!.sha256, 'sale2');
  assert.equal(desiredStates.document('sale2'), '{"n":"sale2"}');
  assert.deepEqual(desiredStates.needs('sale', 2), { bytes: 13, files: ['sale2a', 'shared'], template: null });
  const template = '{"version":2,"ä":1}';
  addEdition('sale', 4, { doc: template });
  assert.deepEqual(desiredStates.needs('sale', 4), { bytes: template.length + 1, files: [''], template });
  addEdition('sale', 5, { doc: '{"version":1}' });
  assert.equal(desiredStates.needs('sale', 5).template, null, 'it is the same for all stores');
  campaigns.dropEditions('sale', 5);
  assert.equal(campaigns.editions('sale', PAGE).total, 5, 'there are no more than are kept');
  campaigns.dropEditions('sale', 3);
  assert.deepEqual(
    [listed('sale'), listed('other')],
    [
      [[5, 4, 3], 3],
      [[3, 2, 1], 3],
    ],
  );
  const blobs = (id: string) =>
    db.raw.prepare('SELECT DISTINCT edition FROM hq_blobs WHERE campaign = ? ORDER BY edition').pluck().all(id);
  assert.deepEqual(
    [blobs('sale'), blobs('other')],
    [
      [3, 4, 5],
      [1, 2, 3],
    ],
  );
});

test('live() returns the running editions of a workspace in the order of their start', () => {
  const { desiredStates, addCampaign, addEdition, mill, dock } = setUp();
  const add = (id: string, more: Partial<CampaignRow>) => {
    addCampaign(id, more);
    for (const edition of [1, 2]) addEdition(id, edition);
  };
  add('c', { started_at: 5 });
  add('b', { started_at: 6 });
  add('a', { started_at: 6, edition: 2 });
  add('stopped', { stopped_at: 7 });
  add('draft', { edition: null, started_at: null });
  add('abroad', { workspace_id: 'other' });
  assert.deepEqual(
    desiredStates.live('hq').map(({ sha256, body }) => [sha256, body]),
    [
      ['c1', '{"of":"c1"}'],
      ['a2', '{"of":"a2"}'],
      ['b1', '{"of":"b1"}'],
    ],
  );
  assert.deepEqual(desiredStates.workspaces().sort(), ['hq', 'other']);
  desiredStates.setDesired(mill, { rev: 1, text: 'first', signature: 's', issued_ms: 1 });
  desiredStates.setDesired(mill, { rev: 2, text: 'second', signature: 't', issued_ms: 2 });
  desiredStates.setDesired(dock, { rev: 9, text: 'dock', signature: 'u', issued_ms: 2 });
  assert.deepEqual(desiredStates.desired(mill), { rev: 2, text: 'second', signature: 't' });
  assert.deepEqual(
    [...desiredStates.revs()],
    [
      [mill, 2],
      [dock, 9],
    ],
  );
});

test('progress of a campaign is stored per store, and counted per edition', () => {
  const { campaigns, desiredStates, addCampaign, tell, mill, dock, abroad } = setUp();
  for (const id of ['sale', 'more']) addCampaign(id);
  tell(mill, 'sale', { phase: 'armed', bytes_left: 0 });
  tell(dock, 'sale', { phase: 'refused', why: 'No.' });
  tell(abroad, 'sale', { phase: 'armed', edition: 2 });
  tell(mill, 'more', { phase: 'showing', applied: 1 });
  const phases = (edition: number, among?: number[]) =>
    Object.fromEntries(campaigns.phases('sale', edition, among).map(({ phase, stores }) => [phase, stores]));
  assert.deepEqual([phases(1), phases(2)], [{ armed: 1, refused: 1 }, { armed: 1 }]);
  assert.deepEqual([phases(1, [dock, abroad]), phases(1, [])], [{ refused: 1 }, {}]);
  assert.deepEqual([...campaigns.readiness('sale').keys()].sort(), [mill, dock, abroad]);
  const { phase, why, told_at } = campaigns.lastReportOf('sale', dock)!;
  assert.deepEqual([phase, why, told_at, campaigns.lastReportOf('more', dock)], ['refused', 'No.', 7, undefined]);
  const { there, lastReports } = campaigns.behind('sale', 1);
  assert.deepEqual([[...there], [...lastReports.keys()].sort()], [[mill], [dock, abroad]]);
  assert.deepEqual([...desiredStates.listReports(mill).values()].map(({ id, phase }) => [id, phase]).sort(), [
    ['more', 'showing'],
    ['sale', 'armed'],
  ]);
  tell(mill, 'sale', { phase: 'showing', edition: 2, applied: 2, ready: 3 });
  assert.deepEqual(
    { ...desiredStates.listReports(mill).get('sale'), id: '' },
    {
      ...{ id: '', edition: 2, phase: 'showing', applied: 2, bytes_left: 6, rate: 1, screens: 3, ready: 3, why: '' },
    },
  );
  assert.equal(desiredStates.listReports(dock).get('sale')!.edition, 1);
  desiredStates.forgetTold(mill, ['sale']);
  assert.deepEqual(
    [[...desiredStates.listReports(mill).keys()], [...desiredStates.listReports(dock).keys()]],
    [['sale'], ['sale']],
  );
  tell(mill, 'more');
  campaigns.forgetReadiness('sale');
  assert.deepEqual([campaigns.readiness('sale').size, campaigns.readiness('more').size], [0, 1]);
});

test('cursors, segments and subjects are separate for each store', () => {
  const { mill, dock } = setUp();
  const kept = new WarehouseStore(db);
  const EPOCHS = ['e1', 'e0'] as const;
  for (const [i, epoch] of EPOCHS.entries()) kept.addEpoch(mill, { epoch, first: 1 + i * 10 }, 'h');
  kept.addEpoch(dock, { epoch: 'e1', first: 1 }, 'h');
  assert.equal(kept.moveCursor(mill, { epoch: 'e1', through: 5, head: 'i' }, 0), true);
  assert.equal(kept.moveCursor(mill, { epoch: 'e1', through: 9, head: 'j' }, 0), false, 'somebody else moved it');
  assert.deepEqual(kept.cursors(mill), [
    { epoch: 'e1', first: 1, through: 5, head: 'i' },
    { epoch: 'e0', first: 11, through: 10, head: 'h' },
  ]);
  assert.deepEqual(kept.cursors(dock), [{ epoch: 'e1', first: 1, through: 0, head: 'h' }]);

  let offset = 0;
  const add = (
    store: number,
    pack: string,
    last: number,
    more: { epoch?: string; plays?: number; at?: number } = {},
  ) => {
    const { epoch = 'e1', plays = 2, at = last * 10 } = more;
    return kept.addSegment({
      ...{ store, epoch, first: last - 1, last, plays, from_ms: at, to_ms: at + 9, fresh: plays, dropped: null, pack },
      ...{ offset: (offset += 7), bytes: 7 },
    } as Parameters<WarehouseStore['addSegment']>[0]);
  };
  const lasts = [2, 4, 6, 8];
  const ids = lasts.map((last) => add(mill, last < 5 ? 'm/a' : 'm/b', last));
  add(dock, 'd/a', 4);
  add(mill, 'm/b', 5, { epoch: 'e0', plays: 0, at: 500 });
  const end = offset + 7;
  assert.deepEqual([kept.endOf('m/b'), kept.endOf('none')], [end, 0]);
  assert.deepEqual(kept.packsIn('m'), [
    { pack: 'm/a', bytes: 21 },
    { pack: 'm/b', bytes: end },
  ]);
  const isIn = (store: number, segmentFiles: string[], start: number, until: number) =>
    kept.isIn(segmentFiles, store, { start, end: until });
  assert.deepEqual(
    [isIn(mill, ['m/a'], 29, 30), isIn(mill, ['m/a'], 30, 40), isIn(mill, ['m/a'], 0, 20), isIn(mill, ['m/a'], 0, 21)],
    [true, false, false, true],
  );
  assert.deepEqual([isIn(dock, ['m/a'], 0, LATER), isIn(mill, ['m/b'], 500, LATER)], [false, false]);
  const from = (first: number) => kept.segmentFrom(mill, 'e1', first)?.last;
  assert.deepEqual([from(1), from(2), from(3), from(8), from(9)], [2, 2, 4, 8, undefined]);
  assert.equal(kept.segmentFrom(dock, 'e1', 1)!.last, 4);
  const between = (limit: number, range: { from: number; to: number }) =>
    kept.between(mill, 'e1', range, limit).map(({ last }) => last);
  assert.deepEqual([between(9, { from: 4, to: 6 }), between(1, { from: 1, to: 9 })], [[4, 6], [2]]);
  const ANY = { start: 0, end: LATER };
  const END = { to_ms: LATER, id: LATER };
  const newest = (stores: number[], time = ANY, before = END, limit = 9) =>
    kept.newestSegments(stores, time, { before, limit }).map(({ store, last }) => `${store} ${last}`);
  const of = (store: number, time = ANY, after = { to_ms: -1, id: 0 }, limit = 9) =>
    kept.segmentsOf(store, time, { after, limit }).map(({ last }) => last);
  // When two segments have the same time, the segment that was stored later counts as newer.
  const same = add(mill, 'm/b', 7, { at: 60 });
  const millNewest = [8, 7, 6, 4, 2].map((last) => `${mill} ${last}`);
  assert.deepEqual([newest([mill]), of(mill)], [millNewest, [2, 4, 6, 7, 8]]);
  assert.deepEqual(newest([mill, dock]).slice(3, 5), [`${dock} 4`, `${mill} 4`]);
  assert.deepEqual([newest([]), of(dock)], [[], [4]]);
  const narrow = { start: 49, end: 60 };
  assert.deepEqual([newest([mill], narrow), of(mill, narrow)], [[`${mill} 4`], [4]]);
  const wide = { start: 50, end: 61 };
  assert.deepEqual(
    [newest([mill], wide), of(mill, wide)],
    [
      [`${mill} 7`, `${mill} 6`],
      [6, 7],
    ],
  );
  assert.deepEqual(newest([mill], ANY, { to_ms: 69, id: same }, 2), [`${mill} 6`, `${mill} 4`]);
  assert.deepEqual(of(mill, ANY, { to_ms: 69, id: ids[2]! }, 1), [7]);
  add(mill, 'm/b', 12, { epoch: 'e0', at: 65 });
  const spans = (start: number, until: number) => kept.spansOf(mill, { start, end: until });
  assert.deepEqual(spans(0, LATER), [
    { epoch: 'e1', from: 2, to: 8 },
    { epoch: 'e0', from: 12, to: 12 },
  ]);
  assert.deepEqual([spans(49, 60), spans(500, LATER)], [[{ epoch: 'e1', from: 4, to: 4 }], []]);

  const beginning = (last: number, back: number) => kept.beginningOf(mill, 'e1', last, back);
  assert.equal(beginning(8, 9), 8, 'no device is in a stretch');
  for (const [device, segment] of [
    ['till', ids[0]!],
    ['till', ids[1]!],
    ['till', ids[1]!],
    ['door', ids[2]!],
  ] as const)
    kept.addMark(mill, device, segment);
  kept.addMark(dock, 'till', ids[0]!);
  assert.deepEqual([beginning(8, 9), beginning(4, 9), beginning(2, 9)], [4, 4, 2]);
  assert.deepEqual([beginning(8, 3), beginning(8, 2), beginning(8, 0)], [4, 6, 8]);
  assert.equal(kept.beginningOf(mill, 'e0', 12, 9), 12);
  assert.equal(db.raw.prepare('SELECT count(*) FROM hq_marks').pluck().get(), 4);

  kept.addOverlap(mill, Buffer.from('p'));
  assert.deepEqual([kept.hasOverlaps(mill), kept.hasOverlaps(dock)], [true, false]);
  assert.deepEqual([kept.isOverlap(mill, Buffer.from('p')), kept.isOverlap(mill, Buffer.from('q'))], [true, false]);
  assert.equal(kept.isOverlap(dock, Buffer.from('p')), false);

  const name = (store: number, name: string, at: number) =>
    kept.subject(store, { kind: 'content', ref: 'r', name, at });
  const first = name(mill, 'A', 5);
  assert.notEqual(name(dock, 'A', 5), first);
  const called = () => db.raw.prepare('SELECT name, named_ms FROM hq_subjects WHERE id = ?').raw().get(first);
  for (const [said, at, is] of [
    ['old', 4, ['A', 5]],
    ['B', 5, ['B', 5]],
    ['B', 6, ['B', 6]],
  ] as const) {
    assert.equal(name(mill, said, at), first);
    assert.deepEqual(called(), is);
  }
});

test('sums count plays per day, store, screen and content, and are deleted one day at a time', () => {
  const { mill, dock } = setUp();
  const kept = new WarehouseStore(db);
  const one = { plays: 1, ms: 10 };
  for (const [store, day, device] of [
    [mill, 1, 0],
    [mill, 1, 0],
    [mill, 1, 7],
    [mill, 3, 0],
    [dock, 1, 0],
  ] as const)
    kept.addToSum({ day, store, device, shown: 1 }, one);
  const sums = () => db.raw.prepare('SELECT scope, day, store, plays, ms FROM hq_sums ORDER BY 1, 2, 3').raw().all();
  const rest = [
    [0, 1, dock, 1, 10],
    [0, 3, mill, 1, 10],
    [1, 1, mill, 1, 10],
  ];
  assert.deepEqual(sums(), [[0, 1, mill, 2, 20], ...rest]);
  assert.deepEqual(
    [kept.dayAfter(0, null), kept.dayAfter(0, 1), kept.dayAfter(0, 3), kept.dayAfter(1, null), kept.dayAfter(1, 1)],
    [1, 3, undefined, 1, undefined],
  );
  kept.deleteSums(0, 1, mill);
  assert.deepEqual(sums(), rest);
  for (const [i, store] of [mill, mill, mill, dock].entries()) kept.addOverlap(store, Buffer.from(String(i)));
  const some = () => kept.deleteSome('hq_overlaps', mill, 2);
  assert.deepEqual([some(), some(), kept.hasOverlaps(mill), kept.hasOverlaps(dock)], [true, false, false, true]);
});

test('campaign library returns only published records of its workspace, and built-in layouts', () => {
  setUp();
  const LAYOUTS = ['plan', 'built-in'];
  db.write(() => {
    db.raw.exec("DELETE FROM blobs WHERE sha256 IN ('h', 't')");
    put(db, 'blobs', { sha256: 'h', size: 10, mime: 'image/png' });
    put(db, 'blobs', { sha256: 't', size: 1, mime: 'image/webp' });
    db.raw.exec("DELETE FROM layouts WHERE id = 'built-in'");
    for (const [workspace_id, mark] of [
      ['other', '-theirs'],
      ['hq', ''],
    ] as const) {
      const id = (name: string) => name + mark;
      const own = { workspace_id };
      put(db, 'layouts', { ...own, id: id('plan'), name: 'Plan', width: 1, height: 2 });
      for (const [zone, position] of [
        ['c', 1],
        ['b', 2],
        ['a', 2],
      ] as const)
        put(db, 'zones', { id: id(zone), layout_id: id('plan'), name: zone, position });
      put(db, 'content', { ...own, id: id('photo'), filename: 'P', sha256: 'h', thumbnail: 't' });
      put(db, 'content', { ...own, id: id('page'), filename: 'W' });
      put(db, 'widgets', { ...own, id: id('clock'), name: 'Clock', widget_type: 'clock', config: '{"a":1}' });
      put(db, 'content', { ...own, id: id('second') });
      put(db, 'kiosk_pages', { ...own, id: id('kiosk'), name: 'Kiosk' });
      put(db, 'playlists', { ...own, id: id('loop'), name: 'Loop', description: 'D', published_ms: 5 });
      put(db, 'playlists', { ...own, id: id('plain'), name: 'Plain', published_transition: '{"kind":"fade"}' });
      const of = (n: number, more: Parameters<typeof put>[2]) =>
        put(db, 'published_items', { id: n + mark.length * 100, playlist_id: id('loop'), blocks: '[]', ...more });
      of(9, { sort_order: 1, content_id: id('photo'), muted: 1, duration_sec: 7, zone_id: id('c') });
      of(8, {
        sort_order: 2,
        widget_id: id('clock'),
        transition: '{"kind":"cut"}',
        blocks: '[{"a":1}]',
        valid_from: '2026-01-01',
      });
      of(7, { sort_order: 2, content_id: id('second'), valid_until: '2026-02-01' });
    }
    put(db, 'layouts', { workspace_id: null, id: 'built-in', name: 'All' });
  });
  const library = new CampaignLibraryStore(db).of('hq');
  const loop = library.playlist('loop')!;
  assert.deepEqual(
    [loop.name, loop.description, loop.published_ms, loop.transition, library.playlist('plain')!.transition],
    ['Loop', 'D', 5, null, { kind: 'fade' }],
  );
  const item = { content_id: null, widget_id: null, zone_id: null, valid_from: null, valid_until: null };
  const shown = { ...item, muted: false, blocks: [], transition: null };
  assert.deepEqual(
    loop.items.map((one) => ({ ...one, duration_sec: 0 })),
    [
      { ...shown, duration_sec: 0, content_id: 'photo', zone_id: 'c', muted: true },
      { ...shown, duration_sec: 0, content_id: 'second', valid_until: '2026-02-01' },
      {
        ...shown,
        duration_sec: 0,
        widget_id: 'clock',
        valid_from: '2026-01-01',
        blocks: [{ a: 1 }],
        transition: { kind: 'cut' },
      },
    ],
  );
  assert.deepEqual([loop.items[0]!.duration_sec, library.playlist('plain')!.items], [7, []]);
  const { width, height, zones } = library.layout('plan')!;
  assert.deepEqual([width, height, zones.map(({ id }) => id)], [1, 2, ['c', 'a', 'b']]);
  const { file, thumbnail, filename } = library.content('photo')!;
  assert.deepEqual(
    [filename, file, thumbnail],
    ['P', { sha256: 'h', size: 10, mime: 'image/png' }, { sha256: 't', size: 1, mime: 'image/webp' }],
  );
  assert.deepEqual([library.content('page')!.file, library.content('page')!.thumbnail], [null, null]);
  assert.deepEqual([library.widget('clock')!.name, library.widget('clock')!.config], ['Clock', { a: 1 }]);
  assert.equal(library.kioskPage('kiosk'), 'Kiosk');
  assert.deepEqual(
    LAYOUTS.map((id) => library.layout(id)?.name),
    ['Plan', 'All'],
  );
  for (const mark of ['-theirs', '-none'])
    assert.deepEqual(
      [
        ...[library.playlist(`loop${mark}`), library.layout(`plan${mark}`), library.content(`photo${mark}`)],
        ...[library.widget(`clock${mark}`), library.kioskPage(`kiosk${mark}`)],
      ],
      Array(5).fill(undefined),
    );
});

test('warehouse copy reads all tables in batches and in order', async () => {
  const { mill, dock, addStore } = setUp();
  const pier = addStore('pier');
  const copy = new WarehouseCopyStore(db);
  const home = new WarehouseHomeStore(db);
  assert.deepEqual([copy.stores(), home.hasPlays, home.database], [[], false, undefined]);
  assert.deepEqual(copy.totals(), { through: 0, plays: 0, ms: 0, bytes: 0 });
  db.write(() => {
    for (const [store, epoch, through] of [
      [mill, 'z', 5],
      [mill, 'a', 7],
    ] as const)
      put(db, 'hq_cursors', { store, epoch, first: 1, through, head: 'h' });
    for (const [id, bytes] of [
      [12, 30],
      [11, 40],
    ] as const)
      put(db, 'hq_segments', { id, store: mill, epoch: 'z', last: id, bytes });
    put(db, 'hq_marks', { store: mill, device: 'till', segment: 11 });
    for (const play of ['p', 'q']) put(db, 'hq_overlaps', { store: mill, play: Buffer.from(play) });
    for (const id of [22, 21]) put(db, 'hq_subjects', { id, store: dock, kind: 'content', ref: String(id), name: 'N' });
    for (const [scope, shown, plays] of [
      [0, 21, 2],
      [0, 22, 3],
      [1, 21, 2],
    ] as const)
      put(db, 'hq_sums', { scope, day: 1, store: mill, device: scope, shown, plays, ms: plays * 10 });
  });
  assert.deepEqual(copy.stores(), [
    { id: mill, ref: 'mill' },
    { id: dock, ref: 'dock' },
  ]);
  assert.ok(!copy.stores().some(({ id }) => id === pier));
  assert.deepEqual(copy.totals(), { through: 12, plays: 7, ms: 70, bytes: 70 });
  const tables = Object.keys(COPIED) as Copied[];
  assert.deepEqual(
    tables.map((table) => copy.count(table)),
    [2, 2, 1, 2, 2, 2, 1],
  );
  const all = (table: Copied, size = 9) => [...copy.rows(table, size)];
  for (const table of tables) {
    const [batch] = all(table);
    assert.equal(batch!.length, copy.count(table), table);
    for (const row of batch!) assert.equal(row.length, COPIED[table].split(', ').length, table);
  }
  const column = (table: Copied, place: number) =>
    all(table)
      .flat()
      .map((row) => row[place]);
  assert.deepEqual(
    [column('cursors', 1), column('segments', 0), column('subjects', 0), column('screen_sums', 2)],
    [['z', 'a'], [11, 12], [21, 22], [1]],
  );
  assert.deepEqual(column('sums', 3).sort(), [2, 3]);
  assert.deepEqual(
    [1, 2, 3].map((size) => all('cursors', size).map((batch) => batch.length)),
    [[1, 1], [2], [2]],
  );
  db.raw.exec('DELETE FROM hq_marks');
  assert.deepEqual(all('marks'), []);

  assert.equal(home.hasPlays, true);
  await home.moveTo('there');
  const disk = new Connection(join(folder, 'hq.db'), { readonly: true });
  const found = disk.prepare("SELECT count(*) FROM settings WHERE key = 'chain_plays_in'").pluck().get();
  disk.close();
  assert.equal(found, 1, 'it is on the disk');
  assert.equal(new WarehouseHomeStore(db).database, 'there');
  await home.moveTo('elsewhere');
  assert.equal(home.database, 'elsewhere');
  db.write(() => db.raw.exec("DELETE FROM settings WHERE key = 'chain_plays_in'"));
  assert.equal(home.database, undefined);
});
