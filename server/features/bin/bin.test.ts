import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_VERSIONS } from '../../../shared/contract/content/playlists.ts';
import { must } from '../../../test/people.ts';
import { actorOf, openParts, openRows, refusedWith } from '../../../test/rows.ts';
import { openShops } from '../../../test/shop.ts';
import { Bus } from '../../kernel/bus.ts';
import { BinService } from './bin.service.ts';
import { BinStore } from './bin.store.ts';
import { BinKeeper } from './keeper.ts';
import { PlacesStore } from './places.store.ts';
import { names } from './testing/bin.ts';

const shops = openShops();

test('files of bin entries are not deleted as unused, but on a full disk the oldest entries are deleted first', async (t) => {
  const shop = await shops.open(t);
  const { call, get, image, site, clock } = shop;
  const { raw } = site.app.db;
  raw.exec('DELETE FROM bin');
  const hashes: unknown[] = [];
  const left = async () => {
    await site.app.sweeper.sweep();
    await site.app.sweeper.sweep();
    return hashes.map((sha256) => raw.prepare('SELECT count(*) FROM blobs WHERE sha256 = ?').pluck().get(sha256));
  };
  for (const name of ['a.gif', 'b.gif', 'c.gif']) {
    const id = await image(name);
    hashes.push(raw.prepare('SELECT sha256 FROM content WHERE id = ?').pluck().get(id));
    must(await call('DELETE', `/api/content/${id}`));
    clock.advance(1000);
  }
  assert.deepEqual(await left(), [1, 1, 1]);
  const bin = await get('/api/bin');
  assert.ok(bin.every((entry: any) => entry.bytes > 0));
  const said: string[] = [];
  const keeper = new BinKeeper({
    ...{ db: site.app.db, bus: new Bus(() => {}), clock, places: new PlacesStore(site.app.db) },
    store: new BinStore(site.app.db),
    activity: { add: ({ action, details }) => void said.push(`${action} ${details}`) },
  });
  assert.equal(keeper.makeRoom(), bin[2].bytes, 'on a full disk the oldest goes first');
  assert.deepEqual([said, await left()], [['bin.made_room a.gif'], [0, 1, 1]]);
  must(await call('DELETE', `/api/bin/${bin[0].id}`));
  assert.deepEqual(await left(), [0, 1, 0]);
  assert.deepEqual(must(await call('DELETE', '/api/bin')), { success: true, deleted: 1 });
  assert.deepEqual(await left(), [0, 0, 0]);
});

test('the bin is searched by name and kind, and hidden from other workspaces', async (t) => {
  const shop = await shops.open(t);
  const { call, get, playlist } = shop;
  for (const name of ['Früh', 'Late']) must(await call('DELETE', `/api/playlists/${await playlist([], name)}`));
  assert.deepEqual(
    (await get('/api/bin?q=fru')).map((e: any) => e.name),
    ['Früh'],
  );
  assert.deepEqual((await get('/api/bin?kind=layout')).length, 0);
  assert.deepEqual(
    (await get('/api/bin?limit=1')).map((e: any) => e.name),
    ['Late'],
  );
  assert.deepEqual(await (await shops.open(t)).get('/api/bin'), []);
});

test('each publication is a version that can be viewed and made the draft again', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, image, playlist } = shop;
  const [a, b] = [await image('a.gif'), await image('b.gif')];
  const id = await playlist([a, b], 'P');
  const [item] = await get(`/api/playlists/${id}/items`);
  must(await call('DELETE', `/api/playlists/${id}/items/${item.id}`));
  await make(`/api/playlists/${id}/items`, { content_id: await image('c.gif') });
  must(await call('POST', `/api/playlists/${id}/publish`));
  const versions = await get(`/api/playlists/${id}/versions`);
  assert.deepEqual(
    versions.map((v: any) => v.item_count),
    [2, 2],
  );
  const first = await get(`/api/playlists/${id}/versions/${versions[1].id}`);
  assert.deepEqual(names(first.items), ['a.gif', 'b.gif']);
  must(await call('DELETE', `/api/content/${b}`));
  assert.equal((await get(`/api/playlists/${id}/versions/${versions[1].id}`)).missing, 1);
  const draft = must(await call('POST', `/api/playlists/${id}/versions/${versions[1].id}/return`));
  assert.deepEqual([names(draft.items), draft.status], [['a.gif'], 'draft']);
  assert.deepEqual(
    names(await get(`/api/playlists/${id}/published`)),
    ['c.gif'],
    'screens go on until it is published',
  );
  assert.equal((await call('GET', `/api/playlists/${id}/versions/999999`)).status, 404);
  for (let n = 0; n < MAX_VERSIONS; n++) must(await call('POST', `/api/playlists/${id}/publish`));
  assert.equal((await get(`/api/playlists/${id}/versions`)).length, MAX_VERSIONS);
});

test('the bin is listed newest first by kind, name and record, and finds the oldest entry with files in any workspace', () => {
  const { db, add } = openRows();
  const store = new BinStore(db);
  const entry = (id: string, name: string, more = {}) => ({ id, name, kind: 'plan', ref: name, record: '{}', ...more });
  add('bin', entry('2', 'Über'), entry('1', 'Unter'), entry('3', 'Other', { kind: 'wall', created_at: 5 }));
  add('bin', entry('4', 'Über', { workspace_id: 'there', bytes: 9, created_at: 2 }));
  add('bin', entry('5', 'Old', { bytes: 1, created_at: 1, record: '{"count":7}' }));
  add('bin', entry('6', 'Old', { bytes: 1, created_at: 1 }));
  const page = (asked: object = {}, limit = 9, offset = 0) => {
    const { records, total } = store.page('here', { ...asked, limit, offset });
    return [records.map(({ id }) => id).join(''), total];
  };
  assert.deepEqual(
    [page(), page({}, 2, 1)],
    [
      ['36521', 5],
      ['65', 5],
    ],
  );
  assert.deepEqual(
    [page({ kind: 'plan' }), page({ kind: 'wall' })],
    [
      ['6521', 4],
      ['3', 1],
    ],
  );
  assert.deepEqual(
    [page({ q: 'UBER' }), page({ ref: 'Old' })],
    [
      ['2', 1],
      ['65', 2],
    ],
  );
  assert.deepEqual(page({ q: 'u', kind: 'plan', ref: 'Unter' }), ['1', 1]);
  assert.deepEqual(page({ q: 'uber', ref: 'Old' }), ['', 0]);
  assert.deepEqual(store.page('here', { limit: 9, offset: 2 }).records[0]?.places, 7);
  assert.deepEqual([store.find('here', '4'), store.find('here', '1')?.name], [undefined, 'Unter']);
  assert.equal(store.oldestWithFiles()?.id, '5');
  db.write(() => {
    for (const id of ['5', '6']) store.delete(id);
    assert.equal(store.oldestWithFiles()?.id, '4');
    assert.deepEqual([store.empty('here'), store.empty('here'), store.oldestWithFiles()?.id], [3, 0, '4']);
    store.delete('4');
  });
  assert.equal(store.oldestWithFiles(), undefined);
});

test('each restore and deletion is logged once, and announced wherever it is visible', async () => {
  const { parts, add, told, db } = openParts();
  const deps = { ...parts, store: new BinStore(db), places: new PlacesStore(db) };
  const keeper = new BinKeeper(deps);
  const idle: string[] = [];
  const asked: string[] = [];
  const service = new BinService({
    ...deps,
    bin: keeper,
    plans: {
      afterRestore: () => idle,
      groupCameBack: (_, group, { id, members }) => asked.push(`${group} of ${id}: ${members.join()}`) === 1,
    },
    groups: { afterRestore: (_, id) => void asked.push(id) },
  });
  const [here, there] = [actorOf('here'), actorOf('there')];
  const folder = { id: 'folder', parent_id: null };
  add('folders', folder);
  add('content', { id: 'c', filename: 'Photo', folder_id: 'folder' });
  add('devices', { id: 'd', default_content_id: 'c', name: 'B' }, { id: 'e', default_content_id: 'c', name: 'a' });
  add('walls', { id: 'w', content_id: 'c' });
  add('plans', { id: 'p', title: 'Lunch', content_id: 'c' });
  db.raw.exec("UPDATE workspaces SET default_content_id = 'c' WHERE id = 'here'");
  assert.throws(() => service.placesOf(there, 'content', 'c'), refusedWith(404, /^Record/));
  const found = service.placesOf(here, 'content', 'c');
  assert.deepEqual(
    [found.total, found.places.filter(({ kind }) => kind === 'screen').map(({ id }) => id)],
    [5, ['e', 'd']],
  );
  assert.deepEqual(
    found.places.map(({ kind, name }) => `${kind} ${name}`),
    ['plan Lunch', 'screen a', 'screen B', 'wall w', 'workspace here'],
  );
  const remove = () =>
    db.write(() => {
      keeper.storeRecord(here, 'content', { id: 'c', name: 'Photo' });
      db.raw.exec("DELETE FROM plans; DELETE FROM content WHERE id = 'c'");
    });
  remove();
  await told();
  const [entry] = service.list(here, { limit: 9, offset: 0 } as never).records;
  const concern = service.concerns('here', entry!.id);
  assert.deepEqual(
    [concern?.kind, concern?.ref, concern?.userId, concern?.folderId, concern?.owners.length],
    ['content', 'c', 'anna', 'folder', 5],
  );
  assert.equal(service.concerns('there', entry!.id), undefined);
  assert.throws(() => service.restore(there, entry!.id), refusedWith(404));
  const answer = service.restore(here, entry!.id);
  assert.deepEqual([answer.kind, answer.name, answer.places, answer.left_total], ['content', 'Photo', 5, 0]);
  assert.deepEqual((await told()).toSorted(), [
    ...[
      'bin.restored: Photo',
      `bin ${entry!.id}`,
      'content c',
      'devices',
      'plans p',
      'schedules',
      'walls w',
    ].toSorted(),
  ]);
  assert.throws(() => service.restore(here, entry!.id), refusedWith(404), 'twice');

  remove();
  idle.push('p');
  db.raw.exec('UPDATE workspaces SET default_content_id = NULL; UPDATE devices SET default_content_id = NULL');
  await told();
  const again = service.restore(here, service.list(here, { limit: 9, offset: 0 } as never).records[0]!.id);
  assert.deepEqual(again.left, [{ kind: 'plan', id: 'p', name: 'Lunch', reason: 'gone', bin_id: null }]);
  assert.equal(again.places, 4, 'all but the plan');
  assert.ok((await told()).includes('devices'));

  remove();
  add('content', { id: 'c' });
  const [there_] = service.list(here, { limit: 9, offset: 0 } as never).records;
  assert.throws(() => service.restore(here, there_!.id), refusedWith(409, /^Photo already exists/));
  await told();
  service.delete(here, there_!.id);
  assert.deepEqual(await told(), ['bin.deleted: Photo', `bin ${there_!.id}`]);
  assert.throws(() => service.delete(here, there_!.id), refusedWith(404));
  assert.deepEqual([service.empty(here), await told()], [0, []]);
  assert.deepEqual(asked, [], 'none of these was a group');

  const gone = (kind: 'wall' | 'group' | 'playlist', id: string, table: string) =>
    db.write(() => {
      keeper.storeRecord(here, kind, { id, name: id });
      db.raw.exec(`DELETE FROM "${table}" WHERE id = '${id}'`);
    });
  const back = () => service.restore(here, service.list(here, { limit: 9, offset: 0 } as never).records[0]!.id);
  gone('wall', 'w', 'walls');
  await told();
  back();
  const restored = async () => (await told()).filter((said) => !said.startsWith('bin'));
  assert.deepEqual(await restored(), ['walls w'], 'no plan, no schedule');
  add('playlists', { id: 'list' });
  add('campaign_plans', { campaign: 'spring', title: 'Spring', playlist_id: 'list', screen_tags: '[]' });
  gone('playlist', 'list', 'playlists');
  await told();
  assert.equal(back().places, 1);
  assert.deepEqual(await restored(), ['playlists list'], 'windows show no campaigns');
  add('groups', { id: 'g' });
  add('group_members', { group_id: 'g', device_id: 'd' }, { group_id: 'g', device_id: 'e' });
  for (const id of ['1', '2']) {
    add('plans', { id, title: id });
    add('plan_targets', { plan_id: id, kind: 'group', ref: 'g' });
  }
  gone('group', 'g', 'groups');
  idle.pop();
  await told();
  assert.deepEqual(back().left, [
    { kind: 'plan', id: '1', name: '1', reason: 'taken', bin_id: null },
    { kind: 'plan', id: '2', name: '2', reason: 'taken', bin_id: null },
  ]);
  assert.deepEqual(asked, ['g', 'g of 1: d,e', 'g of 2: d,e']);
  assert.deepEqual(await restored(), ['groups g', 'devices d,e', 'plans 1,2', 'schedules']);

  for (let twice = 0; twice < 2; twice++) keeper.storeRecord(here, 'wall', { id: 'w', name: 'Wall' });
  await told();
  assert.deepEqual([service.empty(here), await told()], [2, ['bin.emptied', 'bin']]);
  keeper.storeRecord(here, 'wall', { id: 'w', name: 'Wall' });
  await told();
  assert.deepEqual([service.empty(here), await told()], [1, ['bin.emptied', 'bin']]);
});
