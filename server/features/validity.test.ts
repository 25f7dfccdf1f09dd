import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colleague } from '../../test/people.ts';
import { nextProgram, openShops } from '../../test/shop.ts';

const shops = openShops();
const FIRST = { valid_from: '2026-03-10T08:00', valid_until: '2026-03-10T18:00' };
const SECOND = { valid_from: '2026-03-10T09:30', valid_until: '2026-03-11T00:00' };

test('an error names an invalid minute or an end before the start, and null and "" clear the limit', async (t) => {
  const { call, image, make, playlist } = await shops.open(t);
  const content = await image();
  const list = await playlist([content]);
  const { id: widget } = await make('/api/widgets', { widget_type: 'clock', name: 'Clock' });
  const { body: items } = await call('GET', `/api/playlists/${list}/items`);
  const places = [`/api/content/${content}`, `/api/widgets/${widget}`, `/api/playlists/${list}/items/${items[0].id}`];
  for (const path of places) {
    const set = async (body: object) => {
      const { status, body: answer } = await call('PUT', path, body);
      return status === 200 ? [answer.valid_from, answer.valid_until] : [status, answer.error.split(':')[0]];
    };
    assert.deepEqual(await set(FIRST), ['2026-03-10T08:00', '2026-03-10T18:00'], path);
    // The new value is checked together with the stored value of the other field.
    assert.deepEqual(await set({ valid_until: '2026-03-10T08:00' }), [400, 'valid_until'], path);
    assert.deepEqual(await set({ valid_from: '2026-03-10T18:00' }), [400, 'valid_until'], path);
    for (const wrong of ['2026-02-30T12:00', '2026-03-10', '2026-03-10T12:00:00Z', 5])
      assert.deepEqual(await set({ valid_from: wrong }), [400, 'valid_from'], `${path} ${wrong}`);
    assert.deepEqual(await set({}), ['2026-03-10T08:00', '2026-03-10T18:00'], path);
    assert.deepEqual(await set({ valid_from: '' }), [null, '2026-03-10T18:00'], path);
    assert.deepEqual(await set({ valid_until: null }), [null, null], path);
  }
});

test('validity of a content applies at once, validity of an item after publishing, and both must allow the item', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen } = shop;
  const content = await image();
  const list = await playlist([content]);
  const player = await screen();
  const valid = async () => (await nextProgram(shop, player)).playlists[0].items[0].valid;
  await call('POST', `/api/playlists/${list}/assign`, { device_id: player.deviceId });
  assert.equal(await valid(), undefined);
  await call('PUT', `/api/content/${content}`, FIRST);
  assert.deepEqual(await valid(), { from: '2026-03-10T08:00', until: '2026-03-10T18:00' });
  const { body: items } = await call('GET', `/api/playlists/${list}/items`);
  assert.deepEqual([items[0].shown_from, items[0].shown_until], ['2026-03-10T08:00', '2026-03-10T18:00']);
  await call('PUT', `/api/playlists/${list}/items/${items[0].id}`, SECOND);
  assert.equal((await call('GET', `/api/playlists/${list}`)).body.status, 'draft');
  await call('POST', `/api/playlists/${list}/publish`);
  assert.deepEqual(await valid(), { from: '2026-03-10T09:30', until: '2026-03-10T18:00' });
  // A discarded draft has the published validity again.
  await call('PUT', `/api/playlists/${list}/items/${items[0].id}`, { valid_from: null, valid_until: null });
  await call('POST', `/api/playlists/${list}/discard`);
  const { body: again } = await call('GET', `/api/playlists/${list}/items`);
  assert.deepEqual([again[0].valid_from, again[0].valid_until], [SECOND.valid_from, SECOND.valid_until]);
});

test('the library lists contents that end soon, have ended or have not begun, by the server’s clock', async (t) => {
  const { call, image, get, clock } = await shops.open(t);
  const minute = (days: number) => new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 16);
  const ids: Record<string, string> = {};
  for (const [name, bounds] of Object.entries({
    always: {},
    over: { valid_until: minute(-1) },
    soon: { valid_until: minute(6) },
    later: { valid_until: minute(9) },
    future: { valid_from: minute(2), valid_until: minute(30) },
  })) {
    ids[name] = await image(`${name}.gif`);
    await call('PUT', `/api/content/${ids[name]}`, bounds);
  }
  const names = async (validity: string) =>
    (await get(`/api/content?validity=${validity}`)).map((row: any) => row.filename.split('.')[0]).sort();
  assert.deepEqual(await names('over'), ['over']);
  assert.deepEqual(await names('soon'), ['soon']);
  assert.deepEqual(await names('future'), ['future']);
  assert.equal((await call('GET', '/api/content?validity=soon')).headers.get('x-total-count'), '1');
  clock.advance(3 * 86_400_000);
  assert.deepEqual(await names('soon'), ['later', 'soon']);
  assert.deepEqual(await names('future'), []);
  assert.equal((await call('GET', '/api/content?validity=maybe')).status, 400);
});

test('the fallback is the default content of the screen, else of its oldest group, else of the workspace', async (t) => {
  const shop = await shops.open(t);
  const { call, image, make, screen, owner, site } = shop;
  const [store, first, second, own] = [await image('store'), await image('1'), await image('2'), await image('own')];
  const player = await screen();
  const groups = [(await make('/api/groups', { name: 'Old' })).id, (await make('/api/groups', { name: 'New' })).id];
  for (const id of groups) await call('POST', `/api/groups/${id}/devices`, { device_id: player.deviceId });
  const shown = async () => {
    const { fallback, fallbacks = [] } = await nextProgram(shop, player);
    return [fallback, ...fallbacks].map((item: any) => item?.content_id ?? null);
  };
  const workspace = `/api/workspaces/${owner.workspaceId}`;
  assert.equal((await call('PUT', workspace, { default_content_id: store })).body.default_content_id, store);
  assert.deepEqual(await shown(), [store]);
  await call('PUT', `/api/groups/${groups[1]}`, { default_content_id: second });
  assert.deepEqual(await shown(), [second]);
  assert.equal(
    (await call('PUT', `/api/groups/${groups[0]}`, { default_content_id: first })).body.default_content_id,
    first,
  );
  assert.deepEqual(await shown(), [first]);
  await call('PUT', `/api/devices/${player.deviceId}`, { default_content_id: own });
  assert.deepEqual(await shown(), [own]);
  // A default content that ends is followed by the next default contents, as far as they are needed.
  await call('PUT', `/api/content/${own}`, { valid_until: '2026-03-10T18:00' });
  assert.deepEqual(await shown(), [own, first]);
  await call('DELETE', `/api/content/${first}`);
  assert.deepEqual(await shown(), [own, second]);

  for (const path of [workspace, `/api/groups/${groups[0]}`])
    assert.equal((await call('PUT', path, { default_content_id: 'nothing' })).status, 404, path);
  const { token } = await colleague(site, owner, `editor-${owner.id}@store.test`, 'workspace_editor');
  const refused = await site.call('PUT', workspace, { token, body: { default_content_id: null } });
  assert.equal(refused.status, 403);
});
