import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../people.ts';
import { nextProgram, openShops } from '../shop.ts';

const shops = openShops({ VITRINE_ALLOWED_HOSTS: 'printer.store.test' });

test('a remote address must be http or https and public: internal hosts in every spelling are 400', async (t) => {
  const { call } = await shops.open(t);
  const inside = [
    'http://127.0.0.1/a.png',
    'http://localhost/a',
    'http://10.0.0.1/',
    'http://192.168.1.1/a',
    'http://172.16.0.9/',
    'http://169.254.169.254/latest',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://user:pass@example.com/a.png',
  ];
  for (const url of [...inside, 'ftp://example.com/a', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'not a url', '/a.png', '']) {
    const { status, body } = await call('POST', '/api/content/remote', { url });
    assert.equal(status, 400, url);
    assert.equal(typeof body.error, 'string');
  }
});

test('a name that does not resolve now is stored; creating does not fetch; /file is 404 while there is no copy', async (t) => {
  const { call, make } = await shops.open(t);
  const content = await make('/api/content/remote', { url: 'https://pictures.invalid/summer/sale.png' });
  assert.deepEqual(
    [content.filename, content.mime_type, content.remote_url, content.file_size, content.duration_sec],
    ['sale.png', 'image/png', 'https://pictures.invalid/summer/sale.png', 0, null],
  );
  assert.equal((await call('GET', `/api/content/${content.id}/file`)).status, 404);
  assert.equal((await call('GET', `/api/content/${content.id}/thumbnail`)).status, 404);
  assert.equal((await make('/api/content/remote', { url: 'https://pictures.invalid/x', name: 'Mine', mime_type: 'video/mp4' })).filename, 'Mine');
});

test('a video site’s address becomes the address of its player with mime video/embed; an unrecognised one is 400', async (t) => {
  const { call, make } = await shops.open(t);
  const content = await make('/api/content/videosite', { url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa', name: 'Clip' });
  assert.deepEqual([content.mime_type, content.filename, content.remote_url], ['video/embed', 'Clip', 'https://www.youtube.com/embed/aaaaaaaaaaa']);
  for (const url of ['https://example.com/video', 'aaaaaaaaaaa', 'https://youtu.be/', '']) assert.equal((await call('POST', '/api/content/videosite', { url })).status, 400, url);
});

test('GET /content/folders counts the labels; folder "" clears one', async (t) => {
  const { call, get, image } = await shops.open(t);
  const ids = [await image('1.gif'), await image('2.gif'), await image('3.gif')];
  for (const [i, folder] of ['spring', 'spring', 'autumn'].entries()) must(await call('PUT', `/api/content/${ids[i]}`, { folder }));
  assert.deepEqual(
    (await get('/api/content/folders')).toSorted((a: any, b: any) => a.folder.localeCompare(b.folder)),
    [
      { folder: 'autumn', count: 1 },
      { folder: 'spring', count: 2 },
    ],
  );
  assert.equal(must(await call('PUT', `/api/content/${ids[2]}`, { folder: '' })).folder, '');
  assert.deepEqual(await get('/api/content/folders'), [{ folder: 'spring', count: 2 }]);
});

test('deleting a content answers the devices whose program changed, and they get a new one at once', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen, get } = shop;
  const [gone, stays] = [await image('1.gif'), await image('2.gif')];
  const id = await playlist([gone, stays]);
  const [shows, bystander] = [await screen('Shows'), await screen('Bystander')];
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: shows.deviceId }));
  await nextProgram(shop, shows);
  assert.deepEqual(must(await call('DELETE', `/api/content/${gone}`)), { success: true, affectedDevices: [shows.deviceId] });
  assert.deepEqual(
    (await nextProgram(shop, shows)).playlists[0].items.map((item: any) => item.content_id),
    [stays],
  );
  assert.equal(
    bystander.client.heard.some((said) => said.type === 'program'),
    false,
  );
  const after = await get(`/api/playlists/${id}`);
  assert.deepEqual([after.status, after.items.map((item: any) => [item.content_id, item.sort_order])], ['published', [[stays, 0]]], 'the status stays as it was');
  assert.equal(must(await call('POST', `/api/playlists/${id}/discard`)).items.length, 1, 'gone from the snapshot, too');
});

test('deleting a content or widget deletes schedules that showed nothing else, and empties other references', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const content_id = await image();
  const { deviceId } = await screen();
  must(await call('PUT', `/api/devices/${deviceId}`, { default_content_id: content_id }));
  const wall = await make('/api/walls', { name: 'W', content_id });
  const times = { device_id: deviceId, content_id, start_time: '2026-03-10T00:00', end_time: '2026-03-11T00:00' };
  await make('/api/schedules', times);
  const both = await make('/api/schedules', { ...times, playlist_id: await playlist([]) });
  must(await call('DELETE', `/api/content/${content_id}`));
  assert.deepEqual(
    (await get('/api/schedules')).map((s: any) => [s.id, s.content_id]),
    [[both.id, null]],
  );
  assert.deepEqual([(await get(`/api/devices/${deviceId}`)).default_content_id, (await get(`/api/walls/${wall.id}`)).content_id], [null, null]);
});

test('a replaced file reaches playing screens', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen, site, owner } = shop;
  const content = await image();
  const id = await playlist([content]);
  const player = await screen();
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId }));
  const before = (await nextProgram(shop, player)).assets[0].sha256;
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(Buffer.concat([Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), Buffer.from('new')]))]), 'new.gif');
  const response = await fetch(`${site.origin}/api/content/${content}/replace`, { method: 'PUT', headers: { Authorization: `Bearer ${owner.token}` }, body: form });
  const { id: kept, sha256 } = (await response.json()) as { id: string; sha256: string };
  assert.equal(kept, content);
  assert.notEqual(sha256, before);
  assert.equal((await nextProgram(shop, player)).assets[0].sha256, sha256);
});
