import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { startSite, TestClock } from '../../../test/harness.ts';
import { must, person } from '../../../test/people.ts';
import { jpeg, mp3, mp4, picture, png, svg } from '../../../test/sample-media.ts';
import { until, upload } from '../../../test/uploads.ts';

const library = async (t: TestContext) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  const owner = await person(site, 'owner@store.test');
  const { token } = owner;
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    site.call(method, path, { token, ...(body !== undefined && { body }), ...(headers && { headers }) });
  const add = async (bytes: Buffer, name: string, path?: string) => must((await upload(site, token, bytes, name, path ? { path } : {})) as never, 201);
  const bytesOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(`${site.origin}${path}`, { method, headers: { Authorization: `Bearer ${token}`, ...headers } });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  return { site, clock, owner, token, call, add, bytesOf };
};

test('an uploaded photo is a content with real values in every field', async (t) => {
  const { owner, clock, add, call } = await library(t);
  const bytes = await jpeg(640, 480, 6);
  const photo = await add(bytes, 'Entrance.jpg');
  const { id, sha256, ...rest } = photo;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.match(sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(rest, {
    filename: 'Entrance.jpg',
    mime_type: 'image/jpeg',
    kind: 'image',
    file_size: bytes.length,
    duration_sec: null,
    width: 480,
    height: 640,
    remote_url: null,
    thumbnail_path: `/api/content/${id}/thumbnail`,
    folder: '',
    folder_id: null,
    workspace_id: owner.workspaceId,
    fetched_at: null,
    fetch_error: null,
    created_at: clock.now() / 1000,
    updated_at: clock.now() / 1000,
  });
  assert.deepEqual(must(await call('GET', `/api/content/${id}`)), photo);
});

test('an uploaded photo is a workspace’s; it comes back byte for byte, with its thumbnail', async (t) => {
  const { add, bytesOf } = await library(t);
  const bytes = await jpeg();
  const photo = await add(bytes, 'a.jpg');
  const file = await bytesOf(`/api/content/${photo.id}/file`);
  assert.deepEqual(file.bytes, bytes);
  assert.deepEqual([file.headers.get('content-type'), file.headers.get('content-length'), file.headers.get('accept-ranges')], ['image/jpeg', String(bytes.length), 'bytes']);
  const thumbnail = await bytesOf(photo.thumbnail_path);
  assert.equal(thumbnail.headers.get('content-type'), 'image/webp');
  const small = await sharp(thumbnail.bytes).metadata();
  assert.deepEqual([small.width, small.height], [480, 360]);
});

test('a video tells its length; its thumbnail may follow some seconds after the 201', async (t) => {
  const { add, call, bytesOf } = await library(t);
  const video = await add(await mp4(), 'clip.mp4');
  assert.deepEqual([video.kind, video.mime_type, video.width, video.height, video.duration_sec], ['video', 'video/mp4', 320, 180, 3]);
  const before = (await call('GET', `/api/content/${video.id}`)).headers.get('etag');
  const later = await until(
    async () => must(await call('GET', `/api/content/${video.id}`)),
    (c) => c.thumbnail_path !== null,
  );
  assert.equal((await sharp((await bytesOf(later.thumbnail_path)).bytes).metadata()).width, 320);
  // Nobody's edit becomes stale because a picture was made.
  assert.equal((await call('GET', `/api/content/${video.id}`)).headers.get('etag'), before);
});

test('sound has no thumbnail: null, and 404', async (t) => {
  const { add, call } = await library(t);
  const sound = await add(await mp3(), 'jingle.mp3');
  assert.deepEqual([sound.kind, sound.thumbnail_path, sound.width], ['audio', null, null]);
  assert.equal((await call('GET', `/api/content/${sound.id}/thumbnail`)).status, 404);
});

test('ranges: any part of a file, its end, and 416 for what it does not have', async (t) => {
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
    assert.deepEqual([part.status, part.headers.get('content-range'), part.headers.get('content-length')], [206, `bytes ${start}-${end - 1}/${size}`, String(end - start)], range);
    assert.deepEqual(part.bytes, bytes.subarray(start, end), range);
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0', `bytes=${size + 5}-${size + 9}`]) {
    const part = await bytesOf(path, { Range: range });
    assert.deepEqual([part.status, part.headers.get('content-range')], [416, `bytes */${size}`], range);
    assert.match(JSON.parse(part.bytes.toString()).error, new RegExp(String(size)));
  }
  for (const range of ['bytes=9-3', 'bytes=a-b', 'items=0-1', 'bytes=0-1,5-6', 'bytes=-']) assert.equal((await bytesOf(path, { Range: range })).status, 200, range);
});

test('If-Range: the part only while the file is the same', async (t) => {
  const { add, bytesOf } = await library(t);
  const { id, sha256 } = await add(await jpeg(), 'a.jpg');
  const ask = (condition: string) => bytesOf(`/api/content/${id}/file`, { Range: 'bytes=0-9', 'If-Range': condition });
  assert.equal((await ask(`"${sha256}"`)).status, 206);
  assert.equal((await ask('"other"')).status, 200);
  assert.equal((await ask('Wed, 21 Oct 2026 07:28:00 GMT')).status, 200);
});

test('the ETag of file and thumbnail is the hash; who has it gets 304', async (t) => {
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

test('HEAD tells the size and sends nothing', async (t) => {
  const { add, bytesOf } = await library(t);
  const bytes = await jpeg();
  const head = await bytesOf(`/api/content/${(await add(bytes, 'a.jpg')).id}/file`, {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, String(bytes.length), 0]);
});

test('a drawing with a script is served so that it can never run in our origin', async (t) => {
  const { add, bytesOf } = await library(t);
  const drawing = await add(svg('<script>alert(document.domain)</script><a href="javascript:alert(1)"/>'), 'evil.svg');
  const { headers } = await bytesOf(`/api/content/${drawing.id}/file`);
  assert.equal(headers.get('content-type'), 'image/svg+xml');
  assert.match(headers.get('content-security-policy')!, /^sandbox; default-src 'none';/);
  assert.doesNotMatch(headers.get('content-security-policy')!, /script-src|allow-/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('the name goes into Content-Disposition encoded, whatever it is', async (t) => {
  const { add, call, bytesOf } = await library(t);
  const { id } = await add(await jpeg(), 'a.jpg');
  must(await call('PUT', `/api/content/${id}`, { filename: 'Été "50 %"; 店.jpg' }));
  const { headers } = await bytesOf(`/api/content/${id}/file`);
  assert.equal(headers.get('content-disposition'), `inline; filename="_t_ _50 ___ _.jpg"; filename*=UTF-8''%C3%89t%C3%A9%20%2250%20%25%22%3B%20%E5%BA%97.jpg`);
});

test('the list: newest first, pages with X-Total-Count, limits that are 400 outside 1 to 500', async (t) => {
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
  assert.deepEqual([page.body.map((c: { id: string }) => c.id), page.headers.get('x-total-count')], [ids.slice(1, 3), '5']);
  assert.deepEqual((await call('GET', '/api/content?offset=99')).body, []);
  for (const query of ['limit=0', 'limit=501', 'limit=-1', 'limit=x', 'offset=-1', 'limit=1.5', 'sort=x', 'type=zip', 'limit=1&limit=2'])
    assert.equal((await call('GET', `/api/content?${query}`)).status, 400, query);
  assert.equal((await call('GET', '/api/content?limit=&offset=&sort=&type=&q=&folder=')).body.length, 5);
});

test('the list is ready bytes until something changes: 304 for who has it', async (t) => {
  const { add, call } = await library(t);
  await add(await png(), 'a.png');
  const etag = (await call('GET', '/api/content')).headers.get('etag')!;
  assert.equal((await call('GET', '/api/content', undefined, { 'If-None-Match': etag })).status, 304);
  await add(await png(20, 20), 'b.png');
  const later = await call('GET', '/api/content', undefined, { 'If-None-Match': etag });
  assert.deepEqual([later.status, later.body.length], [200, 2]);
});

test('filters: name (also with accents and case), kind, label; sorting by name and size', async (t) => {
  const { add, call } = await library(t);
  await add(await png(30, 30), 'Über uns.png');
  await add(await picture('gif'), 'apfel_100%.gif');
  await add(await mp3(), 'Zebra.mp3', '/api/content?folder=Summer');
  must(await call('POST', '/api/content/videosite', { url: 'https://youtu.be/dQw4w9WgXcQ', name: 'Clip' }), 201);
  const names = async (query: string) => (must(await call('GET', `/api/content?${query}`)) as { filename: string }[]).map((c) => c.filename);
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

test('folder is a label, folder_id a place in the tree; both filter, and root or empty mean the root level', async (t) => {
  const { add, call } = await library(t);
  const folder = must(await call('POST', '/api/folders', { name: 'Food' }), 201);
  const inside = await add(await png(11, 11), 'in.png', `/api/content?folder_id=${folder.id}&folder=Menu`);
  const outside = await add(await png(12, 12), 'out.png');
  assert.deepEqual([inside.folder_id, inside.folder], [folder.id, 'Menu']);
  const ids = async (query: string) => (must(await call('GET', `/api/content${query}`)) as { id: string }[]).map((c) => c.id);
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
    assert.equal(must(await call('PUT', `/api/content/${outside.id}`, { folder_id: clear, folder: '' })).folder_id, null);
  }
  assert.deepEqual((await call('GET', '/api/content/folders')).body, [{ folder: 'Menu', count: 1 }]);
  assert.equal((await call('PUT', `/api/content/${outside.id}`, { folder_id: 'unknown' })).status, 404);
});

test('PUT: a name becomes a label without separators; control characters and 201 characters are 400', async (t) => {
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

test('PUT: mime_type only within its kind; the file is served as what its bytes are', async (t) => {
  const { add, call, bytesOf } = await library(t);
  const { id } = await add(await png(), 'a.png');
  assert.equal(must(await call('PUT', `/api/content/${id}`, { mime_type: 'image/jpeg' })).mime_type, 'image/jpeg');
  assert.equal((await bytesOf(`/api/content/${id}/file`)).headers.get('content-type'), 'image/png');
  for (const mime_type of ['video/mp4', 'text/html', 'application/zip', 'image', '', 'image/png; x=y', 7])
    assert.equal((await call('PUT', `/api/content/${id}`, { mime_type })).status, 400, String(mime_type));
});

test('PUT: an uploaded content has no address to change', async (t) => {
  const { add, call } = await library(t);
  const { status, body } = await call('PUT', `/api/content/${(await add(await png(), 'a.png')).id}`, { remote_url: 'https://example.com/a.jpg' });
  assert.equal(status, 400);
  assert.match(body.error, /^remote_url: .*replace/);
});

test('two people: an edit of what somebody else changed is 412, for PUT, replace and DELETE', async (t) => {
  const { add, call, site, token } = await library(t);
  const { id } = await add(await png(), 'a.png');
  const path = `/api/content/${id}`;
  const old = (await call('GET', path)).headers.get('etag')!;
  const changed = await call('PUT', path, { filename: 'b.png' }, { 'If-Match': old });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get('etag'), old);
  assert.equal((await call('PUT', path, { filename: 'c.png' }, { 'If-Match': old })).status, 412);
  assert.equal((await call('DELETE', path, undefined, { 'If-Match': old })).status, 412);
  assert.equal((await upload(site, token, await jpeg(), 'r.jpg', { method: 'PUT', path: `${path}/replace`, headers: { 'If-Match': old } })).status, 412);
  assert.equal((await call('PUT', path, { filename: 'c.png' }, { 'If-Match': changed.headers.get('etag')! })).status, 200);
});

test('replace keeps the id and place, takes another kind, and raises the revision', async (t) => {
  const { add, call, site, token, bytesOf } = await library(t);
  const first = await add(await jpeg(), 'Promo.jpg', '/api/content?folder=A');
  const before = (await call('GET', `/api/content/${first.id}`)).headers.get('etag');
  const replaced = await upload(site, token, await mp3(), 'new.mp3', { method: 'PUT', path: `/api/content/${first.id}/replace` });
  assert.equal(replaced.status, 200);
  assert.notEqual(replaced.headers.get('etag'), before);
  const { id, kind, mime_type, filename, folder, width, thumbnail_path } = replaced.body;
  assert.deepEqual([id, kind, mime_type, filename, folder, width, thumbnail_path], [first.id, 'audio', 'audio/mpeg', 'Promo.mp3', 'A', null, null]);
  assert.deepEqual((await bytesOf(`/api/content/${id}/file`)).bytes, await mp3());
  assert.equal((await upload(site, token, Buffer.from('text'), 'x', { method: 'PUT', path: `/api/content/${id}/replace` })).status, 415);
  assert.equal((await upload(site, token, await png(), 'x', { method: 'PUT', path: '/api/content/unknown/replace' })).status, 404);
  assert.equal(must(await call('GET', `/api/content/${id}`)).mime_type, 'audio/mpeg');
});

test('DELETE: gone everywhere, items leave the playlist, whose order stays dense', async (t) => {
  const { add, call } = await library(t);
  const [one, two, three] = [await add(await png(10, 10), '1.png'), await add(await png(11, 11), '2.png'), await add(await png(12, 12), '3.png')];
  const list = must(await call('POST', '/api/playlists', { name: 'P' }), 201);
  for (const c of [one, two, three, two]) must(await call('POST', `/api/playlists/${list.id}/items`, { content_id: c.id }), 201);
  must(await call('POST', `/api/playlists/${list.id}/publish`));
  const answer = await call('DELETE', `/api/content/${two.id}`);
  assert.deepEqual([answer.status, answer.body], [200, { success: true, affectedDevices: [] }]);
  const after = must(await call('GET', `/api/playlists/${list.id}`));
  assert.deepEqual(
    after.items.map((i: any) => [i.content_id, i.sort_order]),
    [
      [one.id, 0],
      [three.id, 1],
    ],
  );
  assert.equal(after.status, 'published');
  for (const path of ['', '/file', '/thumbnail']) assert.equal((await call('GET', `/api/content/${two.id}${path}`)).status, 404);
  assert.equal((await call('DELETE', `/api/content/${two.id}`)).status, 404);
  assert.equal(must(await call('GET', '/api/content')).length, 2);
});

test('the same bytes uploaded twice are stored once; deleting one leaves the other', async (t) => {
  const { add, call, bytesOf } = await library(t);
  const bytes = await jpeg();
  const [one, two] = [await add(bytes, 'a.jpg'), await add(bytes, 'b.jpg')];
  assert.equal(one.sha256, two.sha256);
  must(await call('DELETE', `/api/content/${one.id}`));
  assert.deepEqual((await bytesOf(`/api/content/${two.id}/file`)).bytes, bytes);
});

test('another workspace sees no trace: 404, empty lists, no label, no reference', async (t) => {
  const { site, add } = await library(t);
  const mine = await add(await jpeg(), 'secret.jpg', '/api/content?folder=Mine');
  const other = await person(site, 'other@else.test');
  const ask = (method: string, path: string, body?: unknown) => site.call(method, path, { token: other.token, ...(body !== undefined && { body }) });
  for (const [method, path, body] of [
    ['GET', ''],
    ['GET', '/file'],
    ['GET', '/thumbnail'],
    ['PUT', '', { filename: 'x' }],
    ['DELETE', ''],
  ] as const) {
    const theirs = await ask(method, `/api/content/${mine.id}${path}`, body);
    const nobodys = await ask(method, `/api/content/unknown${path}`, body);
    assert.deepEqual([theirs.status, theirs.body], [404, nobodys.body], `${method} ${path}`);
  }
  assert.equal((await upload(site, other.token, await png(), 'x.png', { method: 'PUT', path: `/api/content/${mine.id}/replace` })).status, 404);
  const list = await ask('GET', '/api/content');
  assert.deepEqual([list.body, list.headers.get('x-total-count')], [[], '0']);
  assert.deepEqual((await ask('GET', '/api/content/folders')).body, []);
  const playlist = must(await ask('POST', '/api/playlists', { name: 'P' }), 201);
  assert.equal((await ask('POST', `/api/playlists/${playlist.id}/items`, { content_id: mine.id })).status, 404);
  const folder = must(await ask('POST', '/api/folders', { name: 'F' }), 201);
  const { call } = { call: (body: unknown) => site.call('PUT', `/api/content/${mine.id}`, { token: other.token, body }) };
  assert.equal((await call({ folder_id: folder.id })).status, 404);
});

test('DELETE: schedules that showed nothing else go, references become null, and devices that showed it are named', async (t) => {
  const { site, owner, add, call } = await library(t);
  const { db } = site.app;
  const [gone, kept] = [await add(await png(10, 10), 'gone.png'), await add(await png(11, 11), 'kept.png')];
  const list = must(await call('POST', '/api/playlists', { name: 'P' }), 201);
  must(await call('POST', `/api/playlists/${list.id}/items`, { content_id: gone.id }), 201);
  must(await call('POST', `/api/playlists/${list.id}/publish`));
  db.write(() => {
    const device = db.raw.prepare(
      "INSERT INTO devices (id, workspace_id, name, timezone, secret_hash, playlist_id, default_content_id, created_at, updated_at) VALUES (?, ?, ?, 'Europe/Berlin', ?, ?, ?, 0, 0)",
    );
    device.run('playing', owner.workspaceId, 'A', 'h1', list.id, null);
    device.run('fallback', owner.workspaceId, 'B', 'h2', null, gone.id);
    device.run('idle', owner.workspaceId, 'C', 'h3', null, kept.id);
    const schedule = db.raw.prepare(
      "INSERT INTO schedules (id, workspace_id, device_id, zone_id, content_id, playlist_id, start_time, end_time, timezone, created_at, updated_at) VALUES (?, ?, 'idle', ?, ?, ?, '2026-01-01T00:00:00', '2026-01-02T00:00:00', 'Europe/Berlin', 0, 0)",
    );
    schedule.run('only', owner.workspaceId, 'some-zone', gone.id, null);
    schedule.run('both', owner.workspaceId, null, gone.id, list.id);
    schedule.run('other', owner.workspaceId, null, kept.id, null);
    db.afterCommit(() => {});
  });
  await db.durable();
  must(await call('PUT', `/api/content/${kept.id}`, { filename: 'kept2.png' }));
  const { body } = await call('DELETE', `/api/content/${gone.id}`);
  assert.deepEqual([body.success, body.affectedDevices.toSorted()], [true, ['fallback', 'idle', 'playing']]);
  assert.deepEqual(db.raw.prepare('SELECT id, content_id FROM schedules ORDER BY id').all(), [
    { id: 'both', content_id: null },
    { id: 'other', content_id: kept.id },
  ]);
  assert.equal(db.raw.prepare("SELECT default_content_id FROM devices WHERE id = 'fallback'").pluck().get(), null);
});

test('every change is in the activity log with the content’s name', async (t) => {
  const { add, call } = await library(t);
  const { id } = await add(await png(), 'a.png');
  must(await call('PUT', `/api/content/${id}`, { filename: 'b.png' }));
  must(await call('DELETE', `/api/content/${id}`));
  const entries = must(await call('GET', '/api/activity')) as { action: string; details: string }[];
  const ours = entries.filter((e) => e.action.startsWith('content.')).map((e) => `${e.action} ${e.details}`);
  assert.deepEqual(ours, ['content.deleted b.png', 'content.updated b.png', 'content.uploaded a.png']);
});
