/**
 * Playlists in the admin window: seen before they are published, compared with what screens play, and the screens
 * named.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { firstUser, type Site, startSite } from '../harness.ts';
import { must, mustCallAs } from '../people.ts';
import { type PairedPlayer, pairPlayer } from '../player-client.ts';
import { jpegOf } from '../sample-media.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, openAdmin } from './hosts/admin-window.ts';

const shop = async (t: TestContext) => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const call = mustCallAs(site, token);
  const add = async (name: string, background: string): Promise<string> =>
    must(await upload(site, token, await jpegOf(background), name), 201).id;
  const [red, green, blue] = [
    await add('red.jpg', '#aa0000'),
    await add('green.jpg', '#00aa00'),
    await add('blue.jpg', '#0000aa'),
  ];
  const { id } = await call('POST', '/api/playlists', { name: 'Offers' }, 201);
  for (const content_id of [red, green])
    await call('POST', `/api/playlists/${id}/items`, { content_id, duration_sec: 2 }, 201);
  await call('POST', `/api/playlists/${id}/publish`);
  const admin = await openAdmin(t, site, token);
  return { site, token, call, id, red, green, blue, ...admin };
};

/** What the player is told to show, newest first told. */
const nextProgram = async (site: Site, player: PairedPlayer) => {
  const { url } = await player.client.next('program');
  return must(await site.call('GET', String(url), { token: player.credential }));
};

test('a changed draft is compared with the screens, which are named before they change', {
  timeout: 150_000,
}, async (t) => {
  const { site, token, call, id, page, go } = await shop(t);
  const [own, member] = [await pairPlayer(t, site, token, 'Window left'), await pairPlayer(t, site, token, 'Counter')];
  await call('POST', `/api/playlists/${id}/assign`, { device_id: own.deviceId });
  await nextProgram(site, own);
  const { id: group } = await call('POST', '/api/groups', { name: 'Inside' }, 201);
  await call('POST', `/api/groups/${group}/devices`, { device_id: member.deviceId }, 201);
  await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: id });
  await go(`/playlists/${id}`);
  await page.getByText('What you see is what the screens show').waitFor();
  await page.getByRole('button', { name: 'Add blue.jpg' }).click();
  await page.getByRole('button', { name: 'More for red.jpg' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const length = page.getByRole('textbox', { name: 'Length of green.jpg in seconds' });
  await length.fill('7');
  await length.press('Enter');
  await page.getByText(/^Not on the screens yet: 1 added, 1 taken out,? and 1 changed\.$/).waitFor();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('dialog').getByText('7 s instead of 2 s').waitFor();
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const ask = page.getByRole('alertdialog');
  await ask.getByText('These 2 screens will change at once:').waitFor();
  await ask.getByText('Window left', { exact: true }).waitFor();
  await ask.getByText('Counter (through its group)').waitFor();
  await assertAccessible(page);
  await ask.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('What you see is what the screens show').waitFor();
  const program = await nextProgram(site, own);
  const items = program.playlists[0].items.map(
    (item: { name: string; duration_ms: number }) => `${item.name} ${item.duration_ms}`,
  );
  assert.deepEqual(items, ['green.jpg 7000', 'blue.jpg 10000']);
});

test('the draft plays in its preview as on a screen: in its order, in its zones, at its times', {
  timeout: 150_000,
}, async (t) => {
  const { call, id, red, page, go } = await shop(t);
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'Preview of Offers' });
  await dialog.getByText('Now: red.jpg').waitFor();
  await dialog.getByText('Now: green.jpg').waitFor();
  await dialog.getByText('Now: red.jpg').waitFor();
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByText('Now: green.jpg').waitFor();
  await dialog.locator('.turn.shown img[alt="green.jpg"]').waitFor();
  const [item] = (await call('GET', `/api/playlists/${id}`)).items.filter(
    (i: { content_id: string }) => i.content_id === red,
  );
  await call('PUT', `/api/playlists/${id}/items/${item.id}/schedules`, {
    blocks: [{ days: [0, 1, 2, 3, 4, 5, 6], start: '06:00', end: '12:00' }],
  });
  await dialog.getByLabel('As if published at').fill('2026-03-10T14:00');
  await dialog.getByText('Now: green.jpg').waitFor();
  await dialog.getByText('Then: green.jpg').waitFor();
  await dialog.getByLabel('As if published at').fill('2026-03-10T09:00');
  await dialog.getByText('Now: red.jpg').waitFor();
});

test('items are put into the zones of a layout', { timeout: 150_000 }, async (t) => {
  const { call, id, page, go } = await shop(t);
  const layouts = await call('GET', '/api/layouts?templates=true');
  const bar = layouts.find((l: { name: string }) => l.name === 'L-bar with ticker');
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: /Layout to arrange for/ }).click();
  await page.getByRole('option', { name: /L-bar with ticker/ }).click();
  await page.getByRole('button', { name: /Zone of green\.jpg/ }).click();
  const zone = bar.zones.at(-1);
  await page.getByRole('option', { name: zone.name, exact: true }).click();
  await page.getByText(/Not on the screens yet: 1 changed/).waitFor();
  const items = (await call('GET', `/api/playlists/${id}`)).items as { filename: string; zone_id: string | null }[];
  assert.equal(items.find((i) => i.filename === 'green.jpg')?.zone_id, zone.id);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page
    .locator('.scene-zone')
    .nth(bar.zones.length - 1)
    .waitFor();
  await page.locator('.turn.shown img[alt="green.jpg"]').waitFor();
  await page.locator('.turn.shown img[alt="red.jpg"]').waitFor();
  await page.keyboard.press('Escape');
  await assertAccessible(page);
});

test('a content is dragged in from the library, published, and plays at its place on the screen; the draft before is thrown away', {
  timeout: 150_000,
}, async (t) => {
  const { site, token, call, id, page, go } = await shop(t);
  const player = await pairPlayer(t, site, token, 'Window left');
  await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId });
  await nextProgram(site, player);
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: 'Add blue.jpg' }).click();
  await page.getByText(/^Not on the screens yet: 1 added/).waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('What you see is what the screens show').waitFor();
  assert.deepEqual(
    (await call('GET', `/api/playlists/${id}`)).items.map((i: { filename: string }) => i.filename),
    ['red.jpg', 'green.jpg'],
  );

  const card = await page.locator('.library-card', { hasText: 'blue.jpg' }).locator('.library-grip').boundingBox();
  const row = await page.locator('.item-row').nth(1).boundingBox();
  assert.ok(card && row);
  await page.mouse.move(card.x + card.width / 2, card.y + card.height / 2);
  await page.mouse.down();
  await page.mouse.move(card.x, card.y + 40, { steps: 5 });
  // Above the middle of the second row: before it.
  await page.mouse.move(row.x + 80, row.y + 8, { steps: 12 });
  await page.locator('.drop-place').waitFor();
  await page.mouse.up();
  await page.getByText(/^Not on the screens yet: 1 added/).waitFor();
  const order = async () =>
    (await call('GET', `/api/playlists/${id}`)).items.map((i: { filename: string }) => i.filename);
  await eventually(async () => (await order()).length === 3);
  assert.deepEqual(await order(), ['red.jpg', 'blue.jpg', 'green.jpg']);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page
    .getByRole('alertdialog')
    .getByText('This screen will change at once:')
    .or(page.getByRole('alertdialog').getByText('Window left'))
    .first()
    .waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click();
  const program = await nextProgram(site, player);
  assert.deepEqual(
    program.playlists[0].items.map((item: { name: string }) => item.name),
    ['red.jpg', 'blue.jpg', 'green.jpg'],
  );
});

test('of two who change one playlist the second is told, and nothing of the first is overwritten', {
  timeout: 150_000,
}, async (t) => {
  const { call, id, page, go } = await shop(t);
  // This window hears nothing of others: as if both pressed in the same moment.
  await page.routeWebSocket(/\/api\/live/, () => undefined);
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: 'More for red.jpg' }).waitFor();
  const [, green] = (await call('GET', `/api/playlists/${id}`)).items;
  await call('PUT', `/api/playlists/${id}/items/${green.id}`, { duration_sec: 33 });
  const length = page.getByRole('textbox', { name: 'Length of green.jpg in seconds' });
  await length.fill('7');
  await length.press('Enter');
  await page.getByText('Somebody else changed this playlist at the same time').waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => input.value === '33'));
  assert.equal((await call('GET', `/api/playlists/${id}`)).items[1].duration_sec, 33);
});

/** What follows a click is with the server a moment later. */
const eventually = async (is: () => Promise<boolean>) => {
  for (let i = 0; i < 300; i++) {
    if (await is()) return;
    await new Promise((next) => setTimeout(next, 50));
  }
  assert.fail('not within 15 s');
};
