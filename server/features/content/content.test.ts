import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { ContentQuery } from '../../../shared/contract/content/content.ts';
import { must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { jpeg, mp3, mp4, picture, png, svg } from '../../../test/sample-media.ts';
import { nextProgram, openShops } from '../../../test/shop.ts';
import { until } from '../../../test/uploads.ts';
import { pictureOf } from './content.service.ts';
import { ContentStore } from './content.store.ts';

const shops = openShops();
const library = async (t: TestContext) => {
  const shop = await shops.open(t);
  const { site, owner } = shop;
  const add = async (bytes: Buffer, name: string, path?: string) =>
    must(await shop.upload(bytes, name, path ? { path } : {}), 201);
  const bytesOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(`${site.origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${owner.token}`, ...headers },
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  return { ...shop, add, bytesOf };
};

test('an uploaded photo becomes a content with correct values in every field', async (t) => {
  const { owner, clock, add, call, bytesOf } = await library(t);
  const photo = await add(await jpeg(640, 480, 6), 'Entrance.jpg');
  const { id, sha256, ...rest } = photo;
  // A photo with an orientation is stored upright, so size and hash are those of the stored file.
  const stored = (await bytesOf(`/api/content/${id}/file`)).bytes;
  assert.equal(sha256, createHash('sha256').update(stored).digest('hex'));
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.match(sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(rest, {
    filename: 'Entrance.jpg',
    mime_type: 'image/jpeg',
    kind: 'image',
    file_size: stored.length,
    duration_sec: null,
    width: 480,
    height: 640,
    format: null,
    remote_url: null,
    thumbnail_path: `/api/content/${id}/thumbnail`,
    folder: '',
    folder_id: null,
    workspace_id: owner.workspaceId,
    fetched_at: null,
    fetch_error: null,
    valid_from: null,
    valid_until: null,
    created_at: clock.now() / 1000,
    updated_at: clock.now() / 1000,
  });
  assert.deepEqual(must(await call('GET', `/api/content/${id}`)), photo);
});

test('an uploaded photo is served byte for byte with its thumbnail, only in its own workspace', async (t) => {
  const { add, bytesOf } = await library(t);
  const bytes = await jpeg();
  const photo = await add(bytes, 'a.jpg');
  const file = await bytesOf(`/api/content/${photo.id}/file`);
  assert.deepEqual(file.bytes, bytes);
  assert.deepEqual(
    [file.headers.get('content-type'), file.headers.get('content-length'), file.headers.get('accept-ranges')],
    ['image/jpeg', String(bytes.length), 'bytes'],
  );
  const thumbnail = await bytesOf(photo.thumbnail_path);
  assert.equal(thumbnail.headers.get('content-type'), 'image/webp');
  const small = await sharp(thumbnail.bytes).metadata();
  assert.deepEqual([small.width, small.height], [480, 360]);
});

test('a video has its length at once, and its thumbnail may follow seconds after the 201', async (t) => {
  const { add, call, bytesOf } = await library(t);
  const video = await add(await mp4(), 'clip.mp4');
  assert.deepEqual(
    [video.kind, video.mime_type, video.width, video.height, video.duration_sec],
    ['video', 'video/mp4', 320, 180, 3],
  );
  const before = (await call('GET', `/api/content/${video.id}`)).headers.get('etag');
  const later = await until(
    async () => must(await call('GET', `/api/content/${video.id}`)),
    (c) => c.thumbnail_path !== null,
  );
  assert.equal((await sharp((await bytesOf(later.thumbnail_path)).bytes).metadata()).width, 320);
  // Saving the thumbnail does not change the ETag, so an edit with the earlier ETag is accepted.
  assert.equal((await call('GET', `/api/content/${video.id}`)).headers.get('etag'), before);
});

test('a sound has no thumbnail: the field is null, and the endpoint answers 404', async (t) => {
  const { add, call } = await library(t);
  const sound = await add(await mp3(), 'jingle.mp3');
  assert.deepEqual([sound.kind, sound.thumbnail_path, sound.width], ['audio', null, null]);
  assert.equal((await call('GET', `/api/content/${sound.id}/thumbnail`)).status, 404);
});

test('file requests support ranges, and answer 416 for a range outside the file', async (t) => {
  const { add, bytesOf } = await library(t);
  const bytes = await jpeg();
  const path = `/api/content/${(await add(bytes, 'a.jpg')).id}/file`;
  const size = bytes.length;
  const cases: [string, number, number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=10-99', 10, 100],
    ['bytes=100-', 100, size],
    ['bytes=-7', size - 7, size],
    [`bytes=5-${size + 1000}`, 5, size],
    [`bytes=-${size * 2}`, 0, size],
  ];
  for (const [range, start, end] of cases) {
    const part = await bytesOf(path, { Range: range });
    assert.deepEqual(
      [part.status, part.headers.get('content-range'), part.headers.get('content-length')],
      [206, `bytes ${start}-${end - 1}/${size}`, String(end - start)],
      range,
    );
    assert.deepEqual(part.bytes, bytes.subarray(start, end), range);
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0', `bytes=${size + 5}-${size + 9}`]) {
    const part = await bytesOf(path, { Range: range });
    assert.deepEqual([part.status, part.headers.get('content-range')], [416, `bytes */${size}`], range);
    assert.match(JSON.parse(part.bytes.toString()).error, new RegExp(String(size)));
  }
  for (const range of ['bytes=9-3', 'bytes=a-b', 'items=0-1', 'bytes=0-1,5-6', 'bytes=-'])
    assert.equal((await bytesOf(path, { Range: range })).status, 200, range);
});

test('If-Range returns a part only while the file is unchanged', async (t) => {
  const { add, bytesOf } = await library(t);
  const { id, sha256 } = await add(await jpeg(), 'a.jpg');
  const ask = (condition: string) => bytesOf(`/api/content/${id}/file`, { Range: 'bytes=0-9', 'If-Range': condition });
  assert.equal((await ask(`"${sha256}"`)).status, 206);
  assert.equal((await ask('"other"')).status, 200);
  assert.equal((await ask('Wed, 21 Oct 2026 07:28:00 GMT')).status, 200);
});

test('files and thumbnails have their hash as ETag, and a matching tag gets 304', async (t) => {
  const { add, bytesOf } = await library(t);
  const photo = await add(await jpeg(), 'a.jpg');
  for (const path of [`/api/content/${photo.id}/file`, photo.thumbnail_path]) {
    const { headers } = await bytesOf(path);
    const etag = headers.get('etag')!;
    assert.match(etag, /^"[0-9a-f]{64}"$/);
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await bytesOf(path, { 'If-None-Match': tag });
      assert.deepEqual([again.status, again.bytes.length, again.headers.get('etag')], [304, 0, etag]);
    }
    assert.equal((await bytesOf(path, { 'If-None-Match': '"x"' })).status, 200);
  }
});

test('HEAD returns the size without a body', async (t) => {
  const { add, bytesOf } = await library(t);
  const bytes = await jpeg();
  const head = await bytesOf(`/api/content/${(await add(bytes, 'a.jpg')).id}/file`, {}, 'HEAD');
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), head.bytes.length],
    [200, String(bytes.length), 0],
  );
});

test('an SVG with a script is served with headers that prevent the script from running', async (t) => {
  const { add, bytesOf } = await library(t);
  const drawing = await add(svg('<script>alert(document.domain)</script><a href="javascript:alert(1)"/>'), 'evil.svg');
  const { headers } = await bytesOf(`/api/content/${drawing.id}/file`);
  assert.equal(headers.get('content-type'), 'image/svg+xml');
  assert.match(headers.get('content-security-policy')!, /^sandbox; default-src 'none';/);
  assert.doesNotMatch(headers.get('content-security-policy')!, /script-src|allow-/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('Content-Disposition encodes every file name', async (t) => {
  const { add, call, bytesOf } = await library(t);
  const { id } = await add(await jpeg(), 'a.jpg');
  must(await call('PUT', `/api/content/${id}`, { filename: 'Été "50 %"; 店.jpg' }));
  const { headers } = await bytesOf(`/api/content/${id}/file`);
  assert.equal(
    headers.get('content-disposition'),
    `inline; filename="_t_ _50 ___ _.jpg"; filename*=UTF-8''%C3%89t%C3%A9%20%2250%20%25%22%3B%20%E5%BA%97.jpg`,
  );
});

test('the content list is newest first, and its pages contain the total', async (t) => {
  const { add, call, clock } = await library(t);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    clock.advance(1000);
    ids.unshift((await add(await png(10 + i, 10), `${i}.png`)).id);
  }
  const all = await call('GET', '/api/content');
  assert.deepEqual(
    all.body.map((c: { id: string }) => c.id),
    ids,
  );
  const page = await call('GET', '/api/content?limit=2&offset=1');
  assert.deepEqual(
    [page.body.map((c: { id: string }) => c.id), page.headers.get('x-total-count')],
    [ids.slice(1, 3), '5'],
  );
  assert.deepEqual((await call('GET', '/api/content?offset=99')).body, []);
  for (const query of ['sort=x', 'type=zip'])
    assert.equal((await call('GET', `/api/content?${query}`)).status, 400, query);
  assert.equal((await call('GET', '/api/content?limit=&offset=&sort=&type=&q=&folder=')).body.length, 5);
});

test('an unchanged content list answers 304 for its ETag', async (t) => {
  const { add, call } = await library(t);
  await add(await png(), 'a.png');
  const etag = (await call('GET', '/api/content')).headers.get('etag')!;
  assert.equal((await call('GET', '/api/content', undefined, { 'If-None-Match': etag })).status, 304);
  await add(await png(20, 20), 'b.png');
  const later = await call('GET', '/api/content', undefined, { 'If-None-Match': etag });
  assert.deepEqual([later.status, later.body.length], [200, 2]);
});

test('the content list filters by name (ignoring accents and case), kind and label, and sorts by name and size', async (t) => {
  const { add, call } = await library(t);
  await add(await png(30, 30), 'Über uns.png');
  await add(await picture('gif'), 'apfel_100%.gif');
  await add(await mp3(), 'Zebra.mp3', '/api/content?folder=Summer');
  must(await call('POST', '/api/content/videosite', { url: 'https://youtu.be/dQw4w9WgXcQ', name: 'Clip' }), 201);
  const names = async (query: string) =>
    (must(await call('GET', `/api/content?${query}`)) as { filename: string }[]).map((c) => c.filename);
  assert.deepEqual(await names('q=uber'), ['Über uns.png']);
  assert.deepEqual(await names('q=%C3%9CBER'), ['Über uns.png']);
  assert.deepEqual(await names('q=%25'), ['apfel_100%.gif']);
  assert.deepEqual(await names('q=_'), ['apfel_100%.gif']);
  assert.deepEqual(await names('type=audio'), ['Zebra.mp3']);
  assert.deepEqual(await names('type=web'), ['Clip']);
  assert.deepEqual(await names('type=image&sort=name'), ['apfel_100%.gif', 'Über uns.png']);
  assert.deepEqual(await names('sort=name'), ['apfel_100%.gif', 'Clip', 'Über uns.png', 'Zebra.mp3']);
  assert.equal((await names('sort=size'))[0], 'Zebra.mp3');
  assert.deepEqual(await names('folder=Summer'), ['Zebra.mp3']);
  assert.deepEqual(await names('folder=summer'), []);
  assert.deepEqual(await names("q=' OR 1=1 --"), []);
});

test('a search finds a content by its current name, and every page of the list has the right total', async (t) => {
  const { add, call } = await library(t);
  const { id } = await add(await png(10, 10), 'Äpfel.png');
  for (let n = 1; n < 4; n++) await add(await png(10 + n, 10), `Birne ${n}.png`);
  must(await call('PUT', `/api/content/${id}`, { filename: 'Birne neu' }));
  const page = async (query: string) => {
    const { body, headers } = await call('GET', `/api/content?${query}`);
    return [body.length, headers.get('x-total-count')];
  };
  assert.deepEqual(await page('q=apfel'), [0, '0']);
  assert.deepEqual(await page('q=BIRNE'), [4, '4']);
  assert.deepEqual(await page('q=BIRNE&limit=3'), [3, '4']);
  assert.deepEqual(await page('q=birne&limit=3&offset=3'), [1, '4']);
  assert.deepEqual(await page('q=birne&limit=2&offset=2'), [2, '4']);
  assert.deepEqual(await page('q=birne&offset=9'), [0, '4']);
});

test('folder filters by label and folder_id by folder, where root and empty mean the top level', async (t) => {
  const { add, call } = await library(t);
  const folder = must(await call('POST', '/api/folders', { name: 'Food' }), 201);
  const inside = await add(await png(11, 11), 'in.png', `/api/content?folder_id=${folder.id}&folder=Menu`);
  const outside = await add(await png(12, 12), 'out.png');
  assert.deepEqual([inside.folder_id, inside.folder], [folder.id, 'Menu']);
  const ids = async (query: string) =>
    (must(await call('GET', `/api/content${query}`)) as { id: string }[]).map((c) => c.id);
  assert.deepEqual(await ids(`?folder_id=${folder.id}`), [inside.id]);
  assert.deepEqual(await ids('?folder_id=root'), [outside.id]);
  assert.deepEqual(await ids('?folder_id='), [outside.id]);
  assert.equal((await ids('')).length, 2);
  assert.deepEqual(await ids('?folder_id=unknown'), []);
  must(await call('PUT', `/api/content/${outside.id}`, { folder: 'Menu', folder_id: folder.id }));
  const labels = await call('GET', '/api/content/folders');
  assert.deepEqual([labels.body, labels.headers.get('x-total-count')], [[{ folder: 'Menu', count: 2 }], '1']);
  for (const clear of [null, '', 'root']) {
    must(await call('PUT', `/api/content/${outside.id}`, { folder_id: folder.id }));
    assert.equal(
      must(await call('PUT', `/api/content/${outside.id}`, { folder_id: clear, folder: '' })).folder_id,
      null,
    );
  }
  assert.deepEqual((await call('GET', '/api/content/folders')).body, [{ folder: 'Menu', count: 1 }]);
  assert.equal((await call('PUT', `/api/content/${outside.id}`, { folder_id: 'unknown' })).status, 404);
});

test('PUT replaces slashes in a name by dashes, and refuses control characters and more than 200 characters', async (t) => {
  const { add, call } = await library(t);
  const { id } = await add(await png(), 'a.png');
  const path = `/api/content/${id}`;
  assert.equal(must(await call('PUT', path, { filename: ' Sale 50/50\\x ' })).filename, 'Sale 50-50-x');
  for (const filename of ['', '   ', 'a\u0000b', 'a\nb', 'x'.repeat(201), 5, null, {}]) {
    const { status, body } = await call('PUT', path, { filename });
    assert.equal(status, 400, JSON.stringify(filename));
    assert.match(body.error, /filename/);
  }
  assert.equal(must(await call('PUT', path, { unknown: true })).filename, 'Sale 50-50-x');
});

test('PUT changes mime_type only within the kind of the content, and the file keeps the type of its bytes', async (t) => {
  const { add, call, bytesOf } = await library(t);
  const { id } = await add(await png(), 'a.png');
  assert.equal(must(await call('PUT', `/api/content/${id}`, { mime_type: 'image/jpeg' })).mime_type, 'image/jpeg');
  assert.equal((await bytesOf(`/api/content/${id}/file`)).headers.get('content-type'), 'image/png');
  for (const mime_type of ['video/mp4', 'text/html', 'application/zip', 'image', '', 'image/png; x=y', 7])
    assert.equal((await call('PUT', `/api/content/${id}`, { mime_type })).status, 400, String(mime_type));
});

test('PUT refuses to set a remote address for an uploaded content', async (t) => {
  const { add, call } = await library(t);
  const { status, body } = await call('PUT', `/api/content/${(await add(await png(), 'a.png')).id}`, {
    remote_url: 'https://example.com/a.jpg',
  });
  assert.equal(status, 400);
  assert.match(body.error, /^remote_url: .*Replace/);
});

test('replace keeps the id and the folder of a content, accepts another kind, and raises the revision', async (t) => {
  const { add, call, upload, bytesOf } = await library(t);
  const first = await add(await jpeg(), 'Promo.jpg', '/api/content?folder=A');
  const before = (await call('GET', `/api/content/${first.id}`)).headers.get('etag');
  const replaced = await upload(await mp3(), 'new.mp3', { method: 'PUT', path: `/api/content/${first.id}/replace` });
  assert.equal(replaced.status, 200);
  assert.notEqual(replaced.headers.get('etag'), before);
  const { id, kind, mime_type, filename, folder, width, thumbnail_path } = replaced.body;
  assert.deepEqual(
    [id, kind, mime_type, filename, folder, width, thumbnail_path],
    [first.id, 'audio', 'audio/mpeg', 'Promo.mp3', 'A', null, null],
  );
  assert.deepEqual((await bytesOf(`/api/content/${id}/file`)).bytes, await mp3());
  assert.equal(
    (await upload(Buffer.from('text'), 'x', { method: 'PUT', path: `/api/content/${id}/replace` })).status,
    415,
  );
  assert.equal((await upload(await png(), 'x', { method: 'PUT', path: '/api/content/unknown/replace' })).status, 404);
  assert.equal(must(await call('GET', `/api/content/${id}`)).mime_type, 'audio/mpeg');
});

test('identical uploads share one stored file, and deleting one content keeps the file for the other', async (t) => {
  const { add, call, bytesOf } = await library(t);
  const bytes = await jpeg();
  const [one, two] = [await add(bytes, 'a.jpg'), await add(bytes, 'b.jpg')];
  assert.equal(one.sha256, two.sha256);
  must(await call('DELETE', `/api/content/${one.id}`));
  assert.deepEqual((await bytesOf(`/api/content/${two.id}/file`)).bytes, bytes);
});

test('every change is in the activity log with the name of the content', async (t) => {
  const { add, call } = await library(t);
  const { id } = await add(await png(), 'a.png');
  must(await call('PUT', `/api/content/${id}`, { filename: 'b.png' }));
  must(await call('DELETE', `/api/content/${id}`));
  const entries = must(await call('GET', '/api/activity')) as { action: string; details: string }[];
  const ours = entries.filter((e) => e.action.startsWith('content.')).map((e) => `${e.action} ${e.details}`);
  assert.deepEqual(ours, ['content.deleted b.png', 'content.updated b.png', 'content.uploaded a.png']);
});

test('a remote address is stored without fetching or resolving it, and its file answers 404 until a copy exists', async (t) => {
  const { call, make } = await shops.open(t);
  const content = await make('/api/content/remote', { url: 'https://pictures.invalid/summer/sale.png' });
  assert.deepEqual(
    [content.filename, content.mime_type, content.remote_url, content.file_size, content.duration_sec],
    ['sale.png', 'image/png', 'https://pictures.invalid/summer/sale.png', 0, null],
  );
  assert.equal((await call('GET', `/api/content/${content.id}/file`)).status, 404);
  assert.equal((await call('GET', `/api/content/${content.id}/thumbnail`)).status, 404);
  assert.equal(
    (await make('/api/content/remote', { url: 'https://pictures.invalid/x', name: 'Mine', mime_type: 'video/mp4' }))
      .filename,
    'Mine',
  );
});

test('a replaced file reaches the screens that play it', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen } = shop;
  const content = await image();
  const id = await playlist([content]);
  const player = await screen();
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId }));
  const before = (await nextProgram(shop, player)).assets[0].sha256;
  const { id: kept, sha256 } = must(
    await shop.upload(await png(), 'new.png', { method: 'PUT', path: `/api/content/${content}/replace` }),
  );
  assert.equal(kept, content);
  assert.notEqual(sha256, before);
  assert.equal((await nextProgram(shop, player)).assets[0].sha256, sha256);
});

test('DELETE removes a content from playlists, renumbers their items, and updates the screens that played it', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen, get } = shop;
  const [gone, first, last] = [await image('1.gif'), await image('2.gif'), await image('3.gif')];
  const id = await playlist([first, gone, last, gone]);
  const [shows, bystander] = [await screen('Shows'), await screen('Bystander')];
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: shows.deviceId }));
  await nextProgram(shop, shows);
  assert.deepEqual(must(await call('DELETE', `/api/content/${gone}`)), {
    success: true,
    affectedDevices: [shows.deviceId],
  });
  assert.deepEqual(
    (await nextProgram(shop, shows)).playlists[0].items.map((item: any) => item.content_id),
    [first, last],
  );
  assert.equal(
    bystander.client.heard.some((said) => said.type === 'program'),
    false,
  );
  const after = await get(`/api/playlists/${id}`);
  assert.deepEqual(
    [after.status, after.items.map((item: any) => [item.content_id, item.sort_order])],
    [
      'published',
      [
        [first, 0],
        [last, 1],
      ],
    ],
    'the status stays as it was',
  );
  assert.equal(must(await call('POST', `/api/playlists/${id}/discard`)).items.length, 2, 'gone from the snapshot, too');
  for (const path of ['', '/file', '/thumbnail'])
    assert.equal((await call('GET', `/api/content/${gone}${path}`)).status, 404);
  assert.equal((await call('DELETE', `/api/content/${gone}`)).status, 404);
  assert.equal((await get('/api/content')).length, 2);
});

test('DELETE removes schedules with only this content, clears references, and names the affected screens', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const [content_id, other] = [await image('1.gif'), await image('2.gif')];
  const [fallback, scheduled, bystander] = [await screen('1'), await screen('2'), await screen('3')].map(
    ({ deviceId }) => deviceId,
  );
  must(await call('PUT', `/api/devices/${fallback}`, { default_content_id: content_id }));
  must(await call('PUT', `/api/devices/${bystander}`, { default_content_id: other }));
  const wall = await make('/api/walls', { name: 'W', content_id });
  const times = { device_id: scheduled, content_id, start_time: '2026-03-10T00:00', end_time: '2026-03-11T00:00' };
  await make('/api/schedules', times);
  const both = await make('/api/schedules', { ...times, playlist_id: await playlist([]) });
  const untouched = await make('/api/schedules', { ...times, content_id: other });
  assert.deepEqual(
    must(await call('DELETE', `/api/content/${content_id}`)).affectedDevices.toSorted(),
    [fallback, scheduled].toSorted(),
  );
  assert.deepEqual(
    (await get('/api/schedules')).map((s: any) => [s.id, s.content_id]),
    [
      [both.id, null],
      [untouched.id, other],
    ],
  );
  assert.deepEqual(
    [(await get(`/api/devices/${fallback}`)).default_content_id, (await get(`/api/walls/${wall.id}`)).content_id],
    [null, null],
  );
});

const openStore = () => {
  const { db, add } = openRows();
  const store = new ContentStore(db);
  const asked = (query: Record<string, string>) => ({
    ...ContentQuery.parse({ sort: 'oldest', ...query }),
    ...{ now: '2026-03-10T09:00', soon: '2026-03-17T09:00' },
  });
  const listed = (query: Record<string, string>) => {
    const found = idsOf(store.list('here', asked(query)));
    assert.equal(store.countOf('here', asked(query)), found.length);
    return found;
  };
  return { store, add, listed };
};
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

test('contents with equal sort keys are listed by id, and a list contains only its own workspace', () => {
  const { add, listed } = openStore();
  const alike = { search_name: 'a', file_size: 2, created_at: 2 };
  add('content', ...['b', 'a', 'c'].map((id) => ({ id, ...alike })));
  add('content', { id: 'z', search_name: 'b', file_size: 1, created_at: 1 }, { id: '0', workspace_id: 'there' });
  for (const sort of ['newest', 'size']) assert.deepEqual(listed({ sort }), ['c', 'b', 'a', 'z'], sort);
  assert.deepEqual(listed({ sort: 'oldest' }), ['z', 'a', 'b', 'c']);
  assert.deepEqual(listed({ sort: 'name' }), ['a', 'b', 'c', 'z']);
  for (const kind of ['image', 'embed', 'web']) add('content', { id: kind, kind });
  assert.deepEqual([listed({ type: 'web' }), listed({ type: 'image' })], [['embed', 'web'], ['image']]);
});

test('validity filters compare minutes: ended contents, contents that end soon, and contents that start later', () => {
  const { add, listed } = openStore();
  const minutes = ['10T08:59', '10T09:00', '10T09:01', '17T09:00', '17T09:01'].map((minute) => `2026-03-${minute}`);
  for (const [at, minute] of minutes.entries())
    add('content', { id: `until ${at}`, valid_until: minute }, { id: `from ${at}`, valid_from: minute });
  add('content', { id: 'always' });
  assert.deepEqual(listed({ validity: 'over' }), ['until 0', 'until 1']);
  assert.deepEqual(listed({ validity: 'soon' }), ['until 2', 'until 3']);
  assert.deepEqual(listed({ validity: 'future' }), ['from 2', 'from 3', 'from 4']);
});

test('labels are listed per workspace by name, with their counts', () => {
  const { store, add } = openStore();
  const labels = ['Zebra', 'banane', 'Äpfel', 'banane', ''];
  add('content', ...labels.map((folder, at) => ({ id: `${at}`, folder })));
  add('content', { id: 'theirs', folder: 'banane', workspace_id: 'there' });
  assert.deepEqual(store.labels('here'), [
    { folder: 'Äpfel', count: 1 },
    { folder: 'banane', count: 2 },
    { folder: 'Zebra', count: 1 },
  ]);
});

test('contents without a thumbnail or copy are found oldest first, and thumbnails are found by file hash', () => {
  const { store, add } = openStore();
  add('blobs', { sha256: 'file' }, { sha256: 'other' }, { sha256: 'picture' });
  const file = { sha256: 'file', mime_type: 'video/mp4', kind: 'video' };
  add('content', { ...file, id: 'video', created_at: 2 });
  assert.equal(store.thumbnailOf('file'), null);
  add('content', { ...file, id: 'bitmap', kind: 'image', mime_type: 'image/bmp', created_at: 1 });
  add('content', { ...file, id: 'png', kind: 'image', mime_type: 'image/png' }, { ...file, id: 'live', sha256: null });
  add('content', { ...file, id: 'has one', thumbnail: 'picture' });
  assert.deepEqual(idsOf(store.withoutThumbnail()), ['bitmap', 'video']);
  assert.deepEqual([store.thumbnailOf('file'), store.thumbnailOf('other')], ['picture', null]);

  const remote = { remote_url: 'https://pictures.test/', kind: 'web' };
  const kinds = ['image', 'video', 'audio', 'pdf', 'embed'];
  add(
    'content',
    ...kinds.map((kind, at) => ({ ...remote, id: `remote ${kind}`, kind, fetched_at: 1, created_at: 9 - at })),
  );
  add('content', { ...remote, id: 'new page' }, { ...remote, id: 'live page', fetched_at: 1 });
  add('content', { ...remote, id: 'failed page', fetched_at: 1, fetch_error: 'x', created_at: 1 });
  add('content', { ...remote, id: 'copied', kind: 'image', sha256: 'file' }, { id: 'no address', kind: 'image' });
  assert.deepEqual(idsOf(store.uncopied()), [
    'new page',
    'failed page',
    'remote pdf',
    'remote audio',
    'remote video',
    'remote image',
  ]);
});

test('pictureOf returns only stored images of the workspace', () => {
  const { store, add } = openStore();
  add('blobs', { sha256: 'file' });
  const file = { sha256: 'file', kind: 'image' };
  add(
    'content',
    { ...file, id: 'photo' },
    { ...file, id: 'film', kind: 'video' },
    { ...file, id: 'live', sha256: null },
  );
  add('content', { ...file, id: 'theirs', workspace_id: 'there' });
  const media = { pathOf: (sha256: string) => `/media/${sha256}` } as Parameters<typeof pictureOf>[0]['media'];
  assert.deepEqual(
    ['photo', 'film', 'live', 'theirs', 'none'].map((id) => pictureOf({ store, media }, 'here', id)?.path),
    ['/media/file', undefined, undefined, undefined, undefined],
  );
});
