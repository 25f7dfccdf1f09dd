import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../people.ts';
import { openShops } from './shop.ts';

const shops = openShops();
const TYPES = ['clock', 'weather', 'rss', 'text', 'webpage', 'social', 'directory-board', 'directory-search'];

test('the eight types are taken, any other is 400 naming the member', async (t) => {
  const { call, make, get } = await shops.open(t);
  for (const widget_type of TYPES) {
    const widget = await make('/api/widgets', { widget_type, name: widget_type });
    assert.equal(widget.widget_type, widget_type);
    assert.equal(typeof widget.config, 'object');
    assert.deepEqual(await get(`/api/widgets/${widget.id}`), widget);
  }
  assert.deepEqual(
    (await get('/api/widgets')).map((widget: any) => widget.name),
    TYPES,
  );
  for (const widget_type of ['iframe', '', null]) {
    const { status, body } = await call('POST', '/api/widgets', { widget_type, name: 'X' });
    assert.equal(status, 400);
    assert.ok(body.error.startsWith('widget_type'), body.error);
  }
});

test('config is an object in and out, JSON text of one is accepted; unknown keys are kept, a known key of the wrong type is 400 naming it', async (t) => {
  const { call, make, get } = await shops.open(t);
  const widget = await make('/api/widgets', { widget_type: 'clock', name: 'C', config: { format: '24h', of_another_server: [1] } });
  assert.deepEqual([widget.config.format, widget.config.of_another_server], ['24h', [1]]);
  const changed = must(await call('PUT', `/api/widgets/${widget.id}`, { config: JSON.stringify({ show_date: false, mine: 'x' }) }));
  assert.deepEqual([changed.config.show_date, changed.config.mine], [false, 'x']);
  assert.deepEqual((await get(`/api/widgets/${widget.id}`)).config, changed.config);
  for (const [config, key] of [
    [{ show_seconds: 'yes please' }, 'show_seconds'],
    [{ format: 7 }, 'format'],
    [{ font_size: {} }, 'font_size'],
    ['not json', 'config'],
    ['[1]', 'config'],
    [[1], 'config'],
    [7, 'config'],
  ] as const) {
    const { status, body } = await call('POST', '/api/widgets', { widget_type: 'clock', name: 'C', config });
    assert.equal(status, 400, JSON.stringify(config));
    assert.ok(body.error.includes(key), body.error);
  }
});

test('every type renders to a page, with nothing of the API in reach: a CSP with default-src and a sandbox without allow-same-origin', async (t) => {
  const { make, site } = await shops.open(t);
  for (const widget_type of TYPES) {
    const { id } = await make('/api/widgets', { widget_type, name: widget_type });
    const { status, headers, body } = await site.call('GET', `/api/widgets/${id}/render`);
    assert.equal(status, 200, widget_type);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.match(String(body), /<!doctype html>/i);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src/, widget_type);
    assert.match(policy, /sandbox/, widget_type);
    assert.doesNotMatch(policy, /allow-same-origin/, widget_type);
  }
  assert.equal((await site.call('GET', '/api/widgets/nothing/render')).status, 404);
});

test('a preview renders without storing anything, and needs scope write', async (t) => {
  const { call, get, make, site } = await shops.open(t);
  const { status, headers } = await call('POST', '/api/widgets/preview', { widget_type: 'text', config: { html: '<b>Hello</b>' } });
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  assert.deepEqual(await get('/api/widgets'), []);
  const { token } = await make('/api/tokens', { name: 'reader', scope: 'read' });
  assert.equal((await site.call('POST', '/api/widgets/preview', { token, body: { widget_type: 'text' } })).status, 403);
});

test('previews are limited to 60 a minute and client address', async (t) => {
  const { call, owner, site } = await shops.open(t);
  const preview = () =>
    site.call('POST', '/api/widgets/preview', { token: owner.token, body: { widget_type: 'text', config: { html: 'x' } }, headers: { 'X-Forwarded-For': '10.200.0.1' } });
  for (let i = 0; i < 60; i++) assert.equal((await preview()).status, 200, String(i));
  const { status, headers } = await preview();
  assert.equal(status, 429);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.equal((await call('POST', '/api/widgets/preview', { widget_type: 'text' })).status, 200, 'another address');
});

test('a widget plays in a playlist for 10 seconds unless told, with its name, type and config in the item', async (t) => {
  const { call, make, get } = await shops.open(t);
  const widget = await make('/api/widgets', { widget_type: 'clock', name: 'Clock' });
  const { id } = await make('/api/playlists', { name: 'P' });
  const item = await make(`/api/playlists/${id}/items`, { widget_id: widget.id });
  assert.deepEqual(
    [item.widget_id, item.content_id, item.duration_sec, item.widget_name, item.widget_type, item.widget_config],
    [widget.id, null, 10, 'Clock', 'clock', widget.config],
  );
  must(await call('POST', `/api/playlists/${id}/publish`));
  assert.deepEqual(must(await call('DELETE', `/api/widgets/${widget.id}`)), { success: true });
  const after = await get(`/api/playlists/${id}`);
  assert.deepEqual([after.items, after.status], [[], 'published']);
});

/** Every member that the decisions name, with a value that it may have. */
const feed = { feed_url: 'https://news.example/feed.xml', scroll_speed: 30, max_items: 5, font_size: 40, color: '#ffffff', background: '#000000' };
const categories = [{ name: 'Ground floor', entries: [{ identifier: '1', name: 'Bakery', subtitle: 'Bread', available: true }] }];
const EVERY_MEMBER: Record<string, Record<string, unknown>> = {
  clock: {
    format: '24h',
    timezone: 'Europe/Berlin',
    show_date: true,
    show_seconds: false,
    locale: 'de-DE',
    date_position: 'below',
    date_format: 'long',
    date_font_size: 30,
    date_color: '#ffffff',
    font_size: 120,
    color: '#ffffff',
    background: '#000000',
  },
  weather: { location: 'Berlin', latitude: 52.52, longitude: 13.4, units: 'metric', days: 3, show_location: true, font_size: 40, color: '#ffffff', background: '#000000' },
  rss: feed,
  text: { html: '<b>Open</b>', css: 'b { color: red }', background: '#ffffff', overflow: 'fit' },
  webpage: { url: 'https://example.com/', zoom: 120, refresh_interval: 300 },
  social: { ...feed, show_images: true },
  'directory-board': {
    title: 'Shops',
    logo_url: 'https://example.com/logo.png',
    footer_text: 'Open until 8',
    background_images: ['https://example.com/a.jpg'],
    theme: 'dark',
    scroll_speed: 20,
    columns: 2,
    categories,
  },
  'directory-search': {
    title: 'Find a shop',
    logo_url: 'https://example.com/logo.png',
    placeholder_text: 'Name',
    theme: 'light',
    show_onscreen_keyboard: true,
    source_widget_id: '',
    categories,
  },
};
const wrongFor = (value: unknown): unknown => (typeof value === 'boolean' ? 'perhaps' : Array.isArray(value) ? 'a list' : {});

test('each type takes every member that it is said to have, and names the one that is of the wrong type', async (t) => {
  const { call, make, get } = await shops.open(t);
  assert.deepEqual(Object.keys(EVERY_MEMBER), TYPES);
  for (const [widget_type, config] of Object.entries(EVERY_MEMBER)) {
    const widget = await make('/api/widgets', { widget_type, name: widget_type, config });
    assert.deepEqual((await get(`/api/widgets/${widget.id}`)).config, config);
    for (const [member, value] of Object.entries(config)) {
      const { status, body } = await call('PUT', `/api/widgets/${widget.id}`, { config: { ...config, [member]: wrongFor(value) } });
      assert.equal(status, 400, `${widget_type}.${member}`);
      assert.match(body.error, new RegExp(`^config\\.${member}`));
    }
  }
});
