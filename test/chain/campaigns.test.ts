/** Campaigns from headquarters to screens of real stores: preview, download, start on time, withdrawal. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../server/kernel/time/clock.ts';
import { sha256 } from '../../server/store-link/testing/file-server.ts';
import { designFile } from '../designs.ts';
import { must } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { campaignOf, openShowing, playlistOf, shows, WAIT_MS } from './campaign-rig.ts';
import { CutLine } from './cut-line.ts';
import { enrol, openHq, openStore } from './rig.ts';

test('campaign with a slot (a place that the store fills) is previewed, sent, shown, filled, rolled back and ended', async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const north = await enrol(hq, mill, { name: 'Mill', region: 'North' });
  await enrol(hq, dock, { name: 'Dock', region: 'South' });
  const screens = [await openShowing(t, mill), await openShowing(t, dock)] as const;
  const own = await playlistOf(mill, 'Bread', '#00aa00');
  must(await mill.call('POST', `/api/playlists/${own.playlist}/assign`, { device_id: screens[0].deviceId }));
  await shows(screens[0], ['Bread.jpg']);

  const star = await playlistOf(hq, 'Star', '#aa0000');
  const slot = {
    name: 'Offer of the bakery',
    max_items: 1,
    max_seconds: 20,
    kinds: ['image' as const],
    after: 1,
    content_id: null,
  };
  const { id } = must(
    await hq.call(
      'POST',
      '/api/campaigns',
      campaignOf({ playlist_id: star.playlist, slots: [slot], where: { regions: ['North'], tags: [], store_ids: [] } }),
    ),
    201,
  );
  must(await hq.call('POST', `/api/campaigns/${id}/dry-run`), 201);
  const run = await until('the stores have answered', WAIT_MS, async () => {
    const found = await hq.get(`/api/campaigns/${id}/dry-run`);
    return found.state === 'done' && found;
  });
  assert.deepEqual(
    [run.stores, run.answered, run.meant, run.changes, run.hidden],
    [1, 1, 1, 1, [{ what: 'playlist', name: 'Bread', screens: 1, stores: 1 }]],
  );
  assert.deepEqual(screens[0].shown(), ['Bread.jpg'], 'nothing was changed');

  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await shows(screens[0], ['Star.jpg']);
  const phases = async () => (await hq.get(`/api/campaigns/${id}`)).phases;
  await until('headquarters knows', WAIT_MS, async () => (await phases()).showing === 1);
  assert.deepEqual(screens[1].shown(), [], 'the other region has none of it');

  const [{ id: slotId }] = (await mill.get('/api/chain/campaigns'))[0].slots;
  must(await mill.call('PUT', `/api/chain/slots/${slotId}`, { playlist_id: own.playlist }));
  await shows(screens[0], ['Bread.jpg', 'Star.jpg']);
  const [held] = (await mill.get('/api/chain/records')).filter(({ kind }: { kind: string }) => kind === 'playlists');
  const refused = await mill.call('PUT', `/api/playlists/${held.id}`, { name: 'Mine' });
  assert.equal(refused.status, 423);
  assert.match(refused.body.error, /headquarters.*Advent/);

  const tree = await playlistOf(hq, 'Tree', '#0000aa');
  must(await hq.call('PUT', `/api/campaigns/${id}`, { playlist_id: tree.playlist }));
  assert.equal((await hq.get(`/api/campaigns/${id}`)).is_changed, true);
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await shows(screens[0], ['Bread.jpg', 'Tree.jpg']);
  must(await hq.call('POST', `/api/campaigns/${id}/roll-back`, { edition: 1 }));
  await shows(screens[0], ['Bread.jpg', 'Star.jpg']);
  must(await hq.call('POST', `/api/campaigns/${id}/stop`));
  await shows(screens[0], ['Bread.jpg']);
  assert.deepEqual(await mill.get('/api/chain/records'), []);
  assert.equal((await hq.get(`/api/stores/${north}`)).incidents, 0);
});

test('store without connection keeps showing its campaigns, and gets the newest state when the connection is back', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const line = await CutLine.open(hq.httpsPort);
  t.after(() => line.close());
  await enrol({ ...hq, httpsPort: line.port }, mill, { name: 'Mill' });
  const screen = await openShowing(t, mill);
  const star = await playlistOf(hq, 'Star', '#aa0000');
  const { id } = must(await hq.call('POST', '/api/campaigns', campaignOf({ playlist_id: star.playlist })), 201);
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await shows(screen, ['Star.jpg']);
  line.isCut = true;
  line.break();
  for (const [name, color] of [
    ['Tree', '#0000aa'],
    ['Bell', '#aaaa00'],
  ] as const) {
    const { playlist } = await playlistOf(hq, name, color);
    must(await hq.call('PUT', `/api/campaigns/${id}`, { playlist_id: playlist }));
    must(await hq.call('POST', `/api/campaigns/${id}/start`));
  }
  assert.deepEqual(screen.shown(), ['Star.jpg']);
  line.isCut = false;
  mill.site.app.chain.hurry();
  await shows(screen, ['Bell.jpg']);
  assert.deepEqual(
    (await mill.get('/api/content')).map(({ filename }: { filename: string }) => filename),
    ['Bell.jpg'],
    'what lies between never came',
  );
});

test('store refuses a file with a wrong hash and both sides report this, until the right file arrives', async (t) => {
  const hq = await openHq(t);
  let passed = 0;
  const clock = { now: () => systemClock.now() + passed, mono: () => systemClock.mono() + passed };
  const mill = await openStore(t, { clock });
  const id = await enrol(hq, mill, { name: 'Mill' });
  const screen = await openShowing(t, mill);
  const star = await playlistOf(hq, 'Star', '#aa0000');
  const { id: campaign } = must(
    await hq.call('POST', '/api/campaigns', campaignOf({ playlist_id: star.playlist })),
    201,
  );
  must(await hq.call('POST', `/api/campaigns/${campaign}/start`));
  await shows(screen, ['Star.jpg']);

  const tree = await playlistOf(hq, 'Tree', '#0000aa');
  const hash = sha256(await jpegOf('#0000aa'));
  const path = join(hq.site.data, 'media', hash.slice(0, 2), hash);
  const right = readFileSync(path);
  const wrong = Buffer.from(right);
  wrong[7]! ^= 1;
  writeFileSync(path, wrong);
  must(await hq.call('PUT', `/api/campaigns/${campaign}`, { playlist_id: tree.playlist }));
  must(await hq.call('POST', `/api/campaigns/${campaign}/start`));
  const sentence =
    'The campaign Advent cannot be shown. A file of the campaign cannot be fetched: the received data does not match the checksum from headquarters.';
  const told = (incidents: { kind: string; details: string }[]) =>
    incidents.map(({ kind, details }) => [kind, details]);
  await until('headquarters hears of it', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    return (await hq.get(`/api/stores/${id}`)).incidents === 1;
  });
  for (const incidents of [(await mill.get('/api/chain')).link.incidents, await hq.get(`/api/stores/${id}/incidents`)])
    assert.deepEqual(told(incidents), [['campaign_refused', sentence]]);
  assert.ok((await hq.get(`/api/stores/${id}`)).troubles.includes('incidents'));
  assert.deepEqual(screen.shown(), ['Star.jpg']);
  const names = async () => (await mill.get('/api/content')).map(({ filename }: { filename: string }) => filename);
  assert.deepEqual(await names(), ['Star.jpg'], 'nothing of it is left');

  writeFileSync(path, right);
  passed = 3_600_000;
  await until('it has come', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    return (await names()).join() === 'Tree.jpg';
  });
  // Opens another screen, because the test has set the clock of the store forward by an hour.
  await shows(await openShowing(t, mill), ['Tree.jpg']);
});

test('campaign brings a design with its pictures to a store, where usage names the design and a new picture follows', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  await enrol(hq, mill, { name: 'Mill' });
  const screen = await openShowing(t, mill);
  const put = async (bytes: Buffer, name: string, id?: string) =>
    must(
      await upload(
        hq.site,
        hq.owner.token,
        bytes,
        name,
        id ? { method: 'PUT', path: `/api/content/${id}/replace` } : {},
      ),
      id ? 200 : 201,
    );
  const photo = await put(await jpegOf('#aa0000'), 'Cake.jpg');
  const menu = await put(designFile([photo.id]), 'Menu');
  const { id: playlist } = must(await hq.call('POST', '/api/playlists', { name: 'Menus' }), 201);
  must(await hq.call('POST', `/api/playlists/${playlist}/items`, { content_id: menu.id }), 201);
  must(await hq.call('POST', `/api/playlists/${playlist}/publish`));
  const { id } = must(await hq.call('POST', '/api/campaigns', campaignOf({ playlist_id: playlist })), 201);
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await shows(screen, ['Menu']);
  const files = async () => {
    const { program } = await mill.get(`/api/devices/${screen.deviceId}/program`);
    return program.playlists.flatMap(({ items }: any) => items)[0].files;
  };
  assert.deepEqual(await files(), { [photo.id]: photo.sha256 });
  const { designs, screens } = await mill.get(`/api/content/${photo.id}/usage`);
  assert.deepEqual([designs, screens.length], [[{ id: menu.id, name: 'Menu' }], 1]);

  const other = await put(await jpegOf('#00aa00'), 'Cake.jpg', photo.id);
  assert.equal((await hq.get(`/api/campaigns/${id}`)).is_changed, true);
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await until('the store shows the new picture', WAIT_MS, async () => (await files())[photo.id] === other.sha256);
});
