/** Messages on screens: sent from any page with a few clicks, and withdrawn with one click. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';
import { holdFiles } from './hosts/dropped-files.ts';
import { handsOn } from './hosts/klm.ts';
import { isColour, pixelsOf } from './hosts/pixels.ts';

const PATIENCE_MS = 20_000;
const NOTICE = [22, 48, 92] as const;
const DROPPED = [30, 60, 210] as const;

/** Opens a browser page that becomes a screen of the shop. */
const browserScreen = async ({ context, site, call }: Awaited<ReturnType<typeof openShop>>, name: string) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 800, height: 450 });
  await page.goto(`${site.origin}/player/`);
  const code = (await page.locator('.code').getAttribute('aria-label', { timeout: PATIENCE_MS })) ?? '';
  const { id } = await call('POST', '/api/devices/pair', { code, name }, 201);
  await until('it is online', PATIENCE_MS, async () => (await call('GET', `/api/devices/${id}`)).status === 'online');
  return { page, id };
};
const sees = (page: Page, colour: readonly [number, number, number], y: number) =>
  until(`the colour ${colour}`, PATIENCE_MS, async () => isColour(await pixelsOf(page), 0.02, y, colour));
const words = (screen: Page) => screen.locator('.pip iframe').contentFrame();

test('text message reaches every screen with two clicks, and one click withdraws it', {
  timeout: 150_000,
}, async (t) => {
  const shop = await openShop(t);
  const { page, go, screen, call, addPicture } = shop;
  const window = await browserScreen(shop, 'Window');
  const away = await screen('Cellar');
  away.client.socket.terminate();
  await until(
    'it is offline',
    PATIENCE_MS,
    async () => (await call('GET', `/api/devices/${away.deviceId}`)).status === 'offline',
  );
  await go('/playlists');
  await page.bringToFront();

  const hands = handsOn(page);
  await hands.click(page.getByRole('button', { name: 'Message now' }).first());
  const dialog = page.getByRole('dialog');
  await hands.type(dialog.getByLabel('Headline'), 'Till 2 is open');
  await hands.click(dialog.getByRole('button', { name: 'Show now' }));
  await dialog.getByText('On 1 of 2 screens', { exact: true }).waitFor();
  const effort = hands.effort();
  t.diagnostic(`a message to all screens: ${JSON.stringify(effort)}`);
  assert.ok(effort.clicks <= 5 && effort.seconds <= 15, JSON.stringify(effort));
  await dialog.getByText(/1 offline/).waitFor();
  await dialog.getByText('Cellar').waitFor();
  await words(window.page).getByText('Till 2 is open').waitFor();
  await sees(window.page, NOTICE, 0.9);
  await assertAccessible(page);

  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByText('Withdrawn; was on 1 of 2 screens').waitFor();
  await window.page.locator('.pip').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Done' }).click();

  // Sends a picture of the library to one screen, from the page of all messages.
  await addPicture('Sale.jpg');
  await go('/overlay');
  await page.getByRole('button', { name: 'New message' }).click();
  await dialog.getByRole('button', { name: 'Show an image instead' }).click();
  await page.getByRole('dialog').last().getByText('Sale.jpg').click();
  await dialog.getByText('Sale.jpg').waitFor();
  const dropped = { name: 'Dropped.jpg', type: 'image/jpeg', bytes: await jpegOf('#1e3cd2') };
  await (await holdFiles(page, '[role=dialog]', [dropped], 'Drop an image')).drop();
  await dialog.getByText('Dropped.jpg').waitFor();
  await dialog.getByRole('button', { name: 'Remove All screens' }).click();
  await dialog.getByRole('combobox', { name: 'Screens' }).fill('wind');
  await page.getByRole('option', { name: /Window/ }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Remove Window' }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Show now' }).click();
  await dialog.getByText('On 1 of 1 screen', { exact: true }).waitFor();
  await sees(window.page, DROPPED, 0.5);
  assert.deepEqual(
    (await call('GET', '/api/content')).map(({ filename }: { filename: string }) => filename).toSorted(),
    ['Dropped.jpg', 'Sale.jpg'],
  );
  await dialog.getByRole('button', { name: 'Done' }).click();

  // One click withdraws a current message, and one click repeats a past message. Without the server, a message stays
  // until it expires.
  await page.getByRole('button', { name: 'Withdraw: Image' }).click();
  await page.getByText('No screen shows a message.').waitFor();
  await page.getByRole('button', { name: 'Show again: Till 2 is open' }).click();
  await page.getByText('On 1 of 2 screens', { exact: true }).waitFor();
  await words(window.page).getByText('Till 2 is open').waitFor();
  await assertAccessible(page);
  await page.context().addInitScript(() => localStorage.setItem('vitrine.language', 'de'));
  await page.setViewportSize({ width: 390, height: 800 });
  await page.reload();
  await page.getByText('Auf 1 von 2 Bildschirmen', { exact: true }).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(wide, 390);

  await shop.site.app.stop();
  await sees(window.page, NOTICE, 0.9);
});

test('overlay of another system is sent by its address, its arrival is shown, and the overlay is cleared', {
  timeout: 150_000,
}, async (t) => {
  const { screen, page, go } = await openShop(t);
  const player = await screen('Till');
  await go('/overlay');
  await page.getByText('Web page or image from an address').click();
  await page.getByLabel('Address').fill('http://till.test/call.png');
  await page.getByLabel('Title', { exact: true }).fill('Till 2 is open');
  await page.getByRole('combobox', { name: 'Screens' }).fill('till');
  await page.getByRole('option', { name: /Till/ }).click();
  await page.keyboard.press('Escape');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Show now' }).click();
  const pip = await player.client.next('device:pip-show');
  assert.deepEqual(
    [pip['title'], pip['uri'], pip['position'], pip['duration']],
    ['Till 2 is open', 'http://till.test/call.png', 'top-right', 60],
  );
  player.client.say({ type: 'overlay.result', pip_id: pip['pip_id'], status: 'shown' });
  await page.getByText('The screen confirms that it is visible.').waitFor();
  await page.getByRole('button', { name: /^Remove from Till/ }).click();
  assert.equal((await player.client.next('device:pip-clear'))['pip_id'], pip['pip_id']);
  player.client.say({ type: 'overlay.result', pip_id: pip['pip_id'], status: 'cleared' });
  await page.getByText('The overlay is removed.').waitFor();
});

test('screens page names an active alarm, withdraws the alarm after one question, and shows it again on undo', {
  timeout: 150_000,
}, async (t) => {
  const shop = await openShop(t);
  const { page, go, call } = shop;
  const window = await browserScreen(shop, 'Window');
  await call('POST', '/api/messages', { template: 'notice', title: 'Till 2 is open', targets: [{ kind: 'all' }] }, 201);
  await call('POST', '/api/messages', { template: 'alarm', title: 'Please leave', targets: [{ kind: 'all' }] }, 201);
  await page.bringToFront();
  await go('/screens');
  const notice = page.getByRole('alert').filter({ hasText: 'Alarm on screens: Please leave' });
  await notice.getByText(/^On 1 of 1 screen · since .+ · Owner$/).waitFor();
  assert.equal(await page.getByText('Till 2 is open').count(), 0, 'a notice is no alarm');
  await assertAccessible(page);
  await page.screenshot({ path: 'test-artefacts/pages/screens-alarm.png' });

  await notice.getByRole('button', { name: 'Withdraw' }).click();
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await question.getByText('Withdraw the alarm “Please leave”?').waitFor();
  await assertAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await words(window.page).getByText('Please leave').count(), 1);
  await notice.getByRole('button', { name: 'Withdraw' }).click();
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Alarm withdrawn').waitFor();
  await notice.waitFor({ state: 'detached' });
  await window.page.locator('.pip').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Undo' }).click();
  await notice.waitFor();
  await words(window.page).getByText('Please leave').waitFor();

  await page.setViewportSize({ width: 360, height: 740 });
  await page.screenshot({ path: 'test-artefacts/pages/screens-alarm-360.png' });
});
