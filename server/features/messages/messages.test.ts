import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PipShow } from '../../../shared/protocol/messages.ts';
import { must } from '../../../test/people.ts';
import { passing, reconnect } from '../../../test/player-client.ts';
import { openRows } from '../../../test/rows.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { until } from '../../../test/until.ts';
import { Bus } from '../../kernel/bus.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { MessagesService } from './messages.service.ts';
import { MessagesStore } from './messages.store.ts';

const shops = openShops();

const leave = async (player: Awaited<ReturnType<Shop['screen']>>) => {
  player.client.socket.terminate();
  await player.client.closed;
};
/** A screen that is switched off. */
const offScreen = async ({ screen, clock, get }: Shop, name: string) => {
  const player = await screen(name);
  await leave(player);
  await until('it is offline', 5_000, async () => {
    clock.advance(6_000);
    return (await get(`/api/devices/${player.deviceId}`)).status === 'offline';
  });
  return player;
};
const toAll = [{ kind: 'all' }];
const counts = ({ total, shown, sent, offline, failed, ended, missed }: Record<string, number>) => ({
  total,
  shown,
  sent,
  offline,
  failed,
  ended,
  missed,
});
const none = { total: 0, shown: 0, sent: 0, offline: 0, failed: 0, ended: 0, missed: 0 };

test('a text message is one overlay with a stored page on each targeted screen', async (t) => {
  const shop = await shops.open(t);
  const { make, screen } = shop;
  const [window, till] = [await screen('Window'), await screen('Till')];
  const group = await make('/api/groups', { name: 'Front' });
  await make(`/api/groups/${group.id}/devices`, { device_id: window.deviceId });
  const sent = await make('/api/messages', {
    template: 'alarm',
    title: ' Please leave ',
    text: 'The building is being cleared <b>now</b>',
    position: 'bottom',
    duration: 60,
    targets: [
      { kind: 'group', id: group.id },
      { kind: 'device', id: window.deviceId },
    ],
  });
  const { begin_by: _, until: __, ...show } = PipShow.parse(await window.client.next('device:pip-show'));
  assert.deepEqual([sent.title, sent.in_force, counts(sent)], ['Please leave', true, { ...none, total: 1, shown: 1 }]);
  assert.deepEqual(sent.results, [{ device_id: window.deviceId, name: 'Window', status: 'shown' }]);
  assert.deepEqual(sent.targets, [
    { kind: 'group', id: group.id, name: 'Front' },
    { kind: 'device', id: window.deviceId, name: 'Window' },
  ]);
  assert.deepEqual(
    [show.pip_id, show.kind, show.area, show.duration, show.asset?.mime, show.title, show.close_button],
    [sent.id, 'web', 'bottom', 60, 'text/html', undefined, false],
  );
  assert.ok(!till.client.heard.some(({ type }) => type === 'device:pip-show'));
  const page = await shop.site.call('GET', `/api/player/assets/${show.asset?.sha256}`, {
    headers: { Authorization: `Bearer ${window.credential}` },
  });
  assert.equal(page.status, 200);
  const html = String(page.body);
  assert.equal(Buffer.byteLength(html), show.asset?.size);
  assert.ok(html.includes('\\u003cb>now') && !html.includes('<b>now'), 'what people write is never markup');
  const open = await shop.site.call('GET', new URL(show.uri).pathname);
  assert.equal(String(open.body), html);
});

test('an offline screen is counted and gets the message when it returns', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, screen } = shop;
  const off = await offScreen(shop, 'Cellar');
  await screen('Window');
  const sent = await make('/api/messages', { text: 'Closing in ten minutes', duration: 600, targets: toAll });
  assert.deepEqual(counts(sent), { ...none, total: 2, shown: 1, offline: 1 });
  assert.deepEqual(
    sent.results.map(({ name, status }: { name: string; status: string }) => [name, status]),
    [
      ['Cellar', 'offline'],
      ['Window', 'shown'],
    ],
  );
  const client = await reconnect(t, shop.site, off);
  const { pip_id } = await client.next('device:pip-show');
  assert.equal(pip_id, sent.id);
  assert.deepEqual(counts(await get(`/api/messages/${sent.id}`)), { ...none, total: 2, shown: 1, sent: 1 });
  client.say({ type: 'overlay.result', pip_id, status: 'failed', error: 'the image cannot be loaded' });
  await until('it is written', 5_000, async () => (await get(`/api/messages/${sent.id}`)).failed === 1);
  const failed = await get(`/api/messages/${sent.id}/screens?status=failed`);
  assert.deepEqual(failed, [
    { device_id: off.deviceId, name: 'Cellar', status: 'failed', error: 'the image cannot be loaded' },
  ]);
  const page = await call('GET', `/api/messages/${sent.id}/screens?limit=1&offset=1`);
  assert.deepEqual([page.body[0].name, page.headers.get('x-total-count')], ['Window', '2']);
});

test('the error of a screen is stored without browser details', async (t) => {
  const shop = await shops.open(t);
  const off = await offScreen(shop, 'Cellar');
  const sent = await shop.make('/api/messages', { text: 'Hello', targets: toAll });
  const client = await reconnect(t, shop.site, off);
  const { pip_id } = await client.next('device:pip-show');
  const error = 'the image cannot be loaded (net::ERR_FAILED)';
  client.say({ type: 'overlay.result', pip_id, status: 'failed', error });
  await until('it is written', 5_000, async () => (await shop.get(`/api/messages/${sent.id}`)).failed === 1);
  const [failed] = await shop.get(`/api/messages/${sent.id}/screens?status=failed`);
  assert.equal(failed.error, 'the image cannot be loaded');
});

test('an alarm without a duration stays until withdrawn, and other messages last 300 seconds by default', async (t) => {
  const { make, call, get, screen } = await shops.open(t);
  const { client } = await screen('Window');
  const notice = await make('/api/messages', { text: 'Hi', targets: toAll });
  assert.deepEqual([notice.duration, notice.until - notice.created_at], [300, 300]);
  const brief = await make('/api/messages', { template: 'alarm', text: 'Out', duration: 60, targets: toAll });
  assert.equal(brief.duration, 60);
  const alarm = await make('/api/messages', { template: 'alarm', text: 'Leave', targets: toAll });
  assert.deepEqual([alarm.duration, alarm.until, alarm.in_force], [0, null, true]);
  const shows = client.heard.filter(({ type }) => type === 'device:pip-show') as unknown as { duration: number }[];
  assert.equal(shows.at(-1)?.duration, 0);
  must(await call('DELETE', `/api/messages/${alarm.id}`));
  assert.equal((await get(`/api/messages/${alarm.id}`)).in_force, false);
});

test('screens with problems are listed first, and a failure reason is kept until the message is shown', async (t) => {
  const shop = await shops.open(t);
  const { get, make, screen } = shop;
  const window = await screen('Window');
  await offScreen(shop, 'Cellar');
  const sent = await make('/api/messages', { text: 'Hello', targets: toAll });
  const names = async () => (await get(`/api/messages/${sent.id}/screens`)).map((one: any) => [one.name, one.status]);
  assert.deepEqual(await names(), [
    ['Cellar', 'offline'],
    ['Window', 'shown'],
  ]);
  const { client } = window;
  const say = async (status: 'failed' | 'shown', error?: string) => {
    client.say({ type: 'overlay.result', pip_id: sent.id, status, ...(error && { error }) });
    await until('it is written', 5_000, async () => (await get(`/api/messages/${sent.id}`))[status] === 1);
    return (await get(`/api/messages/${sent.id}/screens`)).find(({ name }: any) => name === 'Window').error;
  };
  assert.equal(await say('failed', 'x'.repeat(400)), 'x'.repeat(300));
  assert.deepEqual(await names(), [
    ['Window', 'failed'],
    ['Cellar', 'offline'],
  ]);
  assert.equal(await say('shown'), undefined);
});

test('a message that failed on every screen is no longer in force', async (t) => {
  const { get, make, screen } = await shops.open(t);
  const { client } = await screen('Window');
  const { id } = await make('/api/messages', { text: 'Hello', targets: toAll });
  client.say({ type: 'overlay.result', pip_id: id, status: 'failed' });
  await until('it is written', 5_000, async () => (await get(`/api/messages/${id}`)).failed === 1);
  assert.deepEqual(await get('/api/messages?in_force=true'), []);
});

test('the activity log names up to three targets of a message, or its single screen', async (t) => {
  const { get, make, screen, clock } = await shops.open(t);
  const { deviceId } = await screen('Window');
  const groups: { kind: string; id: string }[] = [];
  for (const name of ['A', 'B', 'C', 'D']) groups.push({ kind: 'group', id: (await make('/api/groups', { name })).id });
  await make(`/api/groups/${groups[3]!.id}/devices`, { device_id: deviceId });
  const entry = async (targets: object[]) => {
    const { total, until: ends } = await make('/api/messages', { text: 'Hi\nall', duration: 60, targets });
    assert.equal(ends, Math.floor(clock.now() / 1_000) + 60);
    const [{ details, device_id }] = await get('/api/activity?limit=1');
    return [total, details, device_id];
  };
  assert.deepEqual(await entry([{ kind: 'device', id: deviceId }]), [1, 'Hi', deviceId]);
  assert.deepEqual(await entry(groups.slice(2)), [1, 'Hi: C, D', null]);
  assert.deepEqual(await entry(groups), [1, 'Hi: A, B, C, +1', null]);
  assert.equal((await make('/api/messages', { text: 'Hi', duration: 0, targets: groups })).until, null);
});

test('older players get the size in pixels, and rounded corners unless the message reaches the edges of the screen', async (t) => {
  const { make, screen } = await shops.open(t);
  const { client } = await screen('Window');
  const sizes = [];
  for (const position of ['full', 'center', 'top-left']) {
    await make('/api/messages', { text: 'Hi', position, targets: toAll });
    const { width, height, border_radius, position: at } = PipShow.parse(await client.next('device:pip-show'));
    sizes.push([width, height, border_radius, at]);
  }
  assert.deepEqual(sizes, [
    [3840, 3840, 0, 'center'],
    [3840, 3840, 24, 'center'],
    [720, 390, 24, 'top-left'],
  ]);
});

test('the page of a message is available for twice its duration, for screens that start late', async (t) => {
  const { call, make, clock, screen } = await shops.open(t);
  await screen('Window');
  const { id } = await make('/api/messages', { text: 'Hi', duration: 60, targets: toAll });
  const page = async (of: string) => (await call('GET', `/api/messages/${of}/shown`)).status;
  clock.advance(120_000);
  assert.deepEqual([await page(id), await page('nothing')], [200, 404]);
  clock.advance(1);
  assert.equal(await page(id), 404);
  const { id: endless } = await make('/api/messages', { text: 'Hi', duration: 0, targets: toAll });
  assert.equal(await page(endless), 200);
});

test('a withdrawn message leaves every screen, stays listed, and can be repeated to the current targets', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, screen } = shop;
  const first = await screen('Window');
  const sent = await make('/api/messages', { title: 'Welcome', template: 'welcome', duration: 0, targets: toAll });
  const withdrawn = must(await call('DELETE', `/api/messages/${sent.id}`));
  assert.equal((await first.client.next('device:pip-clear'))['pip_id'], sent.id);
  assert.ok(withdrawn.withdrawn_at > 0);
  assert.deepEqual([withdrawn.in_force, counts(withdrawn)], [false, { ...none, total: 1, ended: 1 }]);
  assert.equal((await call('GET', `/api/messages/${sent.id}/shown`)).status, 404);
  must(await call('DELETE', `/api/messages/${sent.id}`));
  await screen('Till');
  const again = must(await call('POST', `/api/messages/${sent.id}/again`), 201);
  assert.notEqual(again.id, sent.id);
  assert.deepEqual([again.title, counts(again)], ['Welcome', { ...none, total: 2, shown: 2 }]);
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  assert.deepEqual(ids(await get('/api/messages')), [again.id, sent.id]);
  assert.deepEqual(ids(await get('/api/messages?in_force=true')), [again.id]);
  const acts = (await get('/api/activity?limit=10')).filter(({ action }: any) => action.startsWith('message.'));
  assert.deepEqual(
    acts.map(({ action, details }: any) => [action, details]),
    [
      ['message.sent', 'Welcome'],
      ['message.withdrawn', 'Welcome'],
      ['message.sent', 'Welcome'],
    ],
  );
});

test('a newer message replaces an older message, which then counts as seen', async (t) => {
  const { get, make, screen } = await shops.open(t);
  const { client, deviceId } = await screen('Window');
  const targets = [{ kind: 'device', id: deviceId }];
  const first = await make('/api/messages', { text: 'One', targets });
  client.say({ type: 'overlay.result', pip_id: first.id, status: 'cleared' });
  await make('/api/messages', { text: 'Two', targets });
  const after = await get(`/api/messages/${first.id}`);
  assert.deepEqual([after.in_force, counts(after)], [false, { ...none, total: 1, ended: 1 }]);
});

test('a message that no screen showed in its time is missed and over', async (t) => {
  const shop = await shops.open(t);
  await offScreen(shop, 'Cellar');
  const sent = await shop.make('/api/messages', { text: 'Lunch', duration: 60, targets: toAll });
  assert.equal(sent.in_force, true);
  shop.clock.advance(61_000);
  const after = await shop.get(`/api/messages/${sent.id}`);
  assert.deepEqual([after.in_force, counts(after)], [false, { ...none, total: 1, missed: 1 }]);
  assert.deepEqual(await shop.get('/api/messages?in_force=1'), []);
});

test('a message with a stored image is shown from the image’s file, and other content is refused', async (t) => {
  const { call, image, make, screen, site } = await shops.open(t);
  const { client, deviceId, credential } = await screen('Window');
  const targets = [{ kind: 'device', id: deviceId }];
  const content_id = await image();
  const sent = await make('/api/messages', { content_id, title: 'New', text: 'x', position: 'center', targets });
  assert.equal(sent.text, '', 'it is shown instead of the text');
  const { kind, title, asset } = PipShow.parse(await client.next('device:pip-show'));
  assert.deepEqual([kind, title, asset?.mime], ['image', 'New', 'image/gif']);
  const file = await site.call('GET', `/api/player/assets/${asset?.sha256}`, {
    headers: { Authorization: `Bearer ${credential}` },
  });
  assert.equal(file.status, 200);
  const site_ = must(await call('POST', '/api/content/videosite', { url: 'https://youtu.be/aaaaaaaaaaa' }), 201);
  const wrong = await call('POST', '/api/messages', { content_id: site_.id, targets });
  assert.deepEqual([wrong.status, /content_id/.test(wrong.body.error)], [400, true]);
  assert.equal((await call('POST', '/api/messages', { content_id: 'nothing', targets })).status, 404);
});

test('a message needs text and existing targets, and may go to a group without screens', async (t) => {
  const { call, make } = await shops.open(t);
  const send = async (body: object) => {
    const { status, body: answer } = await call('POST', '/api/messages', body);
    return [status, answer.error ?? answer.total];
  };
  const { id } = await make('/api/groups', { name: 'Nobody' });
  assert.deepEqual(await send({ text: 'x', targets: [{ kind: 'group', id }] }), [201, 0]);
  assert.deepEqual(await send({ text: 'x', targets: [{ kind: 'tag', id: 'none' }] }), [201, 0]);
  for (const [body, words] of [
    [{ targets: toAll }, /text: must not be empty/],
    [{ title: ' ', text: '\n', targets: toAll }, /text: must not be empty/],
    [{ text: 'x', targets: [] }, /targets: must name at least one/],
    [{ text: 'x'.repeat(1_001), targets: toAll }, /text: must be at most 1000/],
    [{ text: 'x', position: 'left', targets: toAll }, /position: must be one of full, top/],
    [{ text: 'x', duration: -1, targets: toAll }, /duration/],
  ] as const) {
    const [status, error] = await send(body);
    assert.equal(status, 400);
    assert.match(String(error), words);
  }
  const other = await shops.open(t);
  const { deviceId } = await other.screen();
  const { id: group } = await other.make('/api/groups', { name: 'Theirs' });
  for (const id of ['gone', deviceId])
    assert.deepEqual(await send({ text: 'x', targets: [{ kind: 'device', id }] }), [404, 'Device not found']);
  for (const id of ['gone', group])
    assert.deepEqual(await send({ text: 'x', targets: [{ kind: 'group', id }] }), [404, 'Group not found']);
});

test('a screen without an answer within two seconds counts as sent, and the request ends', async (t) => {
  const shop = await shops.open(t);
  const { client } = await shop.screen('Window');
  client.socket.removeAllListeners('message');
  const sending = shop.make('/api/messages', { text: 'x', targets: toAll });
  await passing(shop.clock, 500, sending);
  assert.deepEqual(counts(await sending), { ...none, total: 1, sent: 1 });
});

test('messages are listed newest first, deleted oldest first, and separate for each workspace', () => {
  const { db, add } = openRows();
  const store = new MessagesStore(db);
  const page = (sha256: string, content_id: string | null = null) =>
    JSON.stringify({ title: sha256, asset: { sha256 }, content_id });
  const row = (id: string, created_at: number, more = {}) => ({ id, created_at, targets: '{"words":[]}', ...more });
  add('messages', row('2', 5, { message: page('b') }), row('1', 5, { message: page('a', 'photo') }));
  add('messages', row('3', 9, { message: page('c') }), row('4', 1, { message: page('d') }));
  add('messages', row('5', 1, { message: page('e'), workspace_id: 'there' }), row('6', 0, { message: page('f') }));
  const newest = (limit: number, offset = 0) => store.newest('here', { limit, offset }).map(({ id }) => id);
  assert.deepEqual(
    [newest(9), newest(2, 1)],
    [
      ['3', '2', '1', '4', '6'],
      ['2', '1'],
    ],
  );
  assert.deepEqual(
    store.among('here', ['5', '4', '3', '1', '2']).map(({ id }) => id),
    ['3', '2', '1', '4'],
  );
  assert.deepEqual([store.find('here', '5'), store.find('here', '4')?.id], [undefined, '4']);
  assert.equal(store.findAnywhere('5')?.workspace_id, 'there');
  const drawn = (sha256: string) => store.byAsset('here', sha256)?.title;
  assert.deepEqual([drawn('c'), drawn('a'), drawn('e')], ['c', undefined, undefined]);
  db.write(() => {
    store.trim('here', 3);
    assert.deepEqual([newest(9), store.count('here'), store.count('there')], [['3', '2', '1'], 3, 1]);
    store.withdraw('2', 7);
    store.setMessage('1', { ...store.find('here', '1')!.message, title: 'New' });
  });
  assert.deepEqual(
    store.newest('here', { limit: 9, offset: 0 }).map(({ message, withdrawn_at }) => [message.title, withdrawn_at]),
    [
      ['c', null],
      ['b', 7],
      ['New', null],
    ],
  );
  db.write(() => store.trim('here', 2));
  assert.deepEqual(newest(9), ['3', '2'], 'of one moment as the list has them');
});

test('targets resolve to screens of the workspace by name, and a picture must be a stored image of the workspace', () => {
  const { db, add } = openRows();
  const store = new MessagesStore(db);
  add('devices', { id: '1', name: 'b' }, { id: '3', name: 'a' }, { id: '2', name: 'a' });
  add('devices', { id: '0', name: 'a', workspace_id: 'there' });
  for (const device_id of ['0', '1', '2', '3'])
    add('device_tags', { device_id, tag: device_id === '3' ? 'x' : 'till' });
  assert.deepEqual([store.devices('here'), store.devices('there')], [['2', '3', '1'], ['0']]);
  assert.deepEqual([store.tagged('here', 'till'), store.tagged('here', 'none')], [['2', '1'], []]);
  assert.deepEqual([...store.names('here', ['1', '0', 'none', '3'])].toSorted(), [
    ['1', 'b'],
    ['3', 'a'],
  ]);
  add('blobs', { sha256: 'file', size: 3, mime: 'image/gif' });
  const file = { sha256: 'file', kind: 'image' };
  add('content', { ...file, id: 'photo' }, { ...file, id: 'film', kind: 'video' }, { id: 'no file', kind: 'image' });
  add('content', { ...file, id: 'theirs', workspace_id: 'there' });
  const ids = ['photo', 'film', 'no file', 'theirs', 'none'];
  assert.deepEqual(
    ids.map((id) => store.picture('here', id)),
    [{ sha256: 'file', size: 3, mime: 'image/gif' }, undefined, undefined, undefined, undefined],
  );
  assert.deepEqual(
    ids.map((id) => store.hasContent('here', id)),
    [true, true, true, false, false],
  );
});

test('a shown message is due on a screen until its end, and other messages until their latest start', () => {
  const { db, add } = openRows();
  const store = new MessagesStore(db);
  const now = 1_000;
  const holds = (status: string, until_ms: number | null, begin_by?: number, type = 'device:pip-show') => {
    const id = `${status} ${until_ms} ${begin_by} ${type}`;
    add('devices', { id });
    add('overlays', { device_id: id, pip_id: id, status, until_ms, message: JSON.stringify({ type, begin_by }) });
    return store.listDue('here', now).some((one) => one.device_id === id && one.id === id && one.status === status);
  };
  assert.deepEqual([holds('shown', now), holds('shown', now + 1), holds('shown', null)], [false, true, true]);
  for (const status of ['waiting', 'sent', 'failed'])
    assert.deepEqual(
      [
        holds(status, now + 9, now),
        holds(status, now + 9, now + 1),
        holds(status, now, now + 1),
        holds(status, null),
        holds(status, now + 9),
      ],
      [false, true, false, true, false],
    );
  assert.equal(holds('shown', null, undefined, 'device:pip-clear'), false);
  assert.deepEqual(store.listDue('there', now), []);
});

test('a report of shown or failed counts even if the message is cleared at once, and a clear alone means missed', async (t) => {
  const { db, add } = openRows();
  const bus = new Bus((_, error) => assert.fail(String(error)));
  const service = new MessagesService({
    ...{ db, bus, clock: { now: () => 1_000 }, store: new MessagesStore(db) },
    activity: { add: () => 0 } as never,
    log: { debug() {}, info() {}, warn: (_: string, { error }: any) => assert.fail(String(error)), error() {} },
    pages: { make: () => ({ sha256: '0'.repeat(64), size: 1, mime: 'text/html' }) },
    devices: { nameOf: () => undefined },
    groups: { target: () => undefined } as never,
    overlays: { show: async () => {}, clear: async () => {} } as never,
    isOnline: () => true,
    origin: () => 'http://store.test',
  });
  service.start();
  t.after(() => service.stop());
  add('devices', { id: 'seen' }, { id: 'unseen' }, { id: 'failed' }, { id: 'again' });
  const actor = { workspaceId: 'here', userId: 'u', userName: 'Anna' } as WorkspaceActor;
  const { id } = await service.send(actor, {
    ...{ template: 'alarm', text: 'Hi', position: 'full', duration: 0 },
    targets: [{ kind: 'all' }],
  } as Parameters<MessagesService['send']>[1]);
  const say = (deviceId: string, ...all: ('shown' | 'failed' | 'cleared')[]) => {
    for (const status of all) bus.emit('overlay', { deviceId, pip_id: id, status });
  };
  say('seen', 'shown', 'cleared');
  say('unseen', 'cleared');
  say('failed', 'failed', 'cleared');
  say('again', 'shown', 'cleared', 'shown');
  const { ended, missed, failed } = service.get(actor, id);
  assert.deepEqual([ended, missed, failed], [2, 1, 1]);
  bus.emit('overlay', { deviceId: 'seen', pip_id: 'of another system', status: 'shown' });
  assert.equal(service.get(actor, id).total, 4);
});
