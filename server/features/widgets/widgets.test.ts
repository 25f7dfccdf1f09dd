import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { firstUser, startSite, tempFolder } from '../../../test/harness.ts';
import { colleague, login, person } from '../../../test/people.ts';

const open = async (t: TestContext) => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => site.call(method, path, { token, body, ...(headers && { headers }) });
  return { site, token, call };
};
/** All of a page but its own script, which is the last of it. */
const beforeScript = (html: string) => html.slice(0, html.indexOf('<script>(() => {'));

type Opened = Awaited<ReturnType<typeof open>>;

const make = async ({ call }: Opened, widget_type: string, config: unknown = {}, name = 'A widget') => {
  const { status, body } = await call('POST', '/api/widgets', { widget_type, name, config });
  assert.equal(status, 201, JSON.stringify(body));
  return body as { id: string; config: Record<string, unknown> };
};

test('a widget is made, read, listed, changed and deleted', async (t) => {
  const opened = await open(t);
  const { call } = opened;
  const made = await call('POST', '/api/widgets', { widget_type: 'clock', name: ' Lobby clock ', config: { format: '24h', of_another_server: [1, { a: null }] } });
  assert.equal(made.status, 201);
  assert.equal(made.body.name, 'Lobby clock');
  assert.deepEqual(made.body.config, { format: '24h', of_another_server: [1, { a: null }] });
  const read = await call('GET', `/api/widgets/${made.body.id}`);
  assert.deepEqual(read.body, made.body);
  const list = await call('GET', '/api/widgets');
  assert.equal(list.headers.get('x-total-count'), '1');
  const changed = await call('PUT', `/api/widgets/${made.body.id}`, { name: 'Clock' });
  assert.deepEqual(changed.body.config, made.body.config);
  assert.equal((await call('DELETE', `/api/widgets/${made.body.id}`)).status, 200);
  assert.equal((await call('GET', `/api/widgets/${made.body.id}`)).status, 404);
});

test('config may be JSON text and comes back as an object; without one it is empty', async (t) => {
  const opened = await open(t);
  assert.deepEqual((await make(opened, 'text', '{"html":"<b>hi</b>"}')).config, { html: '<b>hi</b>' });
  const { body } = await opened.call('POST', '/api/widgets', { widget_type: 'rss', name: 'x' });
  assert.deepEqual(body.config, {});
  for (const config of ['[]', 'null', '3', '{', [], 3])
    assert.equal((await opened.call('POST', '/api/widgets', { widget_type: 'rss', name: 'x', config })).status, 400, JSON.stringify(config));
});

test('a known key of the wrong type is 400 naming it', async (t) => {
  const { call } = await open(t);
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ['clock', { font_size: '48' }, /config\.font_size: must be a number/],
    ['clock', { format: '25h' }, /config\.format: must be 12h or 24h/],
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
    ['directory-board', { categories: [{ entries: [{ name: 3 }] }] }, /config\.categories\.0\.entries\.0\.name: must be text/],
    ['directory-board', { logo_url: 'data:text/html;base64,AAAA' }, /config\.logo_url/],
    ['directory-search', { show_onscreen_keyboard: 'no' }, /config\.show_onscreen_keyboard/],
  ];
  for (const [widget_type, config, sentence] of cases) {
    const { status, body } = await call('POST', '/api/widgets', { widget_type, name: 'x', config });
    assert.equal(status, 400, `${widget_type} ${JSON.stringify(config)}`);
    assert.match(body.error, sentence);
  }
  assert.equal((await call('POST', '/api/widgets', { widget_type: 'lava-lamp', name: 'x' })).status, 400);
});

test('null counts as absent, and numbers out of range are shown at their nearest end', async (t) => {
  const opened = await open(t);
  const { id, config } = await make(opened, 'clock', { font_size: 99_999, color: null, timezone: '' });
  assert.deepEqual(config, { font_size: 99_999, color: null, timezone: '' });
  const { body } = await opened.site.call('GET', `/api/widgets/${id}/render`);
  assert.match(body, /"fontSize":1000/);
});

test('a config that is too large or too deep is 400, never 500', async (t) => {
  const { call } = await open(t);
  const large = await call('POST', '/api/widgets', { widget_type: 'text', name: 'x', config: { html: 'x'.repeat(600_000) } });
  assert.equal(large.status, 400);
  assert.match(large.body.error, /512 KiB/);
  const deep = `{"widget_type":"text","name":"x","config":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
  assert.equal((await call('POST', '/api/widgets', deep)).status, 400);
  assert.equal((await call('POST', '/api/widgets', { widget_type: 'text', name: 'x', config: { html: 'x'.repeat(2_000_000) } })).status, 413);
});

test('a stale edit is 412 and changes nothing', async (t) => {
  const opened = await open(t);
  const { id } = await make(opened, 'clock');
  const first = await opened.call('GET', `/api/widgets/${id}`);
  const tag = first.headers.get('etag')!;
  assert.equal((await opened.call('PUT', `/api/widgets/${id}`, { name: 'B' }, { 'If-Match': tag })).status, 200);
  assert.equal((await opened.call('PUT', `/api/widgets/${id}`, { name: 'C' }, { 'If-Match': tag })).status, 412);
  assert.equal((await opened.call('DELETE', `/api/widgets/${id}`, undefined, { 'If-Match': tag })).status, 412);
  assert.equal((await opened.call('GET', `/api/widgets/${id}`)).body.name, 'B');
});

test('widgets of another workspace do not exist, but their render page is public', async (t) => {
  const opened = await open(t);
  const { id } = await make(opened, 'clock');
  const stranger = await person(opened.site, 'stranger@store.test');
  const as = (method: string, path: string, body?: unknown) => opened.site.call(method, path, { token: stranger.token, body });
  for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) assert.equal((await as(method, `/api/widgets/${id}`, body)).status, 404);
  assert.deepEqual((await as('GET', '/api/widgets')).body, []);
  assert.equal((await opened.site.call('GET', `/api/widgets/${id}/render`)).status, 200);
  assert.equal((await opened.site.call('GET', '/api/widgets/nothing/render')).status, 404);
});

test('a viewer may look, but neither change nor preview', async (t) => {
  const { site, token } = await open(t);
  const owner = { id: '', email: 'owner@store.test', token, workspaceId: (await site.call('GET', '/api/auth/me', { token })).body.current_workspace_id };
  const viewer = await colleague(site, owner, 'viewer@store.test', 'workspace_viewer');
  const { token: viewing } = (await login(site, viewer.email)).body;
  assert.equal((await site.call('GET', '/api/widgets', { token: viewing })).status, 200);
  assert.equal((await site.call('POST', '/api/widgets', { token: viewing, body: { widget_type: 'clock', name: 'x' } })).status, 403);
  assert.equal((await site.call('POST', '/api/widgets/preview', { token: viewing, body: { widget_type: 'clock' } })).status, 403);
});

test('deleting a widget takes its items out of drafts and snapshots, orders dense, and the schedules that showed nothing else', async (t) => {
  const opened = await open(t);
  const { call, site } = opened;
  const [a, b, c] = [await make(opened, 'clock'), await make(opened, 'text'), await make(opened, 'clock')];
  const playlist = (await call('POST', '/api/playlists', { name: 'P' })).body.id as string;
  for (const { id } of [a, b, c]) assert.equal((await call('POST', `/api/playlists/${playlist}/items`, { widget_id: id })).status, 201);
  assert.equal((await call('POST', `/api/playlists/${playlist}/publish`)).status, 200);
  const group = (await call('POST', '/api/groups', { name: 'G' })).body.id as string;
  const times = { group_id: group, start_time: '2026-03-10T10:00', end_time: '2026-03-10T11:00' };
  const only = (await call('POST', '/api/schedules', { ...times, widget_id: b.id })).body.id as string;
  const both = (await call('POST', '/api/schedules', { ...times, widget_id: b.id, playlist_id: playlist })).body.id as string;
  assert.equal((await call('DELETE', `/api/widgets/${b.id}`)).status, 200);
  const { body } = await call('GET', `/api/playlists/${playlist}`);
  assert.equal(body.status, 'published');
  assert.deepEqual(
    body.items.map((item: any) => [item.widget_id, item.sort_order]),
    [
      [a.id, 0],
      [c.id, 1],
    ],
  );
  const orders = site.app.db.raw.prepare('SELECT widget_id, sort_order FROM published_items ORDER BY sort_order').all();
  assert.deepEqual(orders, [
    { widget_id: a.id, sort_order: 0 },
    { widget_id: c.id, sort_order: 1 },
  ]);
  const left = (await call('GET', '/api/schedules')).body as { id: string; widget_id: string | null }[];
  assert.deepEqual(
    left.map(({ id, widget_id }) => [id, widget_id]),
    [[both, null]],
  );
  assert.ok(!left.some(({ id }) => id === only));
});

test('every type renders to one self-contained page under a policy that lets it reach nothing', async (t) => {
  const opened = await open(t);
  for (const type of ['clock', 'weather', 'rss', 'text', 'webpage', 'social', 'directory-board', 'directory-search']) {
    const { id } = await make(opened, type);
    const { status, headers, body } = await opened.site.call('GET', `/api/widgets/${id}/render`);
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^text\/html/);
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /^sandbox allow-scripts allow-forms; default-src 'none'; script-src 'sha256-/);
    assert.doesNotMatch(policy, /allow-same-origin|unsafe-eval|connect-src|script-src[^;]*unsafe-inline/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.ok(!/<(link|base|object|embed)\b|@import|src="http|url\((?!data:)/.test(beforeScript(body)), type);
  }
});

test('what people write cannot become markup or script of the page', async (t) => {
  const opened = await open(t);
  const evil = '</script><script>alert(1)</script><img src=x onerror=alert(1)>" onload="alert(1)\u2028<!--';
  for (const [type, config] of [
    ['directory-board', { title: evil, footer_text: evil, categories: [{ name: evil, entries: [{ name: evil, identifier: evil }] }] }],
    ['directory-search', { title: evil, placeholder_text: evil }],
    ['text', { html: evil, css: `</style>${evil}` }],
    ['weather', { location: evil }],
    ['clock', { color: 'red;background:url(http://evil.test)', background: '</style><script>alert(1)</script>' }],
  ] as const) {
    const { id } = await make(opened, type, config, evil.replace('\u2028', ''));
    const { body } = await opened.site.call('GET', `/api/widgets/${id}/render`);
    assert.ok(!/<script>|<img|style="[^"]*evil|alert\(1\)<\/script>/.test(beforeScript(body)), type);
    assert.ok(body.endsWith('})();</script></body></html>\n'), type);
  }
});

test('a preview renders, stores nothing and is limited to 60 a minute', async (t) => {
  const { call, site, token } = await open(t);
  const { status, headers, body } = await call('POST', '/api/widgets/preview', { widget_type: 'directory-board', config: { title: 'Harbour House' } });
  assert.equal(status, 200);
  assert.match(headers.get('content-security-policy')!, /sandbox/);
  assert.match(body, /Harbour House/);
  assert.deepEqual((await call('GET', '/api/widgets')).body, []);
  assert.equal((await call('POST', '/api/widgets/preview', { widget_type: 'clock', config: { font_size: 'x' } })).status, 400);
  assert.equal((await site.call('POST', '/api/widgets/preview', { body: { widget_type: 'clock' } })).status, 401);
  let last = 200;
  for (let i = 0; i < 60 && last !== 429; i++) last = (await site.call('POST', '/api/widgets/preview', { token, body: { widget_type: 'clock' } })).status;
  assert.equal(last, 429);
});

test('the preview frame runs only scripts of our own pages', async (t) => {
  const { site } = await open(t);
  const { status, headers, body } = await site.call('GET', '/api/widgets/preview/frame');
  assert.equal(status, 200);
  assert.match(body, /vitrine:preview-ready/);
  assert.equal(headers.get('content-security-policy')!.match(/'sha256-/g)?.length, 10);
});

test('at a start pages of earlier runs go; what somebody else put beside them stays, and holds up nothing', async (t) => {
  const data = tempFolder(t);
  const [page, half, note, folder] = ['a'.repeat(64), `${'b'.repeat(64)}.tmp`, 'note.txt', 'folder'].map((name) => join(data, 'pages', name)) as [string, string, string, string];
  mkdirSync(folder, { recursive: true });
  for (const file of [page, half, note]) writeFileSync(file, 'x');
  await startSite(t, { data });
  assert.deepEqual([page, half, note, folder].map(existsSync), [false, false, true, true]);
});
