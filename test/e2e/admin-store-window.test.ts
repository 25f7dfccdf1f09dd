/**
 * The admin window of a store, opened at headquarters in a real browser: records of the store are shown, changed and
 * uploaded, as far as the store permits.
 */
// Suite: window
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { enrol, openHq, openScreen, openStore } from '../chain/rig.ts';
import { tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, chooseFiles, openAdmin } from './hosts/admin-window.ts';

const WAIT_MS = 20_000;

test('headquarters opens a store, sees its screens live and uploads a picture, until the store withdraws the right', {
  timeout: 180_000,
}, async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  await openScreen(t, mill, 'Till');
  must(await upload(mill.site, mill.owner.token, await jpegOf('#0a7a3c'), 'Bread.jpg'), 201);
  const id = await enrol(hq, mill, { name: 'Mill', region: 'North' });
  await until('the store is up', WAIT_MS, async () => (await hq.get(`/api/stores/${id}`)).line === 'up');

  const { page, context, go } = await openAdmin(t, hq.site, hq.owner.token);
  await go(`/stores/${id}`);
  const [store] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open its window' }).click(),
  ]);
  await store.getByText('Till').first().waitFor();
  await store.getByText(/You administer this store as/).waitFor();
  assert.match(await store.title(), /Mill/);
  await assertAccessible(store);

  // A change in the store appears at once: the store's live socket is forwarded to headquarters.
  must(await mill.call('POST', '/api/playlists', { name: 'Morning' }), 201);
  await store.getByRole('link', { name: 'Playlists' }).first().click();
  await store.getByText('Morning').first().waitFor();
  must(await mill.call('POST', '/api/playlists', { name: 'Evening' }), 201);
  await store.getByText('Evening').first().waitFor();

  // A picture of the store is shown, and another picture is uploaded.
  await store.getByRole('link', { name: 'Content' }).first().click();
  const picture = store.locator('img[src^="blob:"]').first();
  await picture.waitFor();
  const drawn = 'document.querySelector(\'img[src^="blob:"]\').naturalWidth';
  assert.ok(((await store.evaluate(drawn)) as number) > 0);
  const file = join(tempFolder(t), 'Autumn.jpg');
  writeFileSync(file, await jpegOf('#aa3300'));
  await chooseFiles(store.getByRole('button', { name: 'Upload files' }).first(), file);
  await until('the store has it', WAIT_MS, async () =>
    JSON.stringify(await mill.get('/api/content')).includes('Autumn.jpg'),
  );
  await store.getByText('Autumn.jpg').first().waitFor();
  await assertAccessible(store);
  const [{ user_name }] = (await mill.get('/api/activity')).filter(
    ({ details }: { details: string }) => details === 'Autumn.jpg',
  );
  assert.match(user_name, / \(.+\)$/);

  // Visitors from headquarters cannot open pages about accounts, members, tokens and the connection. The address of
  // such a page shows a sentence instead.
  const refused: string[] = [];
  store.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await store.getByRole('link', { name: 'Settings' }).first().click();
  const tabs = store.getByRole('navigation', { name: 'Settings' });
  await tabs.getByRole('link', { name: 'Workspaces' }).waitFor();
  await store.getByRole('heading', { name: 'Workspaces' }).waitFor();
  assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), ['Workspaces', 'Brand', 'Bin', 'Help', 'About']);
  assert.equal(await store.getByRole('button', { name: /Rename|Delete|New workspace/ }).count(), 0);
  for (const [path, says] of [
    ['people', 'Visitors from headquarters cannot change members'],
    ['tokens', 'Visitors from headquarters cannot see, create or revoke tokens'],
    ['headquarters', 'Visitors from headquarters cannot change the connection'],
  ] as const) {
    await store.evaluate((to) => {
      location.hash = `#/settings/${to}`;
    }, path);
    await store.getByText(says).waitFor();
  }
  await store.evaluate(() => {
    location.hash = '#/account';
  });
  await store.getByText('Visitors from headquarters cannot see or change accounts').waitFor();
  await assertAccessible(store);
  assert.deepEqual(refused, []);
  await store.getByRole('link', { name: 'Content' }).first().click();
  await store.getByText('Autumn.jpg').first().waitFor();

  // The store permits only reading, and later no access at all.
  must(await mill.call('PUT', '/api/chain', { may: 'workspace_viewer' }));
  await store.reload();
  await store.getByText(/You view this store as/).waitFor();
  await store.getByText('Autumn.jpg').first().waitFor();
  assert.equal(await store.getByRole('button', { name: 'Upload files' }).count(), 0);
  must(await mill.call('PUT', '/api/chain', { may: null }));
  await store.reload();
  await store.getByText('This store does not allow visitors from headquarters.').waitFor();
  must(await mill.call('PUT', '/api/chain', { may: 'workspace_editor' }));
  await store.reload();
  await store.getByText(/You edit in this store as/).waitFor();

  for (const width of [390, 2560]) {
    await store.setViewportSize({ width, height: 900 });
    await store.getByText(/You edit in this store as/).waitFor();
    assert.ok(
      await store.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1'),
      `${width} px`,
    );
  }

  // A user who signs out at headquarters leaves the store, and returns to headquarters' sign-in page.
  must(await hq.call('POST', '/api/auth/logout'));
  await store.waitForURL(/\/#\//);
  await store.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
});
