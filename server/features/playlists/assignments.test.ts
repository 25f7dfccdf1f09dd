import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../test/people.ts';
import { nextProgram, openShops } from '../../../test/shop.ts';

const shops = openShops();
const contents = (items: any[]) => items.map((item) => item.content_id);

test('the first edit makes the device’s own playlist with a copy of its items, and changes no other screen', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const shared = await playlist([first]);
  const [mine, theirs] = [await screen('Door'), await screen('Window')];
  for (const { deviceId } of [mine, theirs])
    must(await call('POST', `/api/playlists/${shared}/assign`, { device_id: deviceId }));
  const item = await make(`/api/assignments/device/${mine.deviceId}`, { content_id: second });
  const device = await get(`/api/devices/${mine.deviceId}`);
  assert.notEqual(device.playlist_id, shared);
  assert.equal(item.playlist_id, device.playlist_id);
  const own = await get(`/api/playlists/${device.playlist_id}`);
  assert.deepEqual([own.name, own.status, contents(own.items)], ['Door', 'published', [first, second]]);
  assert.deepEqual(contents(device.assignments), [first, second]);
  assert.equal((await get(`/api/devices/${theirs.deviceId}`)).playlist_id, shared);
  assert.deepEqual(contents(await get(`/api/playlists/${shared}/items`)), [first]);
});

test('a device with its group’s playlist, or with none, also gets its own playlist on the first edit', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const inherited = await playlist([first]);
  const [member, alone] = [await screen('Member'), await screen('Alone')];
  const group = await make('/api/groups', { name: 'G' });
  await make(`/api/groups/${group.id}/devices`, { device_id: member.deviceId });
  must(await call('POST', `/api/groups/${group.id}/assign-playlist`, { playlist_id: inherited }));
  assert.deepEqual(contents(await get(`/api/assignments/device/${member.deviceId}`)), [first]);
  for (const [player, expected] of [
    [member, [first, second]],
    [alone, [second]],
  ] as const) {
    await make(`/api/assignments/device/${player.deviceId}`, { content_id: second });
    assert.deepEqual(contents(await get(`/api/assignments/device/${player.deviceId}`)), expected);
    assert.equal((await get(`/api/devices/${player.deviceId}`)).playlist_source, 'device');
  }
  assert.deepEqual(contents(await get(`/api/playlists/${inherited}/items`)), [first]);
});

test('each further edit of a device’s own items is published at once', async (t) => {
  const shop = await shops.open(t);
  const { call, image, screen, make, get } = shop;
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const player = await screen();
  const path = `/api/assignments/device/${player.deviceId}`;
  const a = await make(path, { content_id: first });
  await nextProgram(shop, player);
  const b = await make(path, { content_id: second, duration_sec: 4, sort_order: 0 });
  await nextProgram(shop, player);
  must(await call('PUT', `/api/assignments/${a.id}`, { duration_sec: 7, sort_order: 0 }));
  assert.deepEqual(
    (await nextProgram(shop, player)).playlists[0].items.map((item: any) => [item.content_id, item.duration_ms]),
    [
      [first, 7000],
      [second, 4000],
    ],
  );
  assert.deepEqual(must(await call('DELETE', `/api/assignments/${b.id}`)), { success: true, content_id: second });
  assert.deepEqual(
    (await nextProgram(shop, player)).playlists[0].items.map((item: any) => item.content_id),
    [first],
  );
  assert.equal((await get(`/api/playlists/${a.playlist_id}`)).status, 'published');
});

test('an assignment in a playlist that other devices play too edits the draft of that playlist', async (t) => {
  const { call, image, playlist, screen, get } = await shops.open(t);
  const id = await playlist([await image()]);
  for (const name of ['1', '2'])
    must(await call('POST', `/api/playlists/${id}/assign`, { device_id: (await screen(name)).deviceId }));
  const [item] = await get(`/api/playlists/${id}/items`);
  must(await call('PUT', `/api/assignments/${item.id}`, { duration_sec: 5 }));
  assert.equal((await get(`/api/playlists/${id}`)).status, 'draft');
  must(await call('DELETE', `/api/assignments/${item.id}`));
  assert.deepEqual(await get(`/api/playlists/${id}/items`), []);
});

test('reorder needs each listed item exactly once, and answers with the items in the new order', async (t) => {
  const { call, image, playlist, screen, get } = await shops.open(t);
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const shared = await playlist([first, second]);
  const [mine, theirs] = [await screen('1'), await screen('2')];
  for (const { deviceId } of [mine, theirs])
    must(await call('POST', `/api/playlists/${shared}/assign`, { device_id: deviceId }));
  const listed = (await get(`/api/assignments/device/${mine.deviceId}`)).map((item: any) => item.id);
  const path = `/api/assignments/device/${mine.deviceId}/reorder`;
  for (const order of [[], [listed[0]], [listed[0], listed[0]], [...listed, 99_999_999]])
    assert.equal((await call('POST', path, { order })).status, 400, JSON.stringify(order));
  assert.deepEqual(contents(must(await call('POST', path, { order: listed.toReversed() }))), [second, first]);
  assert.deepEqual(contents(await get(`/api/assignments/device/${theirs.deviceId}`)), [first, second]);
});

test('copy-to adds to or replaces the items of the other device, and answers 404 when there is nothing to copy', async (t) => {
  const { call, image, screen, make, get } = await shops.open(t);
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const [from, to] = [await screen('1'), await screen('2')];
  const copy = (body: unknown) => call('POST', `/api/assignments/device/${from.deviceId}/copy-to/${to.deviceId}`, body);
  assert.equal((await copy({})).status, 404);
  await make(`/api/assignments/device/${from.deviceId}`, { content_id: first, duration_sec: 4 });
  await make(`/api/assignments/device/${to.deviceId}`, { content_id: second });
  assert.deepEqual(must(await copy({})), { success: true, copied: 1 });
  assert.deepEqual(contents(await get(`/api/assignments/device/${to.deviceId}`)), [second, first]);
  assert.deepEqual(must(await copy({ replace: true })), { success: true, copied: 1 });
  const after = await get(`/api/assignments/device/${to.deviceId}`);
  assert.deepEqual(
    after.map((item: any) => [item.content_id, item.duration_sec, item.sort_order]),
    [[first, 4, 0]],
  );
  assert.equal((await get(`/api/devices/${to.deviceId}`)).playlist_source, 'device');
});

test('a playlist that a group, a wall or a schedule also shows is not the device’s own', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const other = await screen('Other');
  const sharers: Record<string, (playlist_id: string) => Promise<unknown>> = {
    group: async (playlist_id) =>
      must(
        await call('POST', `/api/groups/${(await make('/api/groups', { name: 'G' })).id}/assign-playlist`, {
          playlist_id,
        }),
      ),
    wall: (playlist_id) => make('/api/walls', { name: 'W', playlist_id }),
    schedule: (playlist_id) =>
      make('/api/schedules', {
        device_id: other.deviceId,
        playlist_id,
        start_time: '2026-03-10T09:00',
        end_time: '2026-03-10T10:00',
      }),
  };
  for (const [name, share] of Object.entries(sharers)) {
    const { deviceId } = await screen(name);
    const id = await playlist([first], name);
    must(await call('POST', `/api/playlists/${id}/assign`, { device_id: deviceId }));
    await share(id);
    await make(`/api/assignments/device/${deviceId}`, { content_id: second });
    assert.notEqual((await get(`/api/devices/${deviceId}`)).playlist_id, id, name);
    assert.deepEqual(contents(await get(`/api/playlists/${id}/items`)), [first], name);
  }
});

test('edits of a device’s items check the ETag of their playlist, and a stale ETag answers 412 and changes nothing', async (t) => {
  const { call, image, playlist, screen, get } = await shops.open(t);
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const shared = await playlist([first]);
  const [mine, theirs, bare] = [await screen('Mine'), await screen('Theirs'), await screen('Bare')];
  for (const { deviceId } of [mine, theirs])
    must(await call('POST', `/api/playlists/${shared}/assign`, { device_id: deviceId }));
  const tag = (answer: { headers: Headers }) => ({ 'If-Match': answer.headers.get('etag')! });
  const path = `/api/assignments/device/${mine.deviceId}`;
  const known = tag(await call('GET', `/api/playlists/${shared}`));

  const added = await call('POST', path, { content_id: second }, known);
  const own = must(added, 201).playlist_id;
  assert.deepEqual(tag(added), tag(await call('GET', `/api/playlists/${own}`)));
  assert.equal((await call('POST', path, { content_id: second }, { 'If-Match': '"0"' })).status, 412);
  assert.deepEqual(contents(await get(path)), [first, second]);

  const order = (await get(path)).map((item: any) => item.id).toReversed();
  assert.equal((await call('POST', `${path}/reorder`, { order }, { 'If-Match': '"0"' })).status, 412);
  const reordered = await call('POST', `${path}/reorder`, { order }, tag(added));
  assert.deepEqual(contents(must(reordered)), [second, first]);
  assert.deepEqual(tag(reordered), tag(await call('GET', `/api/playlists/${own}`)));
  assert.equal((await call('POST', `${path}/reorder`, { order }, tag(added))).status, 412);

  const copy = (from: string, to: string, headers: Record<string, string>) =>
    call('POST', `/api/assignments/device/${from}/copy-to/${to}`, {}, headers);
  assert.equal((await copy(theirs.deviceId, mine.deviceId, tag(added))).status, 412);
  const copied = await copy(theirs.deviceId, mine.deviceId, tag(reordered));
  assert.equal(must(copied).copied, 1);
  assert.deepEqual(tag(copied), tag(await call('GET', `/api/playlists/${own}`)));
  assert.equal(
    (await copy(theirs.deviceId, bare.deviceId, known)).status,
    412,
    'it has nothing whose ETag this could be',
  );
  assert.equal((await copy(theirs.deviceId, bare.deviceId, { 'If-Match': '*' })).status, 200);
});

test('an edit starts from the listed items: their order is accepted, and no item is lost', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const [first, second, third] = [await image('1.gif'), await image('2.gif'), await image('3.gif')];
  const waiting = async (name: string) => {
    const id = await playlist([first, second], name);
    await make(`/api/playlists/${id}/items`, { content_id: third });
    return id;
  };
  const [shared, alone] = [await waiting('Shared'), await waiting('Alone')];
  const [one, two, three] = [await screen('1'), await screen('2'), await screen('3')];
  for (const { deviceId } of [one, two])
    must(await call('POST', `/api/playlists/${shared}/assign`, { device_id: deviceId }));
  must(await call('POST', `/api/playlists/${alone}/assign`, { device_id: three.deviceId }));
  for (const { deviceId } of [one, three]) {
    const path = `/api/assignments/device/${deviceId}`;
    const listed = await get(path);
    assert.deepEqual(contents(listed), [first, second]);
    const order = listed.map((item: any) => item.id).toReversed();
    assert.deepEqual(contents(must(await call('POST', `${path}/reorder`, { order }))), [second, first]);
    const own = (await get(`/api/devices/${deviceId}`)).playlist_id;
    await make(`/api/playlists/${own}/items`, { content_id: third });
    assert.deepEqual(contents(await get(path)), [second, first, third], 'its own, with what waits to be published');
  }
  for (const id of [shared, alone])
    assert.deepEqual(contents(await get(`/api/playlists/${id}/items`)), [first, second, third]);
});

test('deleting a device deletes the playlist made for it, but no playlist that a user made or assigned elsewhere', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const [plain, chosen, giver, taker] = [
    await screen('Plain'),
    await screen('Chosen'),
    await screen('Giver'),
    await screen('Taker'),
  ];
  const edit = async (deviceId: string): Promise<string> =>
    (await make(`/api/assignments/device/${deviceId}`, { content_id: second })).playlist_id;
  const offers = await playlist([first]);
  must(await call('POST', `/api/playlists/${offers}/assign`, { device_id: chosen.deviceId }));
  assert.equal(await edit(chosen.deviceId), offers);
  const made = await edit(plain.deviceId);
  const given = await edit(giver.deviceId);
  must(await call('POST', `/api/playlists/${given}/assign`, { device_id: taker.deviceId }));
  must(await call('DELETE', `/api/devices/${giver.deviceId}`));
  assert.equal(await edit(taker.deviceId), given);
  for (const { deviceId } of [plain, chosen, taker]) must(await call('DELETE', `/api/devices/${deviceId}`));
  assert.equal((await call('GET', `/api/playlists/${made}`)).status, 404);
  for (const [id, items] of [
    [offers, [first, second]],
    [given, [second, second]],
  ] as const) {
    const kept = await get(`/api/playlists/${id}`);
    assert.deepEqual([kept.device_id, contents(kept.items)], [null, items]);
  }
});

test('each change of an assignment, even muting alone, makes one entry in the activity log', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const content_id = await image();
  const { deviceId } = await screen();
  const entries = async () =>
    (await get('/api/activity'))
      .filter((entry: any) => entry.action === 'assignment.changed')
      .map((entry: any) => [entry.details, entry.device_id]);
  const [drafted] = await get(`/api/playlists/${await playlist([content_id])}/items`);
  const own = await make(`/api/assignments/device/${deviceId}`, { content_id });
  const ofScreen = ['Window', deviceId];
  assert.deepEqual(await entries(), [ofScreen]);
  must(await call('PUT', `/api/assignments/${own.id}`, { muted: true }));
  assert.deepEqual(await entries(), [ofScreen, ofScreen]);
  must(await call('PUT', `/api/assignments/${own.id}`, { muted: false, duration_sec: 5 }));
  assert.deepEqual(await entries(), [ofScreen, ofScreen, ofScreen]);
  must(await call('PUT', `/api/assignments/${drafted.id}`, { muted: true }));
  assert.deepEqual((await entries())[0], ['Offers', null]);
});
