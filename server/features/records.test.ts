import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../shared/contract/errors.ts';
import { planAll } from '../../test/plan-all.ts';
import { openDatabase } from '../db/open.ts';
import { playlists } from '../db/schema.ts';
import { Bus } from '../kernel/bus.ts';
import { FoldersStore } from './folders/folders.store.ts';
import { ofOwner, RecordsStore } from './records.store.ts';
import { Records } from './records.ts';
import { addDevice, addWorkspace } from './reports/testing/plays.ts';

type Row = typeof playlists.$inferSelect;
class Playlists extends RecordsStore<typeof playlists> {}

const open = (deviceOf?: (row: Row) => string) => {
  const db = openDatabase(':memory:');
  for (const id of ['here', 'there']) addWorkspace(db, id);
  const store = new Playlists(db, playlists);
  const bus = new Bus(() => {});
  const activity = { add: mock.fn() };
  const announced = mock.fn();
  bus.on('changed', announced);
  const records = new Records({
    db,
    bus,
    activity,
    store,
    topic: 'playlists',
    noun: 'Playlist',
    nameOf: (row: Row) => row.name,
    ...(deviceOf && { deviceOf }),
  });
  const add = (workspace_id: string, id: string, created_at = 0) =>
    db.write(() => store.insert({ id, workspace_id, name: `Named ${id}`, created_at, updated_at: 0 }));
  return { db, store, records, activity, announced, add };
};
const actor = { workspaceId: 'here', userId: 'anna', userName: 'Anna', ip: '192.0.2.1' };
const refused = (status: number, message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.status === status && message.test(error.message);

test('a workspace lists only its own records, oldest first, then by id', () => {
  const { store, records, add } = open();
  const made = fc.record({ age: fc.nat(3), there: fc.boolean() });
  const before = { here: 0, there: 0 };
  fc.assert(
    fc.property(fc.array(made, { maxLength: 5 }), (several) => {
      for (const { age, there } of several) {
        const workspace = there ? 'there' : 'here';
        const id = `${workspace}-${before[workspace]++}`;
        assert.equal(add(workspace, id, age).revision, 1);
        assert.equal(store.find(workspace, id)?.created_at, age);
        assert.equal(store.find(there ? 'here' : 'there', id), undefined);
      }
      for (const workspaceId of ['here', 'there'] as const) {
        const found = store.ofWorkspace(workspaceId);
        const sorted = found.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
        assert.deepEqual(found, sorted);
        assert.ok(found.every((row) => row.workspace_id === workspaceId));
        assert.equal(found.length, before[workspaceId]);
        assert.equal(store.count(workspaceId), before[workspaceId]);
      }
    }),
    { numRuns: 20 },
  );
  const { here } = before;
  records.requireRoom(actor, here + 1);
  assert.throws(() => records.requireRoom(actor, here), refused(400, new RegExp(`at most ${here} playlists$`)));
});

test('the records of a workspace can be filtered: all, its own, or those of headquarters', () => {
  const { db, add } = open();
  for (const workspace of ['here', 'there']) {
    for (const id of ['own', 'held']) add(workspace, `${id} ${workspace}`);
    db.raw.exec(`
      INSERT INTO chain_links (workspace_id, store, name, address, headquarters, key, certificate, enrolled_at, enrolled_by)
        VALUES ('${workspace}', '', '', '', '', '', '', 0, '');
      INSERT INTO chain_records (workspace_id, kind, id, campaign)
        VALUES ('${workspace}', 'playlists', 'held ${workspace}', 'c'), ('${workspace}', 'content', 'own ${workspace}', 'c')`);
  }
  const ids = (owner: 'store' | 'headquarters' | undefined) =>
    db.orm
      .select({ id: playlists.id })
      .from(playlists)
      .where(ofOwner(playlists, 'playlists', { workspaceId: 'here', owner }))
      .all()
      .map(({ id }) => id)
      .toSorted();
  assert.deepEqual(
    [ids(undefined), ids('store'), ids('headquarters')],
    [['held here', 'own here'], ['own here'], ['held here']],
  );
});

test('changing a record raises only its revision, and deleting removes only this record', () => {
  const { db, store, add } = open();
  for (const id of ['a', 'b']) add('here', id);
  db.write(() => {
    const row = store.update('a', { name: 'Other' });
    assert.deepEqual([row.name, row.revision], ['Other', 2]);
    assert.equal(store.find('here', 'b')?.revision, 1);
    store.delete('a');
  });
  assert.deepEqual(
    store.ofWorkspace('here').map(({ id }) => id),
    ['b'],
  );
});

test('a record of a kind without revisions can be changed', () => {
  const { db } = open();
  const store = new FoldersStore(db);
  const folder = { id: 'a', workspace_id: 'here', name: 'A', parent_id: null, created_at: 0 };
  const changed = db.write(() => {
    store.insert(folder);
    return store.update('a', { name: 'B' });
  });
  assert.deepEqual(changed, { ...folder, name: 'B' });
});

test('an edit needs an existing record with the client’s revision, and is logged and announced once', async () => {
  const { db, records, store, add, activity, announced } = open();
  add('here', 'a');
  const edit = (id: string, ifMatch?: string, screens?: boolean) =>
    records.edit(actor, id, { action: 'playlist.updated', ifMatch, ...(screens !== undefined && { screens }) }, () =>
      store.update('a', { name: 'Other' }),
    );
  assert.throws(() => edit('b'), refused(404, /^Playlist /));
  assert.throws(() => edit('a', '"2"'), refused(412, /^The playlist /));
  assert.equal(activity.add.mock.callCount() + announced.mock.callCount(), 0);

  assert.equal(edit('a', '"1"', false).name, 'Other');
  edit('a');
  const said = { workspaceId: 'here', actor, action: 'playlist.updated', deviceId: null };
  assert.deepEqual(
    activity.add.mock.calls.map((call) => call.arguments[0]),
    [
      { ...said, details: 'Named a', record: { id: 'a', name: 'Other' } },
      { ...said, details: 'Other', record: { id: 'a', name: 'Other' } },
    ],
  );
  await db.durable();
  const change = { workspaceId: 'here', by: 'anna', topic: 'playlists', ids: ['a'] };
  assert.deepEqual(
    announced.mock.calls.map((call) => call.arguments[0]),
    [{ ...change, screens: false }, change],
  );
});

test('a change of a device’s record is logged with the device, and all given ids are announced', async () => {
  const { db, records, store, activity, announced } = open((row) => row.description);
  const row = db.write(() => {
    const made = { id: 'a', workspace_id: 'here', name: 'A', description: 'its device', created_at: 0, updated_at: 0 };
    const inserted = store.insert(made);
    records.changed(actor, 'playlist.created', inserted);
    records.changed(actor, 'playlist.created', inserted, { ids: ['b', 'c'] });
    return inserted;
  });
  await db.durable();
  assert.deepEqual(
    activity.add.mock.calls.map((call) => call.arguments[0].deviceId),
    [row.description, row.description],
  );
  assert.deepEqual(
    announced.mock.calls.map((call) => call.arguments[0].ids),
    [['a'], ['b', 'c']],
  );
});

test('a device is found only in its workspace, and a change of a device’s reference raises its revision', () => {
  const { db, store, add } = open();
  for (const id of ['a', 'b']) addDevice(db, 'here', id);
  add('here', 'list');
  assert.equal(store.device('there', 'a'), undefined);
  assert.deepEqual(store.device('here', 'a'), {
    id: 'a',
    name: 'a',
    playlist_id: null,
    timezone: 'UTC',
    revision: 1,
  });
  assert.equal(
    db.write(() => store.updateDevice('a', { playlist_id: 'list' })),
    2,
  );
  assert.deepEqual([store.device('here', 'a')?.playlist_id, store.device('here', 'b')?.playlist_id], ['list', null]);
});

test('a record can refer only to records of its own workspace, and to templates of layouts', () => {
  const { db, store, add } = open();
  add('here', 'list');
  const layout = db.raw.prepare(
    'INSERT INTO layouts (id, workspace_id, name, width, height, created_at, updated_at) VALUES (?, ?, ?, 1, 1, 0, 0)',
  );
  for (const workspace of ['here', 'there', null]) layout.run(`layout ${workspace}`, workspace, 'L');
  assert.equal(store.exists('here', 'playlist', 'list'), true);
  assert.equal(store.exists('here', 'playlist', 'none'), false);
  assert.equal(store.exists('here', 'group', 'list'), false);
  assert.equal(store.exists('there', 'playlist', 'list'), false);
  assert.deepEqual(
    ['layout here', 'layout there', 'layout null'].map((id) => store.exists('here', 'layout', id)),
    [true, false, true],
  );
});

test('schedules that show only the deleted record are deleted with it', () => {
  const { db, store, add } = open();
  add('here', 'list');
  addDevice(db, 'here', 'screen');
  db.raw
    .prepare(
      "INSERT INTO layouts (id, workspace_id, name, width, height, created_at, updated_at) VALUES ('layout', 'here', 'L', 1, 1, 0, 0)",
    )
    .run();
  const schedule = db.raw.prepare(
    `INSERT INTO schedules (id, workspace_id, device_id, playlist_id, layout_id, title, start_time, end_time, timezone, created_at, updated_at)
     VALUES (?, 'here', 'screen', ?, ?, '', '2026-01-01T00:00:00', '2026-01-01T01:00:00', 'UTC', 0, 0)`,
  );
  schedule.run('of it alone', 'list', null);
  schedule.run('of both', 'list', 'layout');
  schedule.run('of another', null, 'layout');
  planAll(db);
  store.deleteSchedulesOfOnly('playlist_id', 'list');
  assert.deepEqual(db.raw.prepare('SELECT id FROM schedules ORDER BY id').pluck().all(), ['of another', 'of both']);
  assert.deepEqual(db.raw.prepare('SELECT id, revision FROM plans ORDER BY id').raw().all(), [
    ['of another', 1],
    ['of both', 2],
  ]);
});
