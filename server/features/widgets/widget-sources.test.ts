import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ownedSite } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { pairPlayer } from '../../../test/player-client.ts';
import { upload } from '../../../test/uploads.ts';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const item = (title: string) =>
  `<item><title>${title}</title><description>More</description><enclosure url="HOST/picture.gif" type="image/gif" length="1"/></item>`;

/** Starts external services on loopback: a feed, a forecast, a picture. */
const openOutside = async (t: TestContext) => {
  const requests: string[] = [];
  let titles = ['First', 'Second'];
  let declared = '/feed';
  const server = createServer((req, res) => {
    requests.push(req.url!);
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { pathname } = new URL(req.url!, host);
    if (pathname === '/feed')
      res.end(
        `<rss version="2.0"><channel><title>News</title>${titles.map(item).join('').replaceAll('HOST', host)}</channel></rss>`,
      );
    else if (pathname === '/page')
      res
        .writeHead(200, { 'Content-Type': 'text/html', ETag: '"page"' })
        .end(`<!doctype html><html><head><link rel="alternate" type="application/rss+xml" href="${declared}"></head>`);
    else if (pathname === '/long')
      res.end(
        `<rss version="2.0"><channel><title>News</title>${titles.map(item).join('')}<item><title>${'x'.repeat(3_000_000)}`,
      );
    else if (pathname === '/picture.gif') res.writeHead(200, { 'Content-Type': 'image/gif' }).end(GIF);
    else if (pathname === '/v1/search')
      res.end(JSON.stringify({ results: [{ name: 'Bergen', latitude: 60.39, longitude: 5.32 }] }));
    else if (pathname === '/v1/forecast')
      res.end(
        JSON.stringify({
          current: { temperature_2m: 9.4, weather_code: 2, is_day: 1 },
          daily: { time: ['2026-03-10'], weather_code: [2], temperature_2m_max: [11], temperature_2m_min: [4] },
        }),
      );
    else res.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => new Promise((closed) => server.close(closed)));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    publish: (next: string[]) => (titles = next),
    declare: (href: string) => (declared = href),
  };
};

const open = async (t: TestContext, { allowed = true } = {}) => {
  const outside = await openOutside(t);
  const { site, token, call } = await ownedSite(t, {
    env: { VITRINE_WEATHER_URL: outside.origin, ...(allowed && { VITRINE_ALLOWED_HOSTS: '127.0.0.1' }) },
  });
  const make = async (widget_type: string, config: object): Promise<string> =>
    (await call('POST', '/api/widgets', { widget_type, name: 'W', config })).body.id;
  const preview = (widget_type: string, config: object) =>
    call('POST', '/api/widgets/preview', { widget_type, config });
  return { outside, site, token, call, make, preview };
};
const dataIn = (html: string) =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)![1]!);

test('a preview shows the feed, which the server fetches through the SSRF guard', async (t) => {
  const { outside, preview } = await open(t);
  const { body } = await preview('rss', { feed_url: `${outside.origin}/feed`, max_items: 1 });
  const data = dataIn(body);
  assert.equal(data.error, null);
  assert.deepEqual(
    data.feed.items.map((one: any) => [one.title, one.image]),
    [['First', null]],
  );
  assert.deepEqual(outside.requests, ['/feed']);
});

test('the server finds and fetches the feed that a web page declares, in one step and through the SSRF guard', async (t) => {
  const { outside, preview } = await open(t);
  const shown = async (query: string) =>
    dataIn((await preview('rss', { feed_url: `${outside.origin}/page?${query}` })).body);
  const { error, feed } = await shown('1');
  assert.deepEqual([error, feed?.items.map((one: any) => one.title)], [null, ['First', 'Second']]);
  assert.deepEqual(outside.requests.splice(0), ['/page?1', '/feed']);

  outside.declare('/page?again');
  assert.match(
    (await shown('2')).error,
    /the feed address on that page \(http:\/\/127\.0\.0\.1:\d+\/page\?again\) does not return a feed/,
  );
  assert.deepEqual(outside.requests.splice(0), ['/page?2', '/page?again']);

  outside.declare(outside.origin.replace('127.0.0.1', '127.0.0.2'));
  assert.match((await shown('3')).error, /in your own network or a reserved address/);
  assert.deepEqual(outside.requests, ['/page?3']);
});

test('of a 3 MB feed the complete items at the beginning are shown', async (t) => {
  const { outside, preview } = await open(t);
  const { error, feed } = dataIn((await preview('rss', { feed_url: `${outside.origin}/long` })).body);
  assert.deepEqual([error, feed?.items.map((one: any) => one.title)], [null, ['First', 'Second']]);
});

test('a feed inside the network is fetched only when an administrator allowed its host', async (t) => {
  const { outside, preview } = await open(t, { allowed: false });
  const { status, body } = await preview('rss', { feed_url: `${outside.origin}/feed` });
  assert.equal(status, 200);
  assert.match(dataIn(body).error, /in your own network or a reserved address/);
  assert.deepEqual(outside.requests, []);
});

test('social posts contain their pictures, because screens may have no internet', async (t) => {
  const { outside, site, make, preview } = await open(t);
  const config = { feed_url: `${outside.origin}/feed` };
  await preview('social', config);
  const id = await make('social', config);
  const data = dataIn((await site.call('GET', `/api/widgets/${id}/render`)).body);
  assert.match(data.feed.items[0].image, /^data:image\/webp;base64,/);
  const without = dataIn((await preview('social', { ...config, show_images: false })).body);
  assert.equal(without.feed.items[0].image, null);
});

test('weather is found by the name of a place', async (t) => {
  const { preview } = await open(t);
  const { weather } = dataIn((await preview('weather', { location: 'Bergen, Norway' })).body);
  assert.deepEqual([weather.place, weather.current.temperature, weather.days.length], ['Bergen', 9.4, 1]);
});

test('player keeps the page by its hash while the data changes, and requests data with the ETag of the last data', async (t) => {
  const { outside, site, token, call, make, preview } = await open(t);
  const config = { feed_url: `${outside.origin}/feed` };
  await preview('rss', config);
  const id = await make('rss', config);
  const player = await pairPlayer(t, site, token);
  const playlist = (await call('POST', '/api/playlists', { name: 'P' })).body.id;
  await call('POST', `/api/playlists/${playlist}/items`, { widget_id: id });
  await call('POST', `/api/playlists/${playlist}/publish`);
  await call('POST', `/api/playlists/${playlist}/assign`, { device_id: player.deviceId });
  const said = await player.client.next('program');
  const asPlayer = (path: string, headers = {}) =>
    fetch(`${site.origin}${path}`, { headers: { Authorization: `Bearer ${player.credential}`, ...headers } });
  const program: any = await (await asPlayer(said['url'])).json();
  const [shown] = program.playlists[0].items;
  assert.equal(shown.kind, 'widget');
  assert.equal(shown.data_url, `/api/player/widgets/${id}/data`);

  const page = Buffer.from(await (await asPlayer(`/api/player/assets/${shown.asset}`)).arrayBuffer());
  assert.equal(createHash('sha256').update(page).digest('hex'), shown.asset);
  assert.deepEqual(program.assets, [{ sha256: shown.asset, size: page.length, mime: 'text/html' }]);
  assert.ok(!page.toString().includes('id="data"'));

  const data = await asPlayer(shown.data_url);
  assert.equal(((await data.json()) as any).feed.items[0].title, 'First');
  const again = await asPlayer(shown.data_url, { 'If-None-Match': data.headers.get('etag')! });
  assert.equal(again.status, 304);
  assert.equal((await site.call('GET', shown.data_url)).status, 401);
  assert.equal((await asPlayer('/api/player/widgets/nothing/data')).status, 404);
});

test('a page that was deleted from the disk is made again from its widget', async (t) => {
  const { site, token, call, make } = await open(t);
  const id = await make('clock', { show_seconds: true });
  const player = await pairPlayer(t, site, token);
  const playlist = (await call('POST', '/api/playlists', { name: 'P' })).body.id;
  await call('POST', `/api/playlists/${playlist}/items`, { widget_id: id });
  await call('POST', `/api/playlists/${playlist}/publish`);
  await call('POST', `/api/playlists/${playlist}/assign`, { device_id: player.deviceId });
  const { url } = (await player.client.next('program')) as any;
  const asPlayer = (path: string) =>
    fetch(`${site.origin}${path}`, { headers: { Authorization: `Bearer ${player.credential}` } });
  const { asset } = ((await (await asPlayer(url)).json()) as any).playlists[0].items[0];
  const { rmSync } = await import('node:fs');
  rmSync(`${site.data}/pages/${asset}`);
  assert.equal((await asPlayer(`/api/player/assets/${asset}`)).status, 200);
});

test('a picture of the media library is embedded in the page', async (t) => {
  const { site, token, make, preview } = await open(t);
  const { id } = must(await upload(site, token, Buffer.from(GIF), 'logo.gif'), 201);
  const logo_url = `/api/content/${id}/file`;
  const { pictures } = dataIn((await preview('directory-board', { title: 'X', logo_url })).body);
  assert.match(pictures[logo_url], /^data:image\/webp;base64,/);
  assert.ok(await make('directory-board', { logo_url }));
});

test('a search widget shows the entries of the board that it names, only within its workspace', async (t) => {
  const { site, token, call, make } = await open(t);
  const board = await make('directory-board', { categories: [{ name: 'Floor', entries: [{ name: 'Ada' }] }] });
  const search = await make('directory-search', { source_widget_id: board });
  const shown = async () => dataIn((await site.call('GET', `/api/widgets/${search}/render`)).body).categories;
  assert.equal((await shown())[0].entries[0].name, 'Ada');
  await call('PUT', `/api/widgets/${board}`, { config: { categories: [] } });
  assert.deepEqual(await shown(), []);
  const made = (
    await site.call('POST', '/api/auth/register', { body: { email: 'b@store.test', password: 'correct horse' } })
  ).body;
  const spy = (
    await site.call('POST', '/api/widgets', {
      token: made.token,
      body: { widget_type: 'directory-search', name: 'x', config: { source_widget_id: board } },
    })
  ).body.id;
  await call('PUT', `/api/widgets/${board}`, { config: { categories: [{ name: 'Secret' }] } });
  assert.ok(token);
  assert.ok(!(await site.call('GET', `/api/widgets/${spy}/render`)).body.includes('Secret'));
});
