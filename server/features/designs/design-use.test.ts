/** Tests that a content in a design counts as used: usage, bin, programs of screens, workspaces, and speed. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { designFile } from '../../../test/designs.ts';
import { callAs, colleague, must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { openShops } from '../../../test/shop.ts';
import { upload as uploadTo } from '../../../test/uploads.ts';
import { DESIGNS_SHOWING, designsShowing, putDesignMedia } from '../../db/design-media.ts';

const shops = openShops();
const named = (records: readonly { readonly name: string }[]) => records.map(({ name }) => name);

/** Opens a shop with a screen that shows the design “Menu”, which shows a photo. */
const openMenu = async (t: TestContext) => {
  const shop = await shops.open(t);
  const { call, get, upload } = shop;
  const design = async (contentIds: readonly string[], name = 'Menu'): Promise<string> =>
    must(await upload(designFile(contentIds, name), name), 201).id;
  const photo = await shop.image('photo.gif');
  const menu = await design([photo]);
  const { deviceId } = await shop.screen('Window');
  must(await call('POST', `/api/playlists/${await shop.playlist([menu])}/assign`, { device_id: deviceId }));
  return {
    ...{ ...shop, design, photo, menu, deviceId },
    replace: async (id: string, bytes: Buffer) =>
      must(await upload(bytes, 'new', { method: 'PUT', path: `/api/content/${id}/replace` })),
    usage: (id: string) => get(`/api/content/${id}/usage`),
    /** Ids of the contents that the screen shows as parts of the design; undefined: the screen shows no design. */
    shown: async (): Promise<string[] | undefined> => {
      const { program } = await get(`/api/devices/${deviceId}/program`);
      const [item] = program.playlists[0].items;
      return item && Object.keys(item.files);
    },
    /** Id of the newest bin entry of a record. */
    binned: async (ref: string): Promise<string> => (await get(`/api/bin?ref=${ref}`))[0].id,
    remove: async (id: string) => must(await call('DELETE', `/api/content/${id}`)),
    restore: async (entry: string) => must(await call('POST', `/api/bin/${entry}/restore`)),
  };
};

test('usage of a picture lists the designs that show it, and the screens of these designs', async (t) => {
  const { photo, menu, design, usage, remove, deviceId, get } = await openMenu(t);
  const draft = await design([photo, photo], 'Apéro');
  const { designs, screens, playlists } = await usage(photo);
  assert.deepEqual(designs, [
    { id: draft, name: 'Apéro' },
    { id: menu, name: 'Menu' },
  ]);
  assert.deepEqual([named(screens), playlists], [['Window'], []]);
  assert.deepEqual((await get(`/api/places/${photo}?kind=content`)).places, [
    { kind: 'design', id: draft, name: 'Apéro' },
    { kind: 'design', id: menu, name: 'Menu' },
  ]);
  assert.deepEqual((await remove(photo)).affectedDevices, [deviceId]);
});

test('usage follows the file of a design when the file is replaced, and when the replaced file is restored', async (t) => {
  const { photo, menu, replace, usage, image, binned, restore } = await openMenu(t);
  const other = await image('other.gif');
  const shownIn = async () => [named((await usage(photo)).designs), named((await usage(other)).designs)];
  assert.deepEqual(await shownIn(), [['Menu'], []]);
  await replace(menu, designFile([other]));
  assert.deepEqual(await shownIn(), [[], ['Menu']]);
  await restore(await binned(menu));
  assert.deepEqual(await shownIn(), [['Menu'], []]);
  await replace(menu, picture('no design'));
  assert.deepEqual(await shownIn(), [[], []]);
});

test('two designs with the same file both count, also after one of them is deleted for good', async (t) => {
  const { photo, menu, design, usage, remove, binned, call, site } = await openMenu(t);
  const twin = await design([photo]);
  assert.deepEqual(named((await usage(photo)).designs), ['Menu', 'Menu']);
  await remove(menu);
  must(await call('DELETE', `/api/bin/${await binned(menu)}`));
  await site.app.sweeper.sweep();
  assert.deepEqual((await usage(photo)).designs, [{ id: twin, name: 'Menu' }]);
});

test('deleted picture of a design becomes a placeholder, and returns to the design when it is restored', async (t) => {
  const { photo, menu, shown, remove, restore, binned } = await openMenu(t);
  assert.deepEqual(await shown(), [photo]);
  await remove(photo);
  assert.deepEqual(await shown(), []);
  const { places, left } = await restore(await binned(photo));
  assert.deepEqual([places, left], [1, []], `the design ${menu} shows it again`);
  assert.deepEqual(await shown(), [photo]);
});

test('restoring a design names its pictures in the bin, which are restored with it or later', async (t) => {
  const { photo, menu, shown, remove, restore, binned, get } = await openMenu(t);
  await remove(photo);
  await remove(menu);
  assert.equal(await shown(), undefined);
  const ofPhoto = await binned(photo);
  const related = await get(`/api/bin/${await binned(menu)}/related`);
  assert.deepEqual(
    related.map((entry: { id: string }) => entry.id),
    [ofPhoto],
  );
  assert.deepEqual((await restore(await binned(menu))).left, [
    { kind: 'content', id: photo, name: 'photo.gif', reason: 'gone', bin_id: ofPhoto },
  ]);
  assert.deepEqual(await shown(), []);
  await restore(ofPhoto);
  assert.deepEqual(await shown(), [photo]);
});

test('restoring an earlier file of a design names its pictures that are in the bin', async (t) => {
  const { photo, menu, replace, remove, restore, binned } = await openMenu(t);
  await replace(menu, designFile([]));
  await remove(photo);
  const { left } = await restore(await binned(menu));
  assert.deepEqual(
    left.map(({ id, bin_id }: { id: string; bin_id: string }) => [id, bin_id]),
    [[photo, await binned(photo)]],
  );
});

test('picture that only a design in the bin shows can be deleted for good; the restored design shows a placeholder', async (t) => {
  const { photo, menu, shown, remove, restore, binned, call } = await openMenu(t);
  await remove(menu);
  await remove(photo);
  must(await call('DELETE', `/api/bin/${await binned(photo)}`));
  assert.deepEqual((await restore(await binned(menu))).left, [
    { kind: 'content', id: photo, name: '', reason: 'gone', bin_id: null },
  ]);
  assert.deepEqual(await shown(), []);
});

test('design stays on the screen after the validity of its picture has ended', async (t) => {
  const { photo, shown, call, get, deviceId } = await openMenu(t);
  must(await call('PUT', `/api/content/${photo}`, { valid_until: '2026-03-01T00:00' }));
  assert.deepEqual(await shown(), [photo]);
  const { program } = await get(`/api/devices/${deviceId}/program`);
  assert.equal(program.playlists[0].items[0].valid, undefined);
});

test('picture of another workspace is a placeholder in a design, and its usage does not name the design', async (t) => {
  const { photo, menu, replace, shown, restore, remove, binned, usage } = await openMenu(t);
  const other = await shops.open(t);
  const theirs = await other.image('theirs.gif');
  await replace(menu, designFile([theirs, photo]));
  assert.deepEqual(await shown(), [photo]);
  assert.deepEqual(named((await usage(photo)).designs), ['Menu']);
  assert.deepEqual((await other.get(`/api/content/${theirs}/usage`)).designs, []);
  must(await other.call('DELETE', `/api/content/${theirs}`));
  const [entry] = await other.get(`/api/bin?ref=${theirs}`);
  assert.equal(must(await other.call('POST', `/api/bin/${entry.id}/restore`)).places, 0);
  // The design names a content that its workspace does not have, so the restored design reports it without a name.
  await remove(menu);
  assert.deepEqual((await restore(await binned(menu))).left, [
    { kind: 'content', id: theirs, name: '', reason: 'gone', bin_id: null },
  ]);
});

test('member for uploads cannot replace a picture of a design on screens, and the refusal names the design', async (t) => {
  const { owner, site, call, shown, menu, replace } = await openMenu(t);
  const { id, token } = await colleague(site, owner, `up-${owner.id}@store.test`, 'workspace_editor');
  const path = `/api/workspaces/${owner.workspaceId}/members/${id}`;
  must(await call('PUT', path, { role: 'workspace_editor', duty: 'upload' }));
  const mine = must(await uploadTo(site, token, picture('mine'), 'mine.gif'), 201).id;
  const change = () =>
    uploadTo(site, token, picture(`other ${Math.random()}`), 'new.gif', {
      method: 'PUT',
      path: `/api/content/${mine}/replace`,
    });
  must(await change());
  await replace(menu, designFile([mine]));
  assert.deepEqual(await shown(), [mine]);
  const refused = await change();
  assert.equal(refused.status, 403);
  assert.match(refused.body.error, /^mine\.gif is part of the design “Menu”, which is on screens/);
  must(await callAs(site, owner.token)('DELETE', `/api/content/${menu}`));
  assert.match((await change()).body.error, /on screens or can return to them/, 'while the design is in the bin');
});

test('member for one group cannot change a picture of a design on screens of other groups', async (t) => {
  const { owner, site, call, make, image, photo, menu, replace, binned } = await openMenu(t);
  const { id, token } = await colleague(site, owner, `one-${owner.id}@store.test`, 'workspace_editor');
  const group = (await make('/api/groups', { name: 'Tills' })).id;
  const path = `/api/workspaces/${owner.workspaceId}/members/${id}`;
  must(await call('PUT', path, { role: 'workspace_editor', group_ids: [group] }));
  const change = await uploadTo(site, token, picture('x'), 'x.gif', {
    method: 'PUT',
    path: `/api/content/${photo}/replace`,
  });
  assert.equal(change.status, 403);
  assert.match(change.body.error, /photo\.gif is also on Window/);
  // The member deletes an unused picture, and a design on the screen of another group names it afterwards.
  const unused = await image('unused.gif');
  must(await callAs(site, token)('DELETE', `/api/content/${unused}`));
  await replace(menu, designFile([unused]));
  const refused = await callAs(site, token)('POST', `/api/bin/${await binned(unused)}/restore`);
  assert.equal(refused.status, 403);
  assert.match(refused.body.error, /Menu is also on Window/);
});

test('designs that show a picture are found without reading the other contents of a large library', () => {
  const { db, add } = openRows();
  add('blobs', ...['a', 'b'].map((sha256) => ({ sha256 })));
  add('content', { id: 'photo' }, { id: 'menu', filename: 'Menu', kind: 'design', sha256: 'a' });
  add('content', { id: 'theirs', kind: 'design', sha256: 'a', workspace_id: 'there' });
  db.write(() => putDesignMedia(db, 'a', ['photo']));
  assert.deepEqual(designsShowing(db, 'here', 'photo'), [{ id: 'menu', name: 'Menu' }]);
  const plan = db.raw.prepare(`EXPLAIN QUERY PLAN ${DESIGNS_SHOWING}`).all('photo', 'here') as { detail: string }[];
  const reads = plan.flatMap(({ detail }) => (/^(SEARCH|SCAN)/.test(detail) ? [detail] : []));
  assert.equal(reads.length, 2);
  for (const read of reads) assert.match(read, /^SEARCH . USING .*INDEX (design_media_content|content_sha) /);
  // A file without content is deleted, and its list with it.
  db.write(() => db.raw.exec("DELETE FROM content; DELETE FROM blobs WHERE sha256 = 'a'"));
  assert.equal(db.raw.prepare('SELECT count(*) FROM design_media').pluck().get(), 0);
});
