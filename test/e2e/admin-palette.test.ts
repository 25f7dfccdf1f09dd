/** The command palette, and the link in the QR code of a waiting screen. */
// Suite: window
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { connectPlayer, DEVICE, hashOf } from '../player-client.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';

/** Waits until the document has the title of the page. */
const titled = (page: Page, title: string) => page.waitForFunction((wanted) => document.title === wanted, title);

test('Ctrl+K finds records by name and pages, with the keyboard alone, and loses no letter', {
  timeout: 150_000,
}, async (t) => {
  const { screen, publish, call, page, go } = await openShop(t);
  const player = await screen('Window left');
  const playlist = await publish('Wintér');
  await go('/content');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const goTo = async (typed: string, found: string) => {
    // Types immediately: the first time, the code of the palette is not loaded yet.
    await page.keyboard.press('Control+k');
    await page.keyboard.type(typed);
    await page.getByRole('menuitem', { name: found }).and(page.locator('[data-focused]')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
  };
  await goTo('left', 'Window left');
  await page.getByRole('heading', { name: 'Window left', level: 1 }).waitFor();
  assert.ok(page.url().endsWith(`/screens/${player.deviceId}`));
  await goTo('winter', 'Wintér');
  await page.waitForURL(`**/playlists/${playlist.id}`);
  const group = await call('POST', '/api/groups', { name: 'Ground floor' }, 201);
  await goTo('floor', 'Ground floor');
  await page.waitForURL(`**/groups/${group.id}`);
  const widget = await call('POST', '/api/widgets', { widget_type: 'clock', name: 'Big clock', config: {} }, 201);
  await goTo('big', 'Big clock');
  await page.waitForURL(`**/widgets/${widget.id}`);
  await goTo('owner@', 'Owner');
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  await goTo('activ', 'Activity');
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  await titled(page, 'Activity · Vitrine');
  await goTo('backups', 'Backups');
  await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor();
  await titled(page, 'Backups · Vitrine');
  await goTo('retention', 'Data retention');
  await titled(page, 'Data retention · Server · Vitrine');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('transition');
  await page.getByRole('link', { name: 'Search the handbook for “transition”' }).click();
  await page.getByRole('searchbox', { name: 'Search the handbook' }).waitFor();
  assert.equal(await page.getByRole('searchbox', { name: 'Search the handbook' }).inputValue(), 'transition');
  await page.keyboard.press('Control+k');
  await page.getByRole('menuitem').first().waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
});

test('link of a waiting screen survives signing in, and claims the screen only after a question', {
  timeout: 150_000,
}, async (t) => {
  const { site, call, page, go, signIn } = await openShop(t);
  const player = await connectPlayer(t, site);
  player.say({ type: 'hello', protocol: 1, secret_hash: hashOf(randomBytes(32).toString('hex')), device: DEVICE });
  const { code } = await player.next('pairing');
  await signIn(null);
  await go(`/screens?claim=${code}`);
  await titled(page, 'Sign in · Vitrine');
  await page.getByLabel('E-mail').fill('owner@store.test');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a screen' });
  assert.equal(await dialog.getByLabel('Code').inputValue(), code);
  assert.deepEqual(await call('GET', '/api/devices'), [], 'nothing is claimed by opening a link');
  await dialog.getByLabel('Name of the screen').fill('Entrance');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Entrance is connected').waitFor();
  await dialog.waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), /claim/);
  assert.equal((await call('GET', '/api/devices'))[0].name, 'Entrance');
});
