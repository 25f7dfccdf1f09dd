import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';

const shops = openShops();
const setUp = async (t: TestContext) => {
  const shop = await shops.open(t);
  return { ...shop, folder: (name: string, parent_id?: string) => shop.make('/api/folders', { name, parent_id }) };
};

test('a folder has id, name, parent_id, workspace_id and created_at; the list is oldest first and counted', async (t) => {
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

test('a folder moves with all beneath it; to the root by null, "" or "root"', async (t) => {
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

test('a folder cannot go into itself or into one beneath it: 400', async (t) => {
  const { call, folder } = await setUp(t);
  const a = await folder('A');
  const b = await folder('B', a.id);
  const c = await folder('C', b.id);
  for (const parent_id of [a.id, b.id, c.id])
    assert.equal((await call('PUT', `/api/folders/${a.id}`, { parent_id })).status, 400);
  assert.equal((await call('PUT', `/api/folders/${c.id}`, { parent_id: a.id })).status, 200);
});

test('a parent or folder that does not exist here is 404', async (t) => {
  const { call, folder } = await setUp(t);
  const a = await folder('A');
  assert.equal((await call('POST', '/api/folders', { name: 'X', parent_id: 'unknown' })).status, 404);
  assert.equal((await call('PUT', `/api/folders/${a.id}`, { parent_id: 'unknown' })).status, 404);
  assert.equal((await call('PUT', '/api/folders/unknown', { name: 'X' })).status, 404);
  assert.equal((await call('DELETE', '/api/folders/unknown')).status, 404);
});

test('deleting a folder removes what is beneath it; its content moves to the root', async (t) => {
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

test('a workspace holds at most 1,000 folders; beyond that 400', async (t) => {
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
