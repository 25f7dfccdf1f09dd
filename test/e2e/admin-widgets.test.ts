/** Widgets and kiosk pages in the admin window: create and preview; checked with the API and a player. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PairedPlayer } from '../player-client.ts';
import { nextProgram, type Shop } from '../shop.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';

/** Returns the items of the first program that is not empty. The program before the publish is empty. */
const publishedItems = async (shop: Pick<Shop, 'site'>, player: PairedPlayer) => {
  for (;;) {
    const program = await nextProgram(shop, player);
    const items = program.playlists.flatMap((playlist: { items: { kind: string }[] }) => playlist.items) as {
      kind: string;
    }[];
    if (items.length > 0) return items;
  }
};

test('text widget is written, previewed, put into a playlist and reaches the screen', {
  timeout: 150_000,
}, async (t) => {
  const { site, page, go, call, publish, assign, screen } = await openShop(t);
  const player = await screen('Till');
  const { id: playlist } = await publish('Window');
  await assign(playlist, player.deviceId);
  await go('/widgets');
  await page.getByRole('button', { name: 'New widget' }).click();
  await page.getByRole('button', { name: /^Text/ }).click();
  await page.getByLabel('Text', { exact: true }).fill('<h1>Closed on Monday</h1>');
  await page
    .getByRole('region', { name: 'Preview' })
    .locator('iframe')
    .last()
    .contentFrame()
    .locator('iframe')
    .contentFrame()
    .getByText('Closed on Monday')
    .waitFor();
  assert.doesNotMatch((await call('GET', '/api/widgets'))[0].config.html, /Monday/);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The screens change at once.').waitFor();
  assert.equal((await call('GET', '/api/widgets'))[0].config.html, '<h1>Closed on Monday</h1>');
  await page.getByRole('button', { name: 'Add to playlist' }).click();
  await page.getByRole('combobox', { name: 'Playlist' }).fill('win');
  await page.getByRole('option', { name: /Window/ }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Text was added to Window').waitFor();
  await call('POST', `/api/playlists/${playlist}/publish`);
  assert.deepEqual(
    (await publishedItems({ site }, player)).map(({ kind }) => kind),
    ['widget'],
  );
  // The screen's tile names the widget that it shows.
  const [{ id: widget_id }] = await call('GET', '/api/widgets');
  const shown = { zone_id: null, item_id: 1, content_id: null, widget_id, since: Date.now() };
  player.client.say({ type: 'heartbeat', showing: [shown] });
  await go('/screens');
  await page.getByText('Now: Text', { exact: true }).waitFor();
  assert.equal(await page.getByText('No playlist').count(), 0);
});

test('the admin window warns before it overwrites what another user saved meanwhile', {
  timeout: 150_000,
}, async (t) => {
  const { page, go, call } = await openShop(t);
  const { id } = await call('POST', '/api/widgets', { widget_type: 'clock', name: 'Clock' }, 201);
  await go(`/widgets/${id}`);
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await call('PUT', `/api/widgets/${id}`, { name: 'Theirs' });
  await page.getByText('Somebody else saved a change while you were editing').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save changes' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The screens change at once.').waitFor();
  assert.equal((await call('GET', `/api/widgets/${id}`)).name, 'Mine');
});

test('a button to another page of a kiosk is added and tried in the preview before saving', {
  timeout: 150_000,
}, async (t) => {
  const { page, go, call } = await openShop(t);
  await go('/kiosk');
  await page.getByRole('button', { name: 'New kiosk page' }).click();
  await page.getByRole('button', { name: 'Add a page' }).click();
  await page.getByLabel('Heading of the page').fill('House plan');
  await page.getByRole('group', { name: 'Buttons' }).first().getByRole('button', { name: 'Add a button' }).click();
  const button = page.locator('.kiosk-button').first();
  await button.getByLabel('Text', { exact: true }).fill('Where is what');
  await button.getByRole('button', { name: /Action/ }).click();
  await page.getByRole('option', { name: 'Go to a page' }).click();
  await button.getByRole('button', { name: /Page/ }).click();
  await page.getByRole('option', { name: 'House plan' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  // Waits until the preview is up to date: each new preview starts again at the first page of the kiosk.
  await page.waitForFunction(
    () => document.querySelectorAll('.scaled iframe').length === 1 && !document.querySelector('.scaled-busy'),
  );
  const shown = preview.locator('iframe').contentFrame();
  // Clicks with the mouse at the visible position, because the preview frame is scaled down.
  const box = (await page.locator('.scaled').boundingBox())!;
  await shown.getByText('Touch to begin').waitFor();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await shown.getByRole('button', { name: 'Where is what' }).waitFor();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await shown.getByRole('heading', { name: 'House plan' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The screens change at once.').waitFor();
  const [stored] = await call('GET', '/api/kiosk');
  assert.deepEqual(
    [stored.config.buttons[0].action, stored.config.buttons[0].page, stored.config.pages[0].title],
    ['page', stored.config.pages[0].id, 'House plan'],
  );
});
