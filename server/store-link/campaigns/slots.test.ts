/**
 * Tests the slots in campaigns that a store fills: content that does not fit is refused with a reason, and the other
 * items play.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CampaignDoc } from '../../../shared/chain/campaign.ts';
import { callAs, colleague, must } from '../../../test/people.ts';
import { nextProgram, openShops } from '../../../test/shop.ts';
import { adventOf, holdIn, itemOf } from '../testing/held.ts';

const shops = openShops();

const open = async (t: TestContext) => {
  const shop = await shops.open(t);
  const { site, owner, call, clock, get } = shop;
  const { sha256, file_size } = await get(`/api/content/${await shop.image('star.gif')}`);
  const file = { sha256, size: file_size, mime: 'image/gif' };
  // Makes ids unique by a suffix, because all tests use the same server.
  const mark = `-${owner.id}`;
  const advent = (more: Partial<CampaignDoc> = {}) => adventOf(file, more, mark);
  const hold = holdIn(site, owner.workspaceId!, call, () => clock.now());
  const fill = (playlist_id: string | null, by = call) => by('PUT', `/api/chain/slots/bakery${mark}`, { playlist_id });
  const campaign = async () => (await get('/api/chain/campaigns'))[0];
  const slot = async () => (await campaign()).slots[0];
  return { ...shop, hold, advent, fill, campaign, slot, file, mark };
};

test('records of headquarters are listed with their campaign, also for viewers, and not listed without a headquarters', async (t) => {
  const alone = await shops.open(t);
  assert.deepEqual(await alone.get('/api/chain/records'), []);
  assert.deepEqual(await alone.get('/api/chain/campaigns'), []);
  const store = await open(t);
  await store.hold.want([store.advent()]);
  const { token } = await colleague(store.site, store.owner, `v${store.mark}@store.test`, 'workspace_viewer');
  const records = must(await callAs(store.site, token)('GET', '/api/chain/records'));
  assert.deepEqual(
    records,
    Object.entries({
      content: 'star',
      layouts: 'advent-layout',
      playlists: 'advent-list',
      widgets: 'advent-clock',
    }).map(([kind, id]) => ({
      kind,
      id: `${id}${store.mark}`,
      campaign: `advent${store.mark}`,
      campaign_name: 'Advent',
    })),
  );
  assert.deepEqual(await alone.get('/api/chain/records'), [], 'another workspace of the server sees none of it');
});

test('campaign is listed with its times, its screens and its present phase', async (t) => {
  const store = await open(t);
  const { hold, advent, campaign, make, mark, site } = store;
  const door = await store.screen('Door');
  await store.screen('Till');
  must(await store.call('PUT', `/api/devices/${door.deviceId}`, { tags: ['Window'] }));
  await make('/api/playlists', { name: 'Own' });
  const missing = { sha256: 'ab'.repeat(32), size: 1_000, mime: 'image/gif' };
  const base = advent();
  const doc = advent({
    screen_tags: ['window'],
    contents: [...base.contents, { ...base.contents[0]!, id: `tree${mark}`, file: missing }],
  });
  await hold.want([doc]);
  const arriving = await campaign();
  assert.deepEqual(
    [arriving.name, arriving.rank, arriving.start_time, arriving.phase, arriving.wanted, arriving.applied],
    ['Advent', 'must', '2026-03-01T00:00:00', 'fetching', 1, null],
  );
  assert.deepEqual([arriving.screens, arriving.screen_names], [1, ['Door']]);
  assert.deepEqual([arriving.bytes, arriving.bytes_left], [1_000 + store.file.size, 1_000]);
  assert.deepEqual(await store.get('/api/chain/records'), [], 'nothing half');
  hold.desired.refuse(doc.id, 'The file is not what headquarters says.');
  assert.deepEqual((({ phase, why }) => [phase, why])(await campaign()), [
    'refused',
    'The file is not what headquarters says.',
  ]);
  await hold.want([advent({ edition: 2 })]);
  assert.deepEqual(
    (({ phase, applied, is_whole, screens, bytes_left, why }) => [phase, applied, is_whole, screens, bytes_left, why])(
      await campaign(),
    ),
    ['on_screens', 2, true, 2, 0, ''],
  );
  site.app.db.write(() => site.app.db.raw.prepare('UPDATE chain_campaigns SET doc = NULL, wanted = 3').run());
  assert.deepEqual(
    (({ phase, rank, applied }) => [phase, rank, applied])(await campaign()),
    ['fetching', 'must', 2],
    'of what has not come yet, what screens have is said',
  );
});

test('published playlist of the store can fill a slot if it fits, and its items play in the zone of the slot', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, slot } = store;
  await hold.want([advent()]);
  const screen = await store.screen();
  const bread = await store.image('bread.gif');
  const offers = await store.playlist([bread, bread]);
  const answer = must(await fill(offers));
  const program = await nextProgram(store, screen);
  const [list] = program.playlists;
  assert.deepEqual(
    list.items.map(({ name }: { name: string }) => name),
    ['Star.gif', 'bread.gif', 'bread.gif', 'Advent clock'],
  );
  assert.deepEqual(answer, await slot());
  assert.deepEqual(
    (({ name, max_items, max_seconds, kinds, in_playlist }) => ({ name, max_items, max_seconds, kinds, in_playlist }))(
      answer,
    ),
    {
      name: 'Bakery’s offer',
      max_items: 2,
      max_seconds: 30,
      kinds: ['image', 'video'],
      in_playlist: `advent-list${store.mark}`,
    },
  );
  assert.deepEqual(
    answer.filled.items.map(({ name, kind, seconds, left_out }: Record<string, unknown>) => [
      name,
      kind,
      seconds,
      left_out,
    ]),
    [
      ['bread.gif', 'image', 10, null],
      ['bread.gif', 'image', 10, null],
    ],
  );
  const [log] = await store.get('/api/activity');
  assert.deepEqual([log.action, log.details], ['chain.place_filled', 'Bakery’s offer (Advent)']);
  must(await fill(null));
  assert.equal((await slot()).filled, null);
  const [again] = (await nextProgram(store, screen)).playlists;
  assert.deepEqual(
    again.items.map(({ name }: { name: string }) => name),
    ['Star.gif', 'Star.gif', 'Advent clock'],
    'what headquarters gave plays instead',
  );
});

test('playlist that does not fit, is unpublished, or belongs to a screen or to headquarters is refused with the reason', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, slot, make, call, mark } = store;
  await hold.want([advent()]);
  const bread = await store.image('bread.gif');
  const clock = (await make('/api/widgets', { widget_type: 'clock', name: 'Clock' })).id;
  const long = await store.playlist([], 'Long');
  await make(`/api/playlists/${long}/items`, { content_id: bread, duration_sec: 31 });
  must(await call('POST', `/api/playlists/${long}/publish`));
  const timed = await store.playlist([], 'Timed');
  await make(`/api/playlists/${timed}/items`, { widget_id: clock });
  must(await call('POST', `/api/playlists/${timed}/publish`));
  const own = await store.screen('Own');
  await make(`/api/assignments/device/${own.deviceId}`, { content_id: bread });
  const { playlist_id: alone } = await store.get(`/api/devices/${own.deviceId}`);
  for (const [what, playlist, status, sentence] of [
    [
      'three items',
      await store.playlist([bread, bread, bread]),
      400,
      /^bread\.gif .*Bakery’s offer.*Advent: items allowed there: 2\./,
    ],
    ['31 s', long, 400, /bread\.gif .*: the limit is 30 s, and the playlist lasts 31 s\./],
    ['a widget', timed, 400, /Clock .*: not allowed there: widgets\./],
    ['a draft', (await make('/api/playlists', { name: 'Draft' })).id, 400, /Draft was never published/],
    ['headquarters’ own', `advent-list${mark}`, 400, /this playlist comes from headquarters/],
    ['one screen’s', alone, 400, /this playlist belongs to one screen/],
    ['nobody’s', 'nowhere', 404, /Playlist not found/],
  ] as const) {
    const answer = await fill(playlist);
    assert.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
    assert.match(answer.body.error, sentence, what);
    assert.equal((await slot()).filled, null, what);
  }
  assert.equal((await call('PUT', `/api/chain/slots/nowhere`, { playlist_id: null })).status, 404);
});

test('publishing a playlist that no longer fits its slot is refused, and screens keep the published items', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, slot, make, call } = store;
  await hold.want([advent()]);
  const bread = await store.image('bread.gif');
  const offers = await store.playlist([bread, bread]);
  must(await fill(offers));
  const { id: item } = await make(`/api/playlists/${offers}/items`, { content_id: bread, duration_sec: 5 });
  const refused = await call('POST', `/api/playlists/${offers}/publish`);
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /^bread\.gif does not fit in the place Bakery’s offer .*: items allowed there: 2\./);
  assert.equal((await store.get(`/api/playlists/${offers}/published`)).length, 2);
  assert.equal((await store.get(`/api/playlists/${offers}`)).status, 'draft');
  assert.equal((await slot()).filled.items.length, 2);
  must(await call('DELETE', `/api/playlists/${offers}/items/${item}`));
  must(await call('POST', `/api/playlists/${offers}/publish`));
  must(await fill(null));
  await make(`/api/playlists/${offers}/items`, { content_id: bread });
  must(await call('POST', `/api/playlists/${offers}/publish`));
});

test('approving a publication also checks the limits of the slot', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, make, call, owner } = store;
  await hold.want([advent()]);
  const bread = await store.image('bread.gif');
  const offers = await store.playlist([bread]);
  must(await fill(offers));
  must(await call('PUT', `/api/workspaces/${owner.workspaceId}`, { approval: 1 }));
  for (let i = 0; i < 2; i++) await make(`/api/playlists/${offers}/items`, { content_id: bread });
  const { id } = await make(`/api/playlists/${offers}/publish-request`, { note: '' });
  const refused = await call('POST', `/api/publish-requests/${id}/approve`, {});
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /does not fit in the place/);
  assert.equal((await store.get(`/api/playlists/${offers}/published`)).length, 1);
});

test('items that still fit play when headquarters shrinks a slot, and every other item gets a reason', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, slot, mark } = store;
  await hold.want([advent()]);
  const bread = await store.image('bread.gif');
  const clip = await store.video(3);
  must(await fill(await store.playlist([clip, bread])));
  const [list] = advent().playlists;
  const limits = {
    id: `bakery${mark}`,
    name: 'Bakery’s offer',
    max_items: 2,
    max_seconds: 9,
    kinds: ['video' as const],
  };
  const items = [itemOf({ content_id: `star${mark}`, slot: limits })];
  await hold.want([advent({ edition: 2, playlists: [{ ...list!, items }] })]);
  assert.deepEqual(
    (await slot()).filled.items.map(({ left_out }: { left_out: string }) => left_out),
    [null, 'kind'],
  );
});

test('slot keeps its playlist while an edition does not contain the slot, and a later edition plays the playlist again', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, slot, call, get, mark } = store;
  await hold.want([advent()]);
  const id = (await slot()).id;
  const offers = await store.playlist([await store.image('bread.gif')]);
  must(await fill(offers));
  const [list] = advent().playlists;
  const without = { ...list!, items: [itemOf({ content_id: `star${mark}` })] };
  await hold.want([advent({ edition: 2, playlists: [without] })]);
  assert.deepEqual((await get('/api/chain/campaigns'))[0].slots, []);
  assert.equal((await call('PUT', `/api/chain/slots/${id}`, { playlist_id: null })).status, 404);
  await hold.want([advent({ edition: 3 })]);
  assert.equal((await slot()).filled.playlist_id, offers);
  await hold.want([]);
  await hold.want([advent({ edition: 4 })]);
  assert.equal((await slot()).filled, null);
});

test('slot is empty when its playlist is deleted, and filled again when the playlist is restored', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, slot, call, get } = store;
  await hold.want([advent()]);
  const screen = await store.screen();
  const offers = await store.playlist([await store.image('bread.gif')]);
  must(await fill(offers));
  await screen.client.next('program');
  must(await call('DELETE', `/api/playlists/${offers}`));
  assert.equal((await slot()).filled, null);
  await screen.client.next('program');
  const [{ id, ...entry }] = await get(`/api/bin?ref=${offers}`);
  assert.equal(entry.places, 1);
  must(await call('POST', `/api/bin/${id}/restore`));
  assert.equal((await slot()).filled.playlist_id, offers);
  const [list] = (await nextProgram(store, screen)).playlists;
  assert.ok(list.items.some(({ name }: { name: string }) => name === 'bread.gif'));
});

test('member limited to some groups may fill a slot only if the campaign runs on screens of these groups', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, make, call, site, owner, mark } = store;
  const { id: group } = await make('/api/groups', { name: 'Bakery' });
  const oven = await store.screen('Oven');
  await make(`/api/groups/${group}/devices`, { device_id: oven.deviceId });
  must(await call('PUT', `/api/devices/${oven.deviceId}`, { tags: ['bakery'] }));
  const offers = await store.playlist([await store.image('bread.gif')]);
  const { id, token } = await colleague(site, owner, `e${mark}@store.test`, 'workspace_editor');
  const may = (rights: object) =>
    call('PUT', `/api/workspaces/${owner.workspaceId}/members/${id}`, { role: 'workspace_editor', ...rights });
  const their = callAs(site, token);
  await hold.want([advent({ screen_tags: ['bakery'] })]);
  must(await may({ group_ids: [group] }));
  must(await fill(offers, their));
  await store.screen('Door');
  await hold.want([advent({ edition: 2 })]);
  const refused = await fill(null, their);
  assert.deepEqual([refused.status, refused.body.code], [403, 'outside_rights']);
  assert.match(refused.body.error, /Advent playlist is also on Door/);
  must(await may({ duty: 'upload' }));
  assert.equal((await fill(null, their)).status, 403);
  // The playlist is already approved, so filling a slot needs no approval.
  must(await may({ duty: 'all', group_ids: null, approves: false }));
  must(await call('PUT', `/api/workspaces/${owner.workspaceId}`, { approval: 1 }));
  must(await fill(null, their));
  must(await fill(offers, their));
});

test('store that has left headquarters keeps a campaign with its slots, and can publish or drop the campaign', async (t) => {
  const store = await open(t);
  const { hold, advent, fill, campaign, slot, call, mark, get } = store;
  await hold.want([advent()]);
  const offers = await store.playlist([await store.image('bread.gif')]);
  must(await fill(offers));
  const drop = () => call('DELETE', `/api/chain/campaigns/advent${mark}`);
  assert.equal((await drop()).status, 409);
  await hold.leave();
  assert.deepEqual(await get('/api/chain/records'), []);
  assert.deepEqual((({ name, wanted, applied, phase }) => [name, wanted, applied, phase])(await campaign()), [
    'Advent',
    null,
    1,
    null,
  ]);
  // The campaign's playlist is now a playlist of the store, and still contains the slot.
  const screen = await store.screen();
  must(await call('PUT', `/api/playlists/advent-list${mark}`, { name: 'Ours' }));
  must(await call('POST', `/api/playlists/advent-list${mark}/publish`));
  assert.equal((await slot()).filled.playlist_id, offers);
  const [list] = (await nextProgram(store, screen)).playlists;
  assert.ok(list.items.some(({ name }: { name: string }) => name === 'bread.gif'));
  must(await drop());
  assert.equal((await drop()).status, 404);
  assert.deepEqual(await get('/api/chain/campaigns'), []);
  assert.deepEqual((await nextProgram(store, screen)).schedules, []);
  assert.equal((await get(`/api/playlists/advent-list${mark}`)).name, 'Ours');
});

test('calendars and plan previews show the rank of a headquarters campaign', async (t) => {
  const store = await open(t);
  const { hold, advent, make, get, call, mark } = store;
  const screen = await store.screen();
  const list = await store.playlist([await store.image('bread.gif')], 'Own');
  const times = { start_time: '2026-03-10T09:00', end_time: '2026-03-10T10:00', timezone: 'UTC' };
  const plan = { title: 'Breakfast', playlist_id: list, targets: [{ kind: 'device', id: screen.deviceId }], ...times };
  const { id } = await make('/api/plans', plan);
  await hold.want([advent()]);
  const [{ spans }] = await get('/api/plans/calendar?from=2026-03-10&days=1&detail=true');
  assert.deepEqual(
    spans.map(({ plan_id, title, rank, hidden }: Record<string, unknown>) => [plan_id, title, rank, hidden]),
    [
      [`advent${mark}`, 'Advent', 'must', []],
      [`advent${mark}`, 'Advent', 'must', [{ plan_id: id, title: 'Breakfast', rank: null }]],
      [`advent${mark}`, 'Advent', 'must', []],
    ],
  );
  const preview = must(await call('POST', '/api/plans/preview', { ...plan, plan_id: id }));
  assert.deepEqual(
    preview.hidden_by.map(({ title, rank, always }: Record<string, unknown>) => [title, rank, always]),
    [['Advent', 'must', true]],
  );
});
