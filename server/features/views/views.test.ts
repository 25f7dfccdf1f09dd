import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_VIEWS } from '../../../shared/contract/views.ts';
import { callAs, colleague, must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';

const shops = openShops();

test('a view is its owner’s alone, and one of the same name takes its place', async (t) => {
  const { site, owner, call } = await shops.open(t);
  const query = { tag: 'window', view: 'table', sort: 'name' };
  const first = must(await call('POST', '/api/views', { name: 'Windows', query }), 201);
  await call('POST', '/api/views', { name: 'All', query: {} });
  const again = must(await call('POST', '/api/views', { name: 'Windows', query: { state: 'offline' } }), 201);
  const list = must(await call('GET', '/api/views'));
  assert.deepEqual(
    list.map(({ name, query: kept }: { name: string; query: object }) => [name, kept]),
    [
      ['All', {}],
      ['Windows', { state: 'offline' }],
    ],
  );
  assert.equal((await call('DELETE', `/api/views/${first.id}`)).status, 404);

  const viewer = await colleague(site, owner, 'views@store.test', 'workspace_viewer');
  const asViewer = callAs(site, viewer.token);
  assert.deepEqual(must(await asViewer('GET', '/api/views')), []);
  assert.equal((await asViewer('DELETE', `/api/views/${again.id}`)).status, 404);
  must(await asViewer('POST', '/api/views', { name: 'Mine', query }), 201);
  must(await call('DELETE', `/api/views/${again.id}`));
  assert.equal(must(await call('GET', '/api/views')).length, 1);
});

test('a view is renamed, or holds something else; a name that another has is refused, another’s view not found', async (t) => {
  const { site, owner, call } = await shops.open(t);
  const make = async (name: string) => must(await call('POST', '/api/views', { name, query: { q: name } }), 201);
  const [one, two] = [await make('One'), await make('Two')];
  const renamed = must(await call('PUT', `/api/views/${one.id}`, { name: 'Eins' }));
  assert.deepEqual([renamed.name, renamed.query, renamed.created_at], ['Eins', { q: 'One' }, one.created_at]);
  must(await call('PUT', `/api/views/${one.id}`, { name: 'Eins', query: { tag: 'till' } }));
  assert.equal((await call('PUT', `/api/views/${two.id}`, { name: 'Eins' })).status, 409);
  assert.equal((await call('PUT', `/api/views/${two.id}`, { name: ' ' })).status, 400);
  const other = await colleague(site, owner, 'other@store.test', 'workspace_editor');
  assert.equal((await callAs(site, other.token)('PUT', `/api/views/${two.id}`, { name: 'Mine' })).status, 404);
  const list = must(await call('GET', '/api/views'));
  assert.deepEqual(
    list.map(({ name, query }: { name: string; query: object }) => [name, query]),
    [
      ['Eins', { tag: 'till' }],
      ['Two', { q: 'Two' }],
    ],
  );
});

test('there are so many and no more, and what is no address is refused', async (t) => {
  const { call } = await shops.open(t);
  for (let n = 0; n < MAX_VIEWS; n++) must(await call('POST', '/api/views', { name: `View ${n}`, query: {} }), 201);
  assert.equal((await call('POST', '/api/views', { name: 'One more', query: {} })).status, 400);
  assert.equal((await call('POST', '/api/views', { name: 'View 3', query: { q: 'x' } })).status, 201);
  for (const query of [{ q: 1 }, { 'a b': 'x' }, { q: 'x'.repeat(301) }, null])
    assert.equal((await call('POST', '/api/views', { name: 'V', query })).status, 400);
});
