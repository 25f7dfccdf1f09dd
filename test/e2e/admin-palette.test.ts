/** Going anywhere from the keyboard, and the link in the QR of a waiting screen. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { firstUser, startSite } from '../harness.ts';
import { connectPlayer, DEVICE, hashOf, pairPlayer } from '../player-client.ts';
import { assertAccessible, openAdmin } from './hosts/admin-window.ts';

/** Waits until the document is called after the place. */
const titled = (page: Page, title: string) => page.waitForFunction((wanted) => document.title === wanted, title);

test('Ctrl+K finds a screen, a playlist and a place with the keyboard alone', { timeout: 150_000 }, async (t) => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const player = await pairPlayer(t, site, token, 'Window left');
  const { body: playlist } = await site.call('POST', '/api/playlists', { token, body: { name: 'Wintér' } });
  const { page, go } = await openAdmin(t, site, token);
  await go('/content');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const goTo = async (typed: string, found: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('menuitem', { name: found }).and(page.locator('[data-focused]')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' });
  };
  await goTo('left', 'Window left');
  await page.getByRole('heading', { name: 'Window left', level: 1 }).waitFor();
  assert.ok(page.url().endsWith(`/screens/${player.deviceId}`));
  await goTo('winter', 'Wintér');
  await page.waitForURL(`**/playlists/${playlist.id}`);
  await goTo('activ', 'Activity');
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  await titled(page, 'Activity · Vitrine');
  await page.keyboard.press('Control+k');
  await page.getByRole('menuitem').first().waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' });
});

test('the link of a waiting screen survives signing in, asks, and only then claims', {
  timeout: 150_000,
}, async (t) => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const player = await connectPlayer(t, site);
  player.say({ type: 'hello', protocol: 1, secret_hash: hashOf(randomBytes(32).toString('hex')), device: DEVICE });
  const { code } = await player.next('pairing');
  const { page, go } = await openAdmin(t, site, null);
  await go(`/screens?claim=${code}`);
  await titled(page, 'Sign in · Vitrine');
  await page.getByLabel('E-mail').fill('owner@store.test');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a screen' });
  assert.equal(await dialog.getByLabel('Code').inputValue(), code);
  assert.equal(
    (await site.call('GET', '/api/devices', { token })).body.length,
    0,
    'nothing is claimed by opening a link',
  );
  await dialog.getByLabel('Name of the screen').fill('Entrance');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Entrance is connected').waitFor();
  await dialog.waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), /claim/);
  assert.equal((await site.call('GET', '/api/devices', { token })).body[0].name, 'Entrance');
});
