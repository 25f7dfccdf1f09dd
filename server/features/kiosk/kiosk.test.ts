import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { firstUser, startSite } from '../../../test/harness.ts';
import { person } from '../../../test/people.ts';
import { pairPlayer } from '../../../test/player-client.ts';

const open = async (t: TestContext) => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => site.call(method, path, { token, body, ...(headers && { headers }) });
  return { site, token, call };
};

test('a stale edit of a kiosk page is 412', async (t) => {
  const { call } = await open(t);
  const { body, headers } = await call('POST', '/api/kiosk', { name: 'K', config: { title: 'A' } });
  const match = { 'If-Match': headers.get('etag')! };
  assert.equal((await call('PUT', `/api/kiosk/${body.id}`, { name: 'L' }, match)).status, 200);
  assert.equal((await call('PUT', `/api/kiosk/${body.id}`, { name: 'M' }, match)).status, 412);
  assert.equal((await call('DELETE', `/api/kiosk/${body.id}`, undefined, match)).status, 412);
});

test('a known key of the wrong type is 400 naming it', async (t) => {
  const { call } = await open(t);
  for (const [config, sentence] of [
    [{ title: 4 }, /config\.title: must be text/],
    [{ idle_timeout: '60' }, /config\.idle_timeout: must be a number/],
    [{ buttons: 'x' }, /config\.buttons: must be a list/],
    [{ buttons: [{ label: 'x', action: 'launch' }] }, /config\.buttons\.0\.action: must be url, page or back/],
    [{ buttons: [{ url: 'javascript:alert(1)' }] }, /config\.buttons\.0\.url: must be an address/],
    [{ pages: [{ id: 'a', buttons: [{ page: 7 }] }] }, /config\.pages\.0\.buttons\.0\.page: must be text/],
    [{ style: 'dark' }, /config\.style: must be an object/],
  ] as const) {
    const { status, body } = await call('POST', '/api/kiosk', { name: 'K', config });
    assert.equal(status, 400, JSON.stringify(config));
    assert.match(body.error, sentence);
  }
});

test('kiosk pages of another workspace do not exist, but their page is public', async (t) => {
  const { site, call } = await open(t);
  const { id } = (await call('POST', '/api/kiosk', { name: 'K' })).body;
  const stranger = await person(site, 'stranger@store.test');
  for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const)
    assert.equal((await site.call(method, `/api/kiosk/${id}`, { token: stranger.token, body })).status, 404);
  assert.equal((await site.call('GET', `/api/kiosk/${id}/render`)).status, 200);
});

test('what people write cannot become markup of the page, and the page may frame but reach nothing of the API', async (t) => {
  const { site, call } = await open(t);
  const evil = '</script><script>alert(1)</script>';
  const { id } = (
    await call('POST', '/api/kiosk', {
      name: evil,
      config: { title: evil, buttons: [{ label: evil, icon: evil }], style: { background: `red}</style>${evil}`, accent: '#2f6fed' } },
    })
  ).body;
  const { body, headers } = await site.call('GET', `/api/kiosk/${id}/render`);
  assert.ok(!body.slice(0, body.indexOf('<script>(() => {')).includes('<script>alert'));
  assert.match(body, /style="--accent:#2f6fed"/);
  const policy = headers.get('content-security-policy')!;
  assert.match(policy, /frame-src http: https:/);
  assert.doesNotMatch(policy, /allow-same-origin|connect-src/);
});

test('a webpage widget that names a kiosk page of its workspace plays it as a page of ours, any other address as it is', async (t) => {
  const { site, token, call } = await open(t);
  const kiosk = (await call('POST', '/api/kiosk', { name: 'K', config: { title: 'Welcome' } })).body.id;
  const stranger = await person(site, 'stranger@store.test');
  const foreign = (await site.call('POST', '/api/kiosk', { token: stranger.token, body: { name: 'F' } })).body.id;
  const player = await pairPlayer(t, site, token);
  const playlist = (await call('POST', '/api/playlists', { name: 'P' })).body.id;
  for (const url of [`/api/kiosk/${kiosk}/render`, `${site.origin}/api/kiosk/${kiosk}/render`, 'http://dashboard.local/', `/api/kiosk/${foreign}/render`]) {
    const widget = (await call('POST', '/api/widgets', { widget_type: 'webpage', name: url, config: { url } })).body.id;
    await call('POST', `/api/playlists/${playlist}/items`, { widget_id: widget });
  }
  await call('POST', `/api/playlists/${playlist}/publish`);
  await call('POST', `/api/playlists/${playlist}/assign`, { device_id: player.deviceId });
  const items = async () => {
    const { url } = (await player.client.next('program')) as any;
    const program: any = await (await fetch(`${site.origin}${url}`, { headers: { Authorization: `Bearer ${player.credential}` } })).json();
    return program.playlists[0].items as { kind: string; url: string | null; asset: string | null }[];
  };
  const before = await items();
  assert.deepEqual(
    before.map(({ kind, url }) => [kind, url]),
    [
      ['kiosk', null],
      ['kiosk', null],
      ['web', 'http://dashboard.local/'],
    ],
  );
  await call('PUT', `/api/kiosk/${kiosk}`, { config: { title: 'Goodbye' } });
  const after = await items();
  assert.notEqual(after[0]!.asset, before[0]!.asset);
});

test('a kiosk page is previewed without being stored, in a frame that runs only its own script', async (t) => {
  const { site, call } = await open(t);
  const { status, body, headers } = await call('POST', '/api/kiosk/preview', { config: { title: 'Harbour House' } });
  assert.equal(status, 200);
  assert.match(body, /Harbour House/);
  assert.match(headers.get('content-security-policy')!, /sandbox/);
  assert.deepEqual((await call('GET', '/api/kiosk')).body, []);
  assert.equal((await call('POST', '/api/kiosk/preview', { config: { title: 7 } })).status, 400);
  assert.equal((await site.call('POST', '/api/kiosk/preview', { body: {} })).status, 401);
  const frame = await site.call('GET', '/api/kiosk/preview/frame');
  assert.match(frame.body, /vitrine:preview-ready/);
  assert.equal(frame.headers.get('content-security-policy')!.match(/'sha256-/g)?.length, 2);
});
