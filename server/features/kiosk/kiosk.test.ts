import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_KIOSK_PAGES } from '../../../shared/contract/content/kiosk.ts';
import { must, person } from '../../../test/people.ts';
import { actorOf, openParts, refusedWith } from '../../../test/rows.ts';
import { nextProgram, openShops } from '../../../test/shop.ts';
import { KioskService } from './kiosk.service.ts';
import { KioskStore } from './kiosk.store.ts';

const shops = openShops();
const config = {
  title: 'Welcome',
  idle_timeout: 30,
  buttons: [{ label: 'Map', action: 'page', page: 'map' }],
  pages: [{ id: 'map', title: 'Map', buttons: [{ label: 'Back', action: 'back' }] }],
  of_another_server: true,
};

test('a kiosk page is made, read, changed and deleted, and its config keeps unknown keys', async (t) => {
  const { call, make, get } = await shops.open(t);
  const page = await make('/api/kiosk', { name: 'Entrance', config });
  assert.deepEqual(page.config, config);
  assert.deepEqual(await get(`/api/kiosk/${page.id}`), page);
  assert.deepEqual(
    (await get('/api/kiosk')).map((one: any) => one.id),
    [page.id],
  );
  const changed = must(
    await call('PUT', `/api/kiosk/${page.id}`, { name: 'Exit', config: JSON.stringify({ title: 'Bye' }) }),
  );
  assert.deepEqual([changed.name, changed.config], ['Exit', { title: 'Bye' }]);
  assert.deepEqual(must(await call('DELETE', `/api/kiosk/${page.id}`)), { success: true });
  assert.equal((await call('GET', `/api/kiosk/${page.id}`)).status, 404);
});

test('each edit raises the revision of a kiosk page by one', async (t) => {
  const { call } = await shops.open(t);
  const { body, headers } = await call('POST', '/api/kiosk', { name: 'K' });
  const revision = (of: Headers) => Number(of.get('etag')!.match(/\d+/)![0]);
  const edited = await call('PUT', `/api/kiosk/${body.id}`, { name: 'L' });
  assert.equal(revision(edited.headers), revision(headers) + 1);
});

test('a known key with a wrong type answers 400 with its name', async (t) => {
  const { call } = await shops.open(t);
  for (const [config, sentence] of [
    [{ title: 4 }, /config\.title: must be text/],
    [{ idle_timeout: '60' }, /config\.idle_timeout: must be a number/],
    [{ buttons: 'x' }, /config\.buttons: must be a list/],
    [{ buttons: [{ label: 'x', action: 'launch' }] }, /config\.buttons\.0\.action: must be url, page or back/],
    [{ buttons: [{ url: 'javascript:alert(1)' }] }, /config\.buttons\.0\.url: must be an address/],
    [{ pages: [{ id: 'a', buttons: [{ page: 7 }] }] }, /config\.pages\.0\.buttons\.0\.page: must be text/],
    [{ style: 'dark' }, /config\.style: must be an object/],
    [{ pages: {} }, /config\.pages: must be a list/],
  ] as const) {
    const { status, body } = await call('POST', '/api/kiosk', { name: 'K', config });
    assert.equal(status, 400, JSON.stringify(config));
    assert.match(body.error, sentence);
  }
});

test('a kiosk page is public, cannot call the API, and user text cannot become its markup', async (t) => {
  const { site, make } = await shops.open(t);
  const evil = '</script><script>alert(1)</script>';
  const { id } = await make('/api/kiosk', {
    name: evil,
    config: {
      title: `Welcome ${evil}`,
      buttons: [{ label: evil, icon: evil }],
      style: { background: `red}</style>${evil}`, accent: '#2f6fed' },
    },
  });
  const { status, body, headers } = await site.call('GET', `/api/kiosk/${id}/render`);
  assert.equal(status, 200);
  assert.match(headers.get('content-type')!, /^text\/html/);
  assert.match(body, /Welcome/);
  assert.ok(!body.slice(0, body.indexOf('<script>"use strict";')).includes('<script>alert'));
  assert.match(body, /style="--accent:#2f6fed"/);
  const policy = headers.get('content-security-policy')!;
  for (const part of [/default-src/, /sandbox/, /frame-src http: https:/]) assert.match(policy, part);
  assert.doesNotMatch(policy, /allow-same-origin|connect-src/);
  assert.equal((await site.call('GET', '/api/kiosk/nothing/render')).status, 404);
});

test('a webpage widget shows a kiosk page of its workspace from a stored file, and keeps every other address', async (t) => {
  const shop = await shops.open(t);
  const { site, call, make } = shop;
  const kiosk = (await make('/api/kiosk', { name: 'K', config: { title: 'Welcome' } })).id;
  const stranger = await person(site, 'stranger@store.test', { createOrg: true });
  const foreign = must(await site.call('POST', '/api/kiosk', { token: stranger.token, body: { name: 'F' } }), 201).id;
  const player = await shop.screen();
  const playlist = (await make('/api/playlists', { name: 'P' })).id;
  for (const url of [
    `/api/kiosk/${kiosk}/render`,
    `${site.origin}/api/kiosk/${kiosk}/render`,
    'http://dashboard.local/',
    `/api/kiosk/${foreign}/render`,
  ]) {
    const widget = (await make('/api/widgets', { widget_type: 'webpage', name: url, config: { url } })).id;
    await call('POST', `/api/playlists/${playlist}/items`, { widget_id: widget });
  }
  must(await call('POST', `/api/playlists/${playlist}/publish`));
  must(await call('POST', `/api/playlists/${playlist}/assign`, { device_id: player.deviceId }));
  const items = async () =>
    (await nextProgram(shop, player)).playlists[0].items as {
      kind: string;
      url: string | null;
      asset: string | null;
    }[];
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

test('a preview of a kiosk page saves nothing, and runs only its own script in the frame', async (t) => {
  const { site, call } = await shops.open(t);
  const { status, body, headers } = await call('POST', '/api/kiosk/preview', { config: { title: 'Harbour House' } });
  assert.equal(status, 200);
  assert.match(body, /Harbour House/);
  assert.match(headers.get('content-security-policy')!, /sandbox/);
  assert.deepEqual((await call('GET', '/api/kiosk')).body, []);
  assert.equal((await call('POST', '/api/kiosk/preview', { config: { title: 7 } })).status, 400);
  const frame = await site.call('GET', '/api/kiosk/preview/frame');
  assert.match(frame.body, /vitrine:preview-ready/);
  assert.equal(frame.headers.get('content-security-policy')!.match(/'sha256-/g)?.length, 2);
});

test('changes of a kiosk page are logged, announced, need its current version, and can be restored from the bin', async () => {
  const { parts, add, told } = openParts();
  const asked: unknown[] = [];
  const pictures = {
    known: (workspace: string, urls: readonly string[]) => {
      asked.push([workspace, ...urls]);
      return Object.fromEntries(urls.map((url) => [url, 'data:image/png;base64,Fetched']));
    },
  };
  const service = new KioskService({ ...parts, store: new KioskStore(parts.db), pictures });
  const [here, there] = [actorOf('here'), actorOf('there')];
  const { record, revision } = service.create(here, { name: 'Door', config: { logo_url: 'http://x.test/a.png' } });
  const { id, ...rest } = record;
  assert.deepEqual(await told(), ['kiosk.created: Door', `kiosk ${id}, no screens`]);
  assert.deepEqual(
    { ...rest, revision },
    {
      ...{ workspace_id: 'here', name: 'Door', config: { logo_url: 'http://x.test/a.png' }, revision: 1 },
      ...{ created_at: 9, updated_at: 9 },
    },
  );
  assert.deepEqual([service.list(here).length, service.list(there).length], [1, 0]);
  assert.throws(() => service.get(there, id), refusedWith(404, /^Kiosk page/));
  assert.throws(() => service.update(here, id, { name: 'No' }, '"2"'), refusedWith(412));
  assert.throws(() => service.update(here, id, { config: { title: 4 } }), refusedWith(400, /config.title/));
  assert.equal(service.update(here, id, { name: 'Lobby' }, '"1"').revision, 2);
  assert.deepEqual(await told(), ['kiosk.updated: Lobby', `kiosk ${id}, no screens`], 'screens show no name');
  assert.match(service.render(id).html, /base64,Fetched/);
  assert.deepEqual(asked, [['here', 'http://x.test/a.png']]);
  service.update(here, id, { config: {} });
  assert.deepEqual(await told(), ['kiosk.updated: Lobby', `kiosk ${id}`]);
  assert.throws(() => service.preview(here, { title: 4 }), refusedWith(400, /config.title/));
  const { html } = service.preview(here, {});
  assert.doesNotMatch(html, /Fetched|id="data"|"reload"/);
  assert.match(html, /"now":9000,"hints":true/, 'it counts from the server’s time, and says what it lacks');
  const deep = JSON.parse(`${'{"x":'.repeat(99)}1${'}'.repeat(99)}`);
  for (const make of [() => service.create(here, { name: 'No', config: deep }), () => service.preview(here, deep)])
    assert.throws(make, refusedWith(400, /^config: must not be nested/));
  assert.throws(() => service.delete(here, id, '"1"'), refusedWith(412));
  service.delete(here, id, '"3"');
  assert.deepEqual(await told(), ['kept kiosk Lobby', 'kiosk.deleted: Lobby', `kiosk ${id}`]);
  assert.throws(() => service.render(id), refusedWith(404));
  add('kiosk_pages', ...Array.from({ length: MAX_KIOSK_PAGES - 1 }, (_, nth) => ({ id: `${nth}` })));
  service.create(here, { name: 'Last' });
  assert.throws(() => service.create(here, { name: 'One more' }), refusedWith(400, /at most 2000/));
});
