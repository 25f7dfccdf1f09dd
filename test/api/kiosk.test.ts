import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../people.ts';
import { openShops } from './shop.ts';

const shops = openShops();
const config = {
  title: 'Welcome',
  idle_timeout: 30,
  buttons: [{ label: 'Map', action: 'page', page: 'map' }],
  pages: [{ id: 'map', title: 'Map', buttons: [{ label: 'Back', action: 'back' }] }],
  of_another_server: true,
};

test('a kiosk page is made, read, changed and deleted; its config is an object in and out, unknown keys are kept', async (t) => {
  const { call, make, get } = await shops.open(t);
  const page = await make('/api/kiosk', { name: 'Entrance', config });
  assert.deepEqual(page.config, config);
  assert.deepEqual(await get(`/api/kiosk/${page.id}`), page);
  assert.deepEqual(
    (await get('/api/kiosk')).map((one: any) => one.id),
    [page.id],
  );
  const changed = must(await call('PUT', `/api/kiosk/${page.id}`, { name: 'Exit', config: JSON.stringify({ title: 'Bye' }) }));
  assert.deepEqual([changed.name, changed.config], ['Exit', { title: 'Bye' }]);
  assert.deepEqual(must(await call('DELETE', `/api/kiosk/${page.id}`)), { success: true });
  assert.equal((await call('GET', `/api/kiosk/${page.id}`)).status, 404);
});

test('a known key of a kiosk config of the wrong type is 400 naming it', async (t) => {
  const { call } = await shops.open(t);
  for (const [wrong, key] of [
    [{ title: 7 }, 'title'],
    [{ buttons: 'none' }, 'buttons'],
    [{ pages: {} }, 'pages'],
    [{ idle_timeout: 'soon' }, 'idle_timeout'],
  ] as const) {
    const { status, body } = await call('POST', '/api/kiosk', { name: 'K', config: wrong });
    assert.equal(status, 400, key);
    assert.ok(body.error.includes(key), body.error);
  }
});

test('a kiosk page renders for everybody as a page under a CSP with default-src and a sandbox without allow-same-origin', async (t) => {
  const { make, site } = await shops.open(t);
  const { id } = await make('/api/kiosk', { name: 'K', config });
  const { status, headers, body } = await site.call('GET', `/api/kiosk/${id}/render`);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  assert.match(String(body), /Welcome/);
  assert.match(headers.get('content-security-policy') ?? '', /default-src/);
  assert.match(headers.get('content-security-policy') ?? '', /sandbox(?!.*allow-same-origin)/);
  assert.equal((await site.call('GET', '/api/kiosk/nothing/render')).status, 404);
});
