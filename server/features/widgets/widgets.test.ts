import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { widgetTypeNames } from '../../../shared/contract/content/widget-types.ts';
import { MAX_WIDGETS } from '../../../shared/contract/content/widgets.ts';
import { startSite, tempFolder } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { actorOf, openParts, openRows, refusedWith } from '../../../test/rows.ts';
import { openShops } from '../../../test/shop.ts';
import { WidgetsService } from './widgets.service.ts';
import { WidgetsStore } from './widgets.store.ts';

const shops = openShops();
const TYPES = ['clock', 'weather', 'rss', 'text', 'webpage', 'social', 'directory-board', 'directory-search'];
/** Returns the page without its own script, which is at the end. */
const beforeScript = (html: string) => html.slice(0, html.indexOf('<script>"use strict";'));

test('a widget of each of the eight types is made, read, listed, changed and deleted', async (t) => {
  const { call, make, get } = await shops.open(t);
  for (const widget_type of TYPES) {
    const widget = await make('/api/widgets', { widget_type, name: ` ${widget_type} ` });
    assert.deepEqual([widget.widget_type, widget.name, widget.config], [widget_type, widget_type, {}]);
    assert.deepEqual(await get(`/api/widgets/${widget.id}`), widget);
  }
  const list = await get('/api/widgets');
  assert.deepEqual(
    list.map((widget: any) => widget.name),
    TYPES,
  );
  for (const widget_type of ['iframe', '', null]) {
    const { status, body } = await call('POST', '/api/widgets', { widget_type, name: 'X' });
    assert.equal(status, 400);
    assert.ok(body.error.startsWith('widget_type'), body.error);
  }
  const path = `/api/widgets/${list[0].id}`;
  assert.deepEqual(must(await call('PUT', path, { config: { format: '24h' } })).name, 'clock');
  const changed = must(await call('PUT', path, { name: 'Lobby clock' }));
  assert.deepEqual([changed.name, changed.config], ['Lobby clock', { format: '24h' }]);
  assert.deepEqual(must(await call('DELETE', path)), { success: true });
  assert.equal((await call('GET', path)).status, 404);
});

test('a config is an object, may be sent as JSON text, and keeps unknown keys', async (t) => {
  const { call, make, get } = await shops.open(t);
  const config = { format: '24h', of_another_server: [1, { a: null }] };
  const widget = await make('/api/widgets', { widget_type: 'clock', name: 'C', config });
  assert.deepEqual(widget.config, config);
  const changed = must(
    await call('PUT', `/api/widgets/${widget.id}`, { config: JSON.stringify({ show_date: false, mine: 'x' }) }),
  );
  assert.deepEqual(changed.config, { show_date: false, mine: 'x' });
  assert.deepEqual((await get(`/api/widgets/${widget.id}`)).config, changed.config);
  for (const config of ['not json', '[]', '[1]', 'null', '3', '{', [], [1], 7]) {
    const { status, body } = await call('POST', '/api/widgets', { widget_type: 'rss', name: 'x', config });
    assert.equal(status, 400, JSON.stringify(config));
    assert.match(body.error, /config/);
  }
});

test('a known key with a wrong type answers 400 with its name', async (t) => {
  const { call } = await shops.open(t);
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ['clock', { font_size: '48' }, /config\.font_size: must be a number/],
    ['clock', { format: '25h' }, /config\.format: must be 24h or 12h/],
    ['clock', { timezone: 'Mars/Olympus' }, /config\.timezone: must be an IANA time zone/],
    ['clock', { locale: 'not a language' }, /config\.locale: must be a language tag/],
    ['clock', { show_date: 'yes' }, /config\.show_date: must be true or false/],
    ['clock', { color: 7 }, /config\.color: must be text/],
    ['weather', { latitude: '52' }, /config\.latitude: must be a number/],
    ['rss', { feed_url: 'javascript:alert(1)' }, /config\.feed_url: must be an address/],
    ['rss', { feed_url: {} }, /config\.feed_url: must be text/],
    ['text', { html: ['x'] }, /config\.html: must be text/],
    ['text', { overflow: 'explode' }, /config\.overflow: must be fit, scroll or clip/],
    ['webpage', { url: 'javascript:alert(1)' }, /config\.url: must be an address/],
    ['webpage', { url: '//evil.test/' }, /config\.url/],
    ['webpage', { url: 'file:///etc/passwd' }, /config\.url/],
    ['social', { show_images: 1 }, /config\.show_images/],
    ['directory-board', { categories: {} }, /config\.categories: must be a list/],
    [
      'directory-board',
      { categories: [{ entries: [{ name: 3 }] }] },
      /config\.categories\.0\.entries\.0\.name: must be text/,
    ],
    ['directory-board', { logo_url: 'data:text/html;base64,AAAA' }, /config\.logo_url/],
    ['directory-search', { show_onscreen_keyboard: 'no' }, /config\.show_onscreen_keyboard/],
  ];
  for (const [widget_type, config, sentence] of cases) {
    const { status, body } = await call('POST', '/api/widgets', { widget_type, name: 'x', config });
    assert.equal(status, 400, `${widget_type} ${JSON.stringify(config)}`);
    assert.match(body.error, sentence);
  }
});

/** Every documented field of each type, with a valid value. */
const feed = {
  feed_url: 'https://news.example/feed.xml',
  scroll_speed: 30,
  max_items: 5,
  font_size: 40,
  color: '#ffffff',
  background: '#000000',
};
const categories = [
  { name: 'Ground floor', entries: [{ identifier: '1', name: 'Bakery', subtitle: 'Bread', available: true }] },
];
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
  weather: {
    location: 'Berlin',
    latitude: 52.52,
    longitude: 13.4,
    units: 'metric',
    days: 3,
    show_location: true,
    font_size: 40,
    color: '#ffffff',
    background: '#000000',
  },
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
const wrongFor = (value: unknown): unknown =>
  typeof value === 'boolean' ? 'perhaps' : Array.isArray(value) ? 'a list' : {};

test('each type accepts all of its documented fields, and an error names a field with a wrong type', async (t) => {
  const { call, make, get } = await shops.open(t);
  assert.deepEqual(Object.keys(EVERY_MEMBER), TYPES);
  for (const [widget_type, config] of Object.entries(EVERY_MEMBER)) {
    const widget = await make('/api/widgets', { widget_type, name: widget_type, config });
    assert.deepEqual((await get(`/api/widgets/${widget.id}`)).config, config);
    for (const [member, value] of Object.entries(config)) {
      const { status, body } = await call('PUT', `/api/widgets/${widget.id}`, {
        config: { ...config, [member]: wrongFor(value) },
      });
      assert.equal(status, 400, `${widget_type}.${member}`);
      assert.match(body.error, new RegExp(`^config\\.${member}`));
    }
  }
});

test('a null in a config counts as absent, and a number out of range is replaced by the nearest limit when shown', async (t) => {
  const { make, site } = await shops.open(t);
  const { id, config } = await make('/api/widgets', {
    widget_type: 'clock',
    name: 'C',
    config: { font_size: 99_999, color: null, timezone: '' },
  });
  assert.deepEqual(config, { font_size: 99_999, color: null, timezone: '' });
  const { body } = await site.call('GET', `/api/widgets/${id}/render`);
  assert.match(body, /"font_size":1000/);
});

test('a config that is too large or too deep answers 400', async (t) => {
  const { call } = await shops.open(t);
  const large = await call('POST', '/api/widgets', {
    widget_type: 'text',
    name: 'x',
    config: { html: 'x'.repeat(600_000) },
  });
  assert.equal(large.status, 400);
  assert.match(large.body.error, /512 KiB/);
  const deep = `{"widget_type":"text","name":"x","config":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
  assert.equal((await call('POST', '/api/widgets', deep)).status, 400);
  assert.equal(
    (await call('POST', '/api/widgets', { widget_type: 'text', name: 'x', config: { html: 'x'.repeat(2_000_000) } }))
      .status,
    413,
  );
});

test('a widget plays 10 seconds by default, and its deletion removes items and schedules that showed nothing else', async (t) => {
  const { call, make, get, site } = await shops.open(t);
  const widget = (widget_type: string) => make('/api/widgets', { widget_type, name: widget_type, config: { mine: 1 } });
  const [a, b, c] = [await widget('clock'), await widget('text'), await widget('rss')];
  const playlist = (await make('/api/playlists', { name: 'P' })).id as string;
  for (const { id } of [a, b, c]) {
    const item = await make(`/api/playlists/${playlist}/items`, { widget_id: id });
    assert.deepEqual(
      [item.widget_id, item.content_id, item.duration_sec, item.widget_config],
      [id, null, 10, { mine: 1 }],
    );
    assert.equal(item.widget_name, item.widget_type);
  }
  must(await call('POST', `/api/playlists/${playlist}/publish`));
  const group_id = (await make('/api/groups', { name: 'G' })).id;
  const times = { group_id, start_time: '2026-03-10T10:00', end_time: '2026-03-10T11:00', widget_id: b.id };
  await make('/api/schedules', times);
  const both = (await make('/api/schedules', { ...times, playlist_id: playlist })).id;
  must(await call('DELETE', `/api/widgets/${b.id}`));
  const { status, items } = await get(`/api/playlists/${playlist}`);
  assert.equal(status, 'published');
  const left = [a, c].map(({ id }, sort_order) => ({ widget_id: id, sort_order }));
  assert.deepEqual(
    items.map(({ widget_id, sort_order }: any) => ({ widget_id, sort_order })),
    left,
  );
  assert.deepEqual(
    site.app.db.raw
      .prepare(
        'SELECT widget_id, row_number() OVER (ORDER BY sort_order) - 1 AS sort_order FROM published_items WHERE playlist_id = ?',
      )
      .all(playlist),
    left,
  );
  assert.deepEqual(
    (await get('/api/schedules')).map(({ id, widget_id }: any) => [id, widget_id]),
    [[both, null]],
  );
});

test('every type renders a public, self-contained page whose policy allows no requests', async (t) => {
  const { make, site } = await shops.open(t);
  for (const widget_type of widgetTypeNames) {
    const { id } = await make('/api/widgets', { widget_type, name: widget_type });
    const { status, headers, body } = await site.call('GET', `/api/widgets/${id}/render`);
    assert.equal(status, 200, widget_type);
    assert.match(headers.get('content-type')!, /^text\/html/);
    assert.match(body, /<!doctype html>/i);
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /^sandbox allow-scripts allow-forms; default-src 'none'; script-src 'sha256-/);
    assert.doesNotMatch(policy, /allow-same-origin|unsafe-eval|connect-src|script-src[^;]*unsafe-inline/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.ok(!/<(link|base|object|embed)\b|@import|src="http|url\((?!data:)/.test(beforeScript(body)), widget_type);
  }
  assert.equal((await site.call('GET', '/api/widgets/nothing/render')).status, 404);
});

test('user text cannot become markup or script of the page', async (t) => {
  const { make, site } = await shops.open(t);
  const evil = '</script><script>alert(1)</script><img src=x onerror=alert(1)>" onload="alert(1)\u2028<!--';
  for (const [widget_type, config] of [
    [
      'directory-board',
      { title: evil, footer_text: evil, categories: [{ name: evil, entries: [{ name: evil, identifier: evil }] }] },
    ],
    ['directory-search', { title: evil, placeholder_text: evil }],
    ['text', { html: evil, css: `</style>${evil}` }],
    ['weather', { location: evil }],
    ['clock', { color: 'red;background:url(http://evil.test)', background: '</style><script>alert(1)</script>' }],
  ] as const) {
    const { id } = await make('/api/widgets', { widget_type, name: evil.replace('\u2028', ''), config });
    const { body } = await site.call('GET', `/api/widgets/${id}/render`);
    assert.ok(!/<script>|<img|style="[^"]*evil|alert\(1\)<\/script>/.test(beforeScript(body)), widget_type);
    assert.ok(body.endsWith('})();</script></body></html>\n'), widget_type);
  }
});

test('a preview renders and saves nothing', async (t) => {
  const { call, get } = await shops.open(t);
  const preview = (body: unknown) => call('POST', '/api/widgets/preview', body);
  const { status, headers, body } = await preview({
    widget_type: 'directory-board',
    config: { title: 'Harbour House' },
  });
  assert.equal(status, 200);
  assert.match(headers.get('content-type')!, /^text\/html/);
  assert.match(headers.get('content-security-policy')!, /sandbox/);
  assert.match(body, /Harbour House/);
  assert.deepEqual(await get('/api/widgets'), []);
  assert.equal((await preview({ widget_type: 'clock', config: { font_size: 'x' } })).status, 400);
});

test('the policy of the preview frame allows only scripts of our own pages', async (t) => {
  const { site } = await shops.open(t);
  const { status, headers, body } = await site.call('GET', '/api/widgets/preview/frame');
  assert.equal(status, 200);
  assert.match(body, /vitrine:preview-ready/);
  assert.equal(
    headers.get('content-security-policy')!.match(/'sha256-/g)?.length,
    widgetTypeNames.length + 2,
    'each type, the frame of texts, and its own',
  );
});

test('the start of the server deletes pages of earlier runs, and leaves other files and folders in place', async (t) => {
  const data = tempFolder(t);
  const [page, half, note, folder] = ['a'.repeat(64), `${'b'.repeat(64)}.tmp`, 'note.txt', 'folder'].map((name) =>
    join(data, 'pages', name),
  ) as [string, string, string, string];
  mkdirSync(folder, { recursive: true });
  for (const file of [page, half, note]) writeFileSync(file, 'x');
  await startSite(t, { data });
  assert.deepEqual([page, half, note, folder].map(existsSync), [false, false, true, true]);
});

test('a widget counts as on screens by published playlists and enabled schedules', () => {
  const { db, add } = openRows();
  const store = new WidgetsStore(db);
  const widgets = ['draft', 'published', 'planned', 'off', 'nowhere'];
  add('widgets', ...widgets.map((id) => ({ id, config: `{"is":"${id}"}` })));
  add('playlists', { id: 'p' });
  add('playlist_items', { playlist_id: 'p', widget_id: 'draft' });
  add('published_items', { id: 1, playlist_id: 'p', widget_id: 'published' });
  add('schedules', { id: 'a', widget_id: 'planned' }, { id: 'b', widget_id: 'off', enabled: 0 });
  assert.deepEqual(
    store
      .onScreens()
      .map(({ id, config }) => [id, config['is']])
      .toSorted(),
    [
      ['planned', 'planned'],
      ['published', 'published'],
    ],
  );
  assert.deepEqual([store.schedulesWith('off'), store.schedulesWith('draft')], [['b'], []]);
});

test('changes of a widget are logged, announced, need its current version, and can be restored from the bin', async () => {
  const { parts, add, told, db } = openParts();
  let holding: string[] = [];
  const closed: string[] = [];
  const playlists = {
    playlistsWith: ({ widgetIds = [] }: { widgetIds?: readonly string[] }) => (widgetIds.length === 1 ? holding : []),
    itemsGone: (ids: readonly string[]) => void closed.push(...ids),
  };
  const service = new WidgetsService({ ...parts, store: new WidgetsStore(db), playlists });
  const [here, there] = [actorOf('here'), actorOf('there')];
  const span = { valid_from: '2026-03-10T09:00', valid_until: '2026-03-11T09:00' };
  const { record, revision } = service.create(here, { widget_type: 'clock', name: 'Clock', ...span });
  const { id, ...rest } = record;
  assert.deepEqual(await told(), ['widget.created: Clock', `widgets ${id}, no screens`]);
  assert.deepEqual(
    { ...rest, revision },
    {
      ...{ workspace_id: 'here', widget_type: 'clock', name: 'Clock', config: {}, ...span },
      ...{ created_at: 9, updated_at: 9, revision: 1 },
    },
  );
  assert.deepEqual(
    [here, there].map((actor) => service.list(actor, { owner: undefined }).length),
    [1, 0],
  );
  assert.deepEqual([service.find('here', id)?.name, service.find('there', id)], ['Clock', undefined]);
  assert.throws(() => service.update(here, id, { name: 'No' }, '"2"'), refusedWith(412));
  assert.throws(() => service.update(here, id, { config: { format: 4 } }), refusedWith(400, /config.format/));
  const until = span.valid_from;
  assert.throws(() => service.update(here, id, { valid_until: until }), refusedWith(400, /must be after valid_from/));
  assert.throws(
    () => service.create(here, { widget_type: 'clock', name: 'C', config: { format: 4 } }),
    refusedWith(400),
  );
  assert.equal(service.update(here, id, { name: 'Time', valid_until: null }, '"1"').record.valid_until, null);
  assert.deepEqual(await told(), ['widget.updated: Time', `widgets ${id}`]);

  assert.throws(() => service.delete(here, id, '"1"'), refusedWith(412));
  service.delete(here, id, '"2"');
  assert.deepEqual(await told(), ['kept widget Time', 'widget.deleted: Time', `widgets ${id}`]);
  assert.deepEqual(closed, []);
  const used = service.create(here, { widget_type: 'clock', name: 'Used' }).record.id;
  add('plans', { id: 'only', widget_id: used });
  add('schedules', { id: 'only', plan_id: 'only', widget_id: used });
  holding = ['p'];
  await told();
  service.delete(here, used);
  assert.deepEqual((await told()).toSorted(), [
    ...['kept widget Used', 'playlists p, no screens', 'schedules only, no screens', 'widget.deleted: Used'],
    `widgets ${used}`,
  ]);
  assert.deepEqual([closed, db.raw.prepare('SELECT count(*) FROM plans').pluck().get()], [['p'], 0]);
  add('widgets', ...Array.from({ length: MAX_WIDGETS - 1 }, (_, nth) => ({ id: `${nth}` })));
  service.create(here, { widget_type: 'clock', name: 'Last' });
  assert.throws(() => service.create(here, { widget_type: 'clock', name: 'More' }), refusedWith(400, /at most 5000/));
});
