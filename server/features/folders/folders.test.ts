import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { TestClock } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';
import { openDatabase } from '../../db/open.ts';
import { Bus } from '../../kernel/bus.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { addWorkspace } from '../reports/testing/plays.ts';
import { FoldersService } from './folders.service.ts';
import { FoldersStore } from './folders.store.ts';

const shops = openShops();
const setUp = async (t: TestContext) => {
  const shop = await shops.open(t);
  return { ...shop, folder: (name: string, parent_id?: string) => shop.make('/api/folders', { name, parent_id }) };
};

test('a folder has id, name, parent_id, workspace_id and created_at, and the list is oldest first with a total', async (t) => {
  const { owner, call, folder } = await setUp(t);
  const food = await folder('Food');
  const { id, created_at, ...rest } = food;
  assert.deepEqual(rest, { name: 'Food', parent_id: null, workspace_id: owner.workspaceId });
  assert.ok(id && Number.isInteger(created_at));
  const drinks = await folder('Drinks', id);
  assert.equal(drinks.parent_id, id);
  const list = await call('GET', '/api/folders');
  assert.deepEqual([list.body, list.headers.get('x-total-count')], [[food, drinks], '2']);
});

test('names are 1 to 100 characters without control characters', async (t) => {
  const { call } = await setUp(t);
  for (const name of [undefined, null, '', '  ', 5, 'x'.repeat(101), 'a\u0000b', 'a\nb']) {
    const { status, body } = await call('POST', '/api/folders', { name });
    assert.equal(status, 400, String(name));
    assert.match(body.error, /^name: /);
  }
  assert.equal(must(await call('POST', '/api/folders', { name: `  ${'x'.repeat(100)} ` }), 201).name.length, 100);
});

test('a folder moves with all folders beneath it, and moves to the root by null, "" or "root"', async (t) => {
  const { call, folder } = await setUp(t);
  const [a, b] = [await folder('A'), await folder('B')];
  assert.equal(must(await call('PUT', `/api/folders/${b.id}`, { parent_id: a.id, name: 'B2' })).parent_id, a.id);
  for (const root of [null, '', 'root']) {
    must(await call('PUT', `/api/folders/${b.id}`, { parent_id: a.id }));
    assert.deepEqual(must(await call('PUT', `/api/folders/${b.id}`, { parent_id: root })), {
      ...b,
      name: 'B2',
      parent_id: null,
    });
  }
  assert.equal(must(await call('PUT', `/api/folders/${b.id}`, {})).name, 'B2');
});

test('moving a folder into itself or into a folder beneath it answers 400', async (t) => {
  const { call, folder } = await setUp(t);
  const a = await folder('A');
  const b = await folder('B', a.id);
  const c = await folder('C', b.id);
  for (const parent_id of [a.id, b.id, c.id])
    assert.equal((await call('PUT', `/api/folders/${a.id}`, { parent_id })).status, 400);
  assert.equal((await call('PUT', `/api/folders/${c.id}`, { parent_id: a.id })).status, 200);
});

test('an unknown parent or folder answers 404', async (t) => {
  const { call, folder } = await setUp(t);
  const a = await folder('A');
  assert.equal((await call('POST', '/api/folders', { name: 'X', parent_id: 'unknown' })).status, 404);
  assert.equal((await call('PUT', `/api/folders/${a.id}`, { parent_id: 'unknown' })).status, 404);
  assert.equal((await call('PUT', '/api/folders/unknown', { name: 'X' })).status, 404);
  assert.equal((await call('DELETE', '/api/folders/unknown')).status, 404);
});

test('deleting a folder deletes the folders beneath it, and their content moves to the root', async (t) => {
  const { image, call, folder } = await setUp(t);
  const a = await folder('A');
  const b = await folder('B', a.id);
  const keep = await folder('Keep');
  const inB = await image();
  must(await call('PUT', `/api/content/${inB}`, { folder_id: b.id }));
  assert.equal(must(await call('GET', '/api/content?folder_id=root')).length, 0);
  assert.deepEqual((await call('DELETE', `/api/folders/${a.id}`)).body, { success: true });
  assert.deepEqual(must(await call('GET', '/api/folders')), [keep]);
  assert.equal(must(await call('GET', `/api/content/${inB}`)).folder_id, null);
  assert.equal(must(await call('GET', '/api/content?folder_id=root')).length, 1);
});

test('a workspace has at most 1,000 folders, and creating one more answers 400', async (t) => {
  const { site, owner, call, folder } = await setUp(t);
  const last = await folder('one');
  const { db } = site.app;
  db.write(() => {
    const insert = db.raw.prepare('INSERT INTO folders (id, workspace_id, name, created_at) VALUES (?, ?, ?, 0)');
    for (let i = 1; i < 1000; i++) insert.run(`f${i}`, owner.workspaceId, `f${i}`);
  });
  const { status, body } = await call('POST', '/api/folders', { name: 'one too many' });
  assert.equal(status, 400);
  assert.match(body.error, /1000 folders/);
  must(await call('DELETE', `/api/folders/${last.id}`));
  must(await call('POST', '/api/folders', { name: 'fits again' }), 201);
});

const ACTOR = { workspaceId: 'w', userId: 'ann', userName: 'Ann', ip: '192.0.2.1' } as WorkspaceActor;

const alone = (t: TestContext) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  for (const id of ['w', 'v']) addWorkspace(db, id);
  const bus = new Bus((_event, error) => {
    throw error;
  });
  const told: unknown[] = [];
  bus.on('changed', ({ topic, ids, screens }) => told.push([topic, ids, screens]));
  const acts: string[] = [];
  const forgotten: unknown[] = [];
  const service = new FoldersService({
    db,
    bus,
    clock: new TestClock(),
    store: new FoldersStore(db),
    activity: { add: ({ action, details }) => void acts.push(`${action}: ${details}`) },
    members: { forget: (what, { workspaceId }, ids) => void forgotten.push([what, workspaceId, ids]) },
  });
  const folder = (name: string, parent_id?: string | null, actor = ACTOR) => service.create(actor, { name, parent_id });
  const content = (id: string, folderId: string | null) =>
    db.raw
      .prepare(
        "INSERT INTO content (id, workspace_id, filename, mime_type, kind, folder_id, created_at, updated_at) VALUES (?, 'w', 'c', 'image/gif', 'image', ?, 0, 0)",
      )
      .run(id, folderId);
  /** Returns the announcements, log entries and removed rights that an action causes. */
  const hear = async (act: () => unknown) => {
    act();
    await db.durable();
    return { told: told.splice(0), acts: acts.splice(0), forgotten: forgotten.splice(0) };
  };
  return { db, service, folder, content, hear };
};

test('each change of a folder is logged with its name and announced once, and a change without fields does neither', async (t) => {
  const { service, folder, hear } = alone(t);
  let id = '';
  const said = (action: string, name: string) => ({
    told: [['folders', [id], undefined]],
    acts: [`folder.${action}: ${name}`],
    forgotten: [],
  });
  assert.deepEqual(await hear(() => void (id = folder('Food').id)), said('created', 'Food'));
  assert.deepEqual(await hear(() => service.update(ACTOR, id, { name: 'Drinks' })), said('updated', 'Drinks'));
  assert.deepEqual(await hear(() => service.update(ACTOR, id, { parent_id: null })), said('updated', 'Drinks'));
  assert.deepEqual(await hear(() => service.update(ACTOR, id, {})), { told: [], acts: [], forgotten: [] });
});

test('deleting a folder deletes only folders beneath it, announces their contents, and removes rights to them', async (t) => {
  const { db, service, folder, content, hear } = alone(t);
  const one = folder('One');
  const beneath = folder('Beneath', one.id);
  const other = folder('Other', null);
  const foreign = folder('Foreign', undefined, { ...ACTOR, workspaceId: 'v' });
  assert.deepEqual([one.parent_id, beneath.parent_id, other.parent_id], [null, one.id, null]);
  content('a', one.id);
  content('b', beneath.id);
  content('c', other.id);
  content('d', null);
  await hear(() => {});
  const gone = [one.id, beneath.id];
  assert.deepEqual(await hear(() => service.delete(ACTOR, one.id)), {
    told: [
      ['folders', gone, undefined],
      ['content', ['a', 'b'], false],
    ],
    acts: ['folder.deleted: One'],
    forgotten: [['folder_ids', 'w', gone]],
  });
  assert.deepEqual(db.raw.prepare('SELECT id, folder_id, revision FROM content ORDER BY id').raw().all(), [
    ['a', null, 2],
    ['b', null, 2],
    ['c', other.id, 1],
    ['d', null, 1],
  ]);
  const { told } = await hear(() => service.delete(ACTOR, other.id));
  assert.deepEqual(told.slice(1), [['content', ['c'], false]]);
  const empty = folder('Empty');
  assert.deepEqual((await hear(() => service.delete(ACTOR, empty.id))).told.slice(1), [
    ['folders', [empty.id], undefined],
  ]);
  assert.deepEqual(
    [service.list(ACTOR), service.exists('w', foreign.id), service.exists('v', foreign.id)],
    [[], false, true],
  );
});

test('a folder of another workspace cannot be a parent, and cannot be changed', (t) => {
  const { service, folder } = alone(t);
  const elsewhere = { ...ACTOR, workspaceId: 'v' };
  const [mine, foreign] = [folder('Mine'), folder('Foreign', undefined, elsewhere)];
  for (const act of [
    () => folder('X', foreign.id),
    () => service.update(ACTOR, mine.id, { parent_id: foreign.id }),
    () => service.update(ACTOR, foreign.id, { name: 'X' }),
    () => service.delete(ACTOR, foreign.id),
  ])
    assert.throws(act, { status: 404 });
  assert.deepEqual([service.list(ACTOR), service.list(elsewhere)], [[mine], [foreign]]);
});
