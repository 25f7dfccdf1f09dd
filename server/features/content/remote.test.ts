import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ownedSite, startSite } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { jpeg, mp4, svg } from '../../../test/sample-media.ts';
import { until, upload } from '../../../test/uploads.ts';
import { retryDelayMs } from './remote-copies.ts';

/** Starts a web server in the local network whose host an administrator has allowed, and a Vitrine server. */
const setUp = async (t: TestContext, listener: RequestListener = (_req, res) => res.writeHead(404).end()) => {
  const requests: string[] = [];
  const server = createServer((req, res) => {
    requests.push(req.url ?? '');
    listener(req, res);
  });
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { site, token, call } = await ownedSite(t, { env: { VITRINE_ALLOWED_HOSTS: `127.0.0.1:${port}` } });
  const addRemote = async (path: string, more: object = {}) =>
    must(await call('POST', '/api/content/remote', { url: `http://127.0.0.1:${port}${path}`, ...more }), 201);
  const settled = (id: string) =>
    until(
      async () => must(await call('GET', `/api/content/${id}`)),
      (c) => c.fetched_at !== null,
    );
  return { site, token, call, addRemote, settled, requests, origin: `http://127.0.0.1:${port}` };
};

test('remote content is created before its copy is fetched, and its file is then served from the copy', async (t) => {
  const photo = await jpeg();
  let go = () => {};
  const opened = new Promise<void>((open) => {
    go = open;
  });
  const { site, token, call, addRemote, settled, origin } = await setUp(t, async (_req, res) => {
    await opened;
    res.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': photo.length }).end(photo);
  });
  const added = await addRemote('/shop/Summer%20Sale.jpg');
  assert.deepEqual(
    [added.filename, added.mime_type, added.remote_url, added.file_size, added.thumbnail_path],
    ['Summer Sale.jpg', 'image/jpeg', `${origin}/shop/Summer%20Sale.jpg`, 0, null],
  );
  assert.equal((await call('GET', `/api/content/${added.id}/file`)).status, 404);
  go();
  const copied = await settled(added.id);
  assert.deepEqual(
    [copied.fetch_error, copied.kind, copied.width, copied.file_size],
    [null, 'image', 640, photo.length],
  );
  const file = await fetch(`${site.origin}/api/content/${added.id}/file`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), photo);
  assert.ok(copied.thumbnail_path);
});

test('the bytes of a copy decide its kind, so an address without extension can become a video', async (t) => {
  const video = await mp4();
  const { addRemote, settled } = await setUp(t, (_req, res) =>
    res.writeHead(200, { 'Content-Type': 'video/mp4' }).end(video),
  );
  const added = await addRemote('/latest', { name: 'Latest / news' });
  assert.deepEqual([added.kind, added.filename], ['web', 'Latest - news']);
  const copied = await settled(added.id);
  assert.deepEqual([copied.kind, copied.mime_type, copied.duration_sec], ['video', 'video/mp4', 3]);
});

test('a web page is shown live and never copied', async (t) => {
  const { call, addRemote, settled, requests } = await setUp(t, (_req, res) =>
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end('<h1>Menu</h1>'),
  );
  const page = await settled((await addRemote('/menu.jpg')).id);
  assert.deepEqual([page.kind, page.mime_type, page.sha256, page.fetch_error], ['web', 'text/html', null, null]);
  assert.equal((await call('GET', `/api/content/${page.id}/file`)).status, 404);
  const told = await addRemote('/told', { mime_type: 'text/html' });
  assert.deepEqual([told.kind, requests], ['web', ['/menu.jpg']]);
});

test('fetch_error says why there is no copy: not found, not showable or interrupted', async (t) => {
  const { call, addRemote, settled } = await setUp(t, (req, res) => {
    if (req.url === '/404.jpg') res.writeHead(404).end();
    else if (req.url === '/text.jpg')
      res.writeHead(200, { 'Content-Type': 'image/jpeg' }).end('this is no picture at all');
    else {
      res.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': 5000 }).write('half');
      setImmediate(() => res.destroy());
    }
  });
  for (const [path, why] of [
    ['/404.jpg', /answered with the status 404/],
    ['/text.jpg', /is text/],
    ['/cut.jpg', /ended its answer too early/],
  ] as const) {
    const { id } = await addRemote(path);
    const failed = await settled(id);
    assert.match(failed.fetch_error, why);
    assert.equal((await call('GET', `/api/content/${id}/file`)).status, 404);
  }
});

test('an address in a private network is refused with 400, and a redirect to such an address ends the copy', async (t) => {
  const { call, addRemote, settled } = await setUp(t, (_req, res) =>
    res.writeHead(302, { Location: 'http://127.0.0.1:1/secret' }).end(),
  );
  for (const url of [
    'http://127.0.0.1/a.jpg',
    'http://localhost/a.jpg',
    'http://[::1]/a.jpg',
    'http://192.168.1.1/a.jpg',
    'http://169.254.169.254/',
    'http://2130706433/',
    'ftp://example.com/a',
    'file:///etc/passwd',
    'http://u:p@example.com/',
    'nonsense',
    '',
    5,
    null,
  ]) {
    const { status, body } = await call('POST', '/api/content/remote', { url });
    assert.equal(status, 400, String(url));
    assert.match(body.error, /^url: /);
  }
  assert.match((await settled((await addRemote('/r.jpg')).id)).fetch_error, /in your own network/);
});

test('mime_type must be a type that a screen can show', async (t) => {
  const { call } = await setUp(t);
  for (const mime_type of ['application/zip', 'video/embed', 'nonsense', 7])
    assert.equal(
      (await call('POST', '/api/content/remote', { url: 'http://93.184.216.34/a', mime_type })).status,
      400,
      String(mime_type),
    );
});

test('a new address drops the old copy and fetches a new copy, and the same address changes nothing', async (t) => {
  const photo = await jpeg();
  const { call, addRemote, settled, requests, origin } = await setUp(t, (req, res) =>
    res.writeHead(200).end(req.url === '/a.jpg' ? photo : svg()),
  );
  const first = await settled((await addRemote('/a.jpg')).id);
  must(await call('PUT', `/api/content/${first.id}`, { remote_url: first.remote_url, filename: 'x.jpg' }));
  assert.deepEqual(requests, ['/a.jpg']);
  const changed = must(await call('PUT', `/api/content/${first.id}`, { remote_url: `${origin}/b.svg` }));
  assert.deepEqual([changed.remote_url, changed.sha256], [`${origin}/b.svg`, null]);
  assert.deepEqual(
    [(await settled(first.id)).mime_type, (await settled(first.id)).filename],
    ['image/svg+xml', 'x.jpg'],
  );
  assert.equal((await call('PUT', `/api/content/${first.id}`, { remote_url: 'http://127.0.0.1/x' })).status, 400);
});

test('replace turns remote content into an upload', async (t) => {
  const { site, token, addRemote, settled } = await setUp(t);
  const { id } = await settled((await addRemote('/a.jpg')).id);
  const replaced = await upload(site, token, await jpeg(), 'b.jpg', {
    method: 'PUT',
    path: `/api/content/${id}/replace`,
  });
  assert.deepEqual([replaced.body.remote_url, replaced.body.fetch_error, replaced.body.kind], [null, null, 'image']);
});

test('a video site address is stored as the address of its player, with the type video/embed', async (t) => {
  const { call } = await setUp(t);
  const added = must(
    await call('POST', '/api/content/videosite', { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' }),
    201,
  );
  assert.deepEqual(
    [added.mime_type, added.kind, added.remote_url, added.filename, added.thumbnail_path],
    ['video/embed', 'embed', 'https://www.youtube.com/embed/dQw4w9WgXcQ', 'YouTube dQw4w9WgXcQ', null],
  );
  assert.equal((await call('GET', `/api/content/${added.id}/file`)).status, 404);
  for (const url of ['https://example.com/v', undefined, '', 5])
    assert.equal((await call('POST', '/api/content/videosite', { url })).status, 400, String(url));
  const changed = must(await call('PUT', `/api/content/${added.id}`, { remote_url: 'https://vimeo.com/76979871' }));
  assert.equal(changed.remote_url, 'https://player.vimeo.com/video/76979871');
  assert.equal((await call('PUT', `/api/content/${added.id}`, { remote_url: 'https://example.com/' })).status, 400);
  assert.equal((await call('PUT', `/api/content/${added.id}`, { mime_type: 'video/mp4' })).status, 400);
});

test('a failed copy is retried after 1, 2, 4 … 64 minutes, then every 6 hours, ±20 %', () => {
  const minutes = (failures: number, random: number) => retryDelayMs(failures, () => random) / 60_000;
  assert.deepEqual(
    [1, 2, 3, 7, 8, 50].map((n) => Math.round(minutes(n, 0.5))),
    [1, 2, 4, 64, 360, 360],
  );
  assert.deepEqual(
    [minutes(1, 0), minutes(1, 1)].map((m) => +m.toFixed(3)),
    [0.8, 1.2],
  );
});

test('an endless download does not delay other copies', async (t) => {
  const photo = await jpeg();
  const { addRemote, settled } = await setUp(t, (req, res) => {
    if (req.url === '/slow.jpg') res.writeHead(200, { 'Content-Type': 'image/jpeg' }).write('a beginning');
    else res.writeHead(200).end(photo);
  });
  await addRemote('/slow.jpg');
  for (const path of ['/1.jpg', '/2.jpg', '/3.jpg'])
    assert.equal((await settled((await addRemote(path)).id)).fetch_error, null);
});

test('a copy that a shutdown interrupts leaves no files, and is fetched again after the next start', async (t) => {
  const photo = await jpeg();
  let hang = true;
  const { site, token, addRemote, requests, origin } = await setUp(t, (_req, res) => {
    if (hang) res.writeHead(200, { 'Content-Type': 'image/jpeg' }).write(photo.subarray(0, 1000));
    else res.writeHead(200).end(photo);
  });
  const { id } = await addRemote('/a.jpg');
  await until(
    async () => requests.length,
    (n) => n === 1,
  );
  await site.app.stop();
  hang = false;
  const again = await startSite(t, { data: site.data, env: { VITRINE_ALLOWED_HOSTS: new URL(origin).host } });
  const copied = await until(
    async () => must(await again.call('GET', `/api/content/${id}`, { token })),
    (c) => c.fetched_at !== null,
  );
  assert.deepEqual([copied.fetch_error, copied.file_size], [null, photo.length]);
});
