import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MAX_VIEWS } from '../../../shared/contract/screens/views.ts';
import { TestClock } from '../../../test/harness.ts';
import { callAs, colleague, must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';
import { openDatabase } from '../../db/open.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { addWorkspace } from '../reports/testing/plays.ts';
import { ViewsService } from './views.service.ts';
import { ViewsStore } from './views.store.ts';

const shops = openShops();

test('a view is visible only to its owner, and a new view with the same name replaces it', async (t) => {
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

test('a view can be renamed or changed, a name in use is refused, and another user’s view answers 404', async (t) => {
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

test('the number of views is limited, and an invalid query is refused', async (t) => {
  const { call } = await shops.open(t);
  for (let n = 0; n < MAX_VIEWS; n++) must(await call('POST', '/api/views', { name: `View ${n}`, query: {} }), 201);
  assert.equal((await call('POST', '/api/views', { name: 'One more', query: {} })).status, 400);
  assert.equal((await call('POST', '/api/views', { name: 'View 3', query: { q: 'x' } })).status, 201);
  for (const query of [{ q: 1 }, { 'a b': 'x' }, { q: 'x'.repeat(301) }, null])
    assert.equal((await call('POST', '/api/views', { name: 'V', query })).status, 400);
});

const alone = (t: TestContext) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  for (const id of ['v', 'w']) addWorkspace(db, id);
  for (const id of ['ann', 'bob'])
    db.raw.exec(`INSERT INTO users (id, email, name, plan_id, created_at) VALUES ('${id}', '${id}@x', '${id}', '', 0)`);
  const store = new ViewsStore(db);
  const service = new ViewsService({ db, clock: new TestClock(), store });
  const as = (userId: string, workspaceId: string | null) => ({ userId, workspaceId }) as Actor;
  return { service, store, as };
};

test('views belong to a user in a workspace, and cannot be listed, changed or deleted by other users or workspaces', (t) => {
  const { service, store, as } = alone(t);
  const owners = ['ann', 'bob'].flatMap((user) => ['v', 'w'].map((workspace) => as(user, workspace)));
  const made = owners.map((owner) => ['b', 'a'].map((name) => service.create(owner, { name, query: {} })));
  const listed = () => owners.map((owner) => service.list(owner));
  const before = made.map((views) => views.toReversed());
  assert.deepEqual(listed(), before);
  const notFound = { status: 404 };
  for (const [i, owner] of owners.entries())
    for (const { id } of made.filter((_, n) => n !== i).flat()) {
      assert.throws(() => service.update(owner, id, { name: 'x' }), notFound);
      assert.throws(() => service.delete(owner, id), notFound);
    }
  for (const { id } of made[0]!) {
    store.update({ workspaceId: 'v', userId: 'bob' }, id, { name: 'x' });
    store.update({ workspaceId: 'w', userId: 'ann' }, id, { name: 'x' });
  }
  assert.deepEqual(listed(), before);
  const [own, ...others] = made.map(([, a]) => a!.id);
  service.update(owners[0]!, own!, { name: 'c' });
  service.delete(owners[1]!, others[0]!);
  assert.deepEqual(
    listed().map((views) => views.map(({ name }) => name).join()),
    ['b,c', 'b', 'a,b', 'a,b'],
  );
});

test('a change of a view keeps the fields that it does not name', (t) => {
  const { service, as } = alone(t);
  const ann = as('ann', 'w');
  const view = service.create(ann, { name: 'One', query: { q: 'till' } });
  for (const change of [{}, { name: 'Two' }, { query: { q: 'door' } }, {}]) {
    Object.assign(view, change);
    assert.deepEqual(service.update(ann, view.id, change), view);
    assert.deepEqual(service.list(ann), [view]);
  }
});

test('a user without a workspace has no views and can make none', (t) => {
  const { service, as } = alone(t);
  const { id } = service.create(as('ann', 'w'), { name: 'One', query: {} });
  const nowhere = as('ann', null);
  assert.deepEqual(service.list(nowhere), []);
  assert.throws(() => service.create(nowhere, { name: 'Two', query: {} }), { status: 400 });
  assert.throws(() => service.update(nowhere, id, {}), { status: 400 });
  assert.throws(() => service.delete(nowhere, id), { status: 404 });
});
