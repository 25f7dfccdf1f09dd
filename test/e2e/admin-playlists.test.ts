/** Playlists in the admin window: preview before publishing, compare with what screens play, and list the screens. */
// Suite: window
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PairedPlayer } from '../player-client.ts';
import { jpegOf } from '../sample-media.ts';
import { nextProgram } from '../shop.ts';
import { until } from '../until.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';
import { holdFiles } from './hosts/dropped-files.ts';
import { handsOn } from './hosts/klm.ts';

const shop = async (t: TestContext) => {
  const opened = await openShop(t);
  const { call, addPicture, publish } = opened;
  const [red, green] = [await addPicture('red.jpg', '#aa0000'), await addPicture('green.jpg', '#00aa00')];
  await addPicture('blue.jpg', '#0000aa');
  const { id } = await publish('Offers', ...[red, green].map((content_id) => ({ content_id, duration_sec: 2 })));
  const items = async (): Promise<{ id: number; filename: string; zone_id: string | null; duration_sec: number }[]> =>
    (await call('GET', `/api/playlists/${id}`)).items;
  return { ...opened, id, items, nextProgram: (player: PairedPlayer) => nextProgram(opened, player) };
};

test('changed draft is compared with what screens play, and the dialog names the screens before they change', {
  timeout: 150_000,
}, async (t) => {
  const { call, screen, assign, id, nextProgram, page, go } = await shop(t);
  const [own, member] = [await screen('Window left'), await screen('Counter')];
  await assign(id, own.deviceId);
  await nextProgram(own);
  const { id: group } = await call('POST', '/api/groups', { name: 'Inside' }, 201);
  await call('POST', `/api/groups/${group}/devices`, { device_id: member.deviceId }, 201);
  await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: id });
  await go(`/playlists/${id}`);
  await page.getByText('The screens show this version').waitFor();
  await page.getByRole('button', { name: 'Add blue.jpg' }).click();
  await page.getByRole('button', { name: 'More for red.jpg' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const length = page.getByRole('textbox', { name: 'Duration of green.jpg in seconds' });
  await length.fill('7');
  await length.press('Enter');
  await page.getByText(/^Not on the screens yet: 1 added, 1 removed,? and 1 changed\.$/).waitFor();
  await page.getByRole('button', { name: 'Transition: Cut' }).click();
  await page.getByRole('radio', { name: 'Fade' }).click({ force: true });
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Transition: Fade, 0.6 s' }).waitFor();
  await page.getByRole('button', { name: 'More for green.jpg' }).click();
  await page.getByRole('menuitem', { name: 'Transition …' }).click();
  await page.getByRole('radio', { name: 'Cut' }).click({ force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Image · Cut').waitFor();
  await page.getByText(/ and transition changed\.$/).waitFor();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('dialog').getByText('Transition: Fade, 0.6 s instead of Cut').waitFor();
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
  await page.getByText('The screens show this version').waitFor();
  const program = await nextProgram(own);
  const items = program.playlists[0].items.map(
    (item: { name: string; duration_ms: number; transition?: { kind: string; ms: number } }) =>
      `${item.name} ${item.duration_ms} ${item.transition ? `${item.transition.kind} ${item.transition.ms}` : 'cut'}`,
  );
  assert.deepEqual(items, ['green.jpg 7000 cut', 'blue.jpg 10000 fade 600']);

  // The previous version is compared with the current list, and then becomes the draft.
  await page.getByRole('button', { name: 'More for Offers' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog');
  await versions
    .getByText(/^Restoring this version changes the list: 1 added, 1 removed, 1 changed,? and transition changed\.$/)
    .waitFor();
  await versions.getByText('2 s instead of 7 s').waitFor();
  await assertAccessible(page);
  await versions.getByRole('button', { name: 'Restore this version' }).click();
  await versions.waitFor({ state: 'detached' });
  await page.getByText(/^Not on the screens yet: 1 added, 1 removed, 1 changed,? and transition changed\.$/).waitFor();

  // One click restores a deleted playlist and assigns the playlist to its former screens and group again.
  const playsOn = async () => [
    (await call('GET', `/api/devices/${own.deviceId}`)).playlist_id,
    (await call('GET', '/api/groups'))[0].playlist_id,
  ];
  await page.getByRole('button', { name: 'More for Offers' }).click();
  await page.getByRole('menuitem', { name: 'Delete playlist' }).click();
  await ask.getByText('It stays in the bin for 30 days. You can restore it to the places where it was used.').waitFor();
  await ask.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Offers is deleted').waitFor();
  assert.deepEqual(await playsOn(), [null, null]);
  await page.locator('.toast', { hasText: 'Offers is deleted' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Offers is restored').waitFor();
  assert.deepEqual(await playsOn(), [id, id]);
  await page.getByRole('main').getByText('Offers').waitFor();

  // After the undo message is gone, the playlist can be restored from the bin.
  await call('DELETE', `/api/playlists/${id}`);
  const later = handsOn(page);
  await later.click(page.getByRole('link', { name: 'Settings' }));
  await later.click(page.getByRole('link', { name: 'Bin' }));
  await later.click(page.getByRole('button', { name: 'Restore Offers' }));
  await page.getByText('The bin is empty').waitFor();
  assert.deepEqual(await playsOn(), [id, id]);
  const undeleted = later.effort();
  t.diagnostic(`undeleted: ${JSON.stringify(undeleted)}`);
  assert.ok(undeleted.clicks <= 3 && undeleted.seconds <= 8, JSON.stringify(undeleted));

  // A new playlist that no screen plays asks for its screens as soon as it is published.
  await go('/playlists');
  const hands = handsOn(page);
  await hands.click(page.getByRole('button', { name: 'New playlist' }));
  await hands.type(page.getByRole('textbox', { name: 'Name' }), 'Sale');
  await hands.press('Enter');
  await hands.click(page.getByRole('button', { name: 'Add blue.jpg' }));
  await page.getByRole('textbox', { name: 'Duration of blue.jpg in seconds' }).waitFor();
  // Sets hours: the item plays only in the morning.
  await hands.click(page.getByRole('button', { name: 'Play times of blue.jpg' }));
  const hours = page.getByRole('dialog');
  await hands.click(hours.getByRole('button', { name: 'Play only at certain times' }));
  const to = hours.getByLabel('To', { exact: true });
  await hands.click(to);
  // Moves to the hours first: the browser decides whether the click focuses the hours or the minutes of the time field.
  for (let segment = 0; segment < 2; segment++) await hands.press('ArrowLeft');
  await hands.type(to, '1100AM');
  await hands.press('Enter');
  await hours.waitFor({ state: 'detached' });
  await page
    .getByText(/09:00.*11:00/)
    .first()
    .waitFor();
  await hands.click(page.getByRole('button', { name: 'Publish', exact: true }));
  const box = page.getByRole('dialog').getByRole('checkbox', { name: /Window left/ });
  await hands.click(box.locator('xpath=ancestor::label[1]'));
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Show on 1 screen' }));
  await until('the new playlist on the screen', 10_000, async () => {
    const { playlist_id } = await call('GET', `/api/devices/${own.deviceId}`);
    return playlist_id !== null && playlist_id !== id;
  });
  const { clicks, seconds } = hands.effort();
  t.diagnostic(`${clicks} clicks, ${seconds} s`);
  assert.ok(clicks <= 11 && seconds <= 32, `${clicks} clicks, ${seconds} s`);
  const [made] = (await call('GET', '/api/playlists')).filter((one: { name: string }) => one.name === 'Sale');
  const { items: placed } = await call('GET', `/api/playlists/${made.id}`);
  assert.deepEqual(
    placed[0].schedules.map(({ start, end }: { start: string; end: string }) => [start, end]),
    [['09:00', '11:00']],
  );
});

test('preview plays the draft as a screen would: same order, zones and times', {
  timeout: 150_000,
}, async (t) => {
  const { call, id, items, page, go } = await shop(t);
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
  const [red] = await items();
  await call('PUT', `/api/playlists/${id}/items/${red!.id}/schedules`, {
    blocks: [{ days: [0, 1, 2, 3, 4, 5, 6], start: '06:00', end: '12:00' }],
  });
  await dialog.getByLabel('Date and time').fill('2026-03-10T14:00');
  await dialog.getByText('Now: green.jpg').waitFor();
  await dialog.getByText('Then: green.jpg').waitFor();
  await dialog.getByLabel('Date and time').fill('2026-03-10T09:00');
  await dialog.getByText('Now: red.jpg').waitFor();
});

test('items are put into the zones of a layout', { timeout: 150_000 }, async (t) => {
  const { call, id, items, page, go } = await shop(t);
  const layouts = await call('GET', '/api/layouts?templates=true');
  const bar = layouts.find((l: { name: string }) => l.name === 'L-bar with ticker');
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: /Layout$/ }).click();
  await page.getByRole('option', { name: /L-bar with ticker/ }).click();
  await page.getByRole('button', { name: /Zone of green\.jpg/ }).click();
  const zone = bar.zones.at(-1);
  await page.getByRole('option', { name: zone.name, exact: true }).click();
  await page.getByText(/Not on the screens yet: 1 changed/).waitFor();
  // The admin window shows the zone before the server has stored it.
  await until('it is saved', 15_000, async () =>
    (await items()).some((i) => i.filename === 'green.jpg' && i.zone_id === zone.id),
  );
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

test('content dragged into a playlist plays at this position after publishing, and an earlier draft is discarded', {
  timeout: 150_000,
}, async (t) => {
  const { screen, assign, id, items, nextProgram, page, go } = await shop(t);
  const order = async () => (await items()).map(({ filename }) => filename);
  const player = await screen('Window left');
  await assign(id, player.deviceId);
  await nextProgram(player);
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: 'Add blue.jpg' }).click();
  await page.getByText(/^Not on the screens yet: 1 added/).waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('The screens show this version').waitFor();
  assert.deepEqual(await order(), ['red.jpg', 'green.jpg']);

  const card = await page.locator('.library-card', { hasText: 'blue.jpg' }).locator('.library-grip').boundingBox();
  const row = await page.locator('.item-row').nth(1).boundingBox();
  assert.ok(card && row);
  await page.mouse.move(card.x + card.width / 2, card.y + card.height / 2);
  await page.mouse.down();
  await page.mouse.move(card.x, card.y + 40, { steps: 5 });
  // Drops the card above the middle of the second row, which inserts the item before this row.
  await page.mouse.move(row.x + 80, row.y + 8, { steps: 12 });
  await page.locator('.drop-place').waitFor();
  await page.mouse.up();
  await page.getByText(/^Not on the screens yet: 1 added/).waitFor();
  await until('it is added', 15_000, async () => (await order()).length === 3);
  assert.deepEqual(await order(), ['red.jpg', 'blue.jpg', 'green.jpg']);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page
    .getByRole('alertdialog')
    .getByText('This screen will change at once:')
    .or(page.getByRole('alertdialog').getByText('Window left'))
    .first()
    .waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click();
  const program = await nextProgram(player);
  assert.deepEqual(
    program.playlists[0].items.map((item: { name: string }) => item.name),
    ['red.jpg', 'blue.jpg', 'green.jpg'],
  );
});

test("second of two users who change the same playlist is warned, and the first user's change is kept", {
  timeout: 150_000,
}, async (t) => {
  const { call, id, items, page, go } = await shop(t);
  // This browser window receives no live updates, as if both users saved at the same moment.
  await page.routeWebSocket(/\/api\/live/, () => undefined);
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: 'More for red.jpg' }).waitFor();
  const [, green] = await items();
  await call('PUT', `/api/playlists/${id}/items/${green!.id}`, { duration_sec: 33 });
  const length = page.getByRole('textbox', { name: 'Duration of green.jpg in seconds' });
  await length.fill('7');
  await length.press('Enter');
  await page.getByText('Somebody else changed this playlist at the same time').waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some((input) => input.value === '33'));
  assert.equal((await items())[1]!.duration_sec, 33);
});

test('files dropped on a playlist are appended, files dropped elsewhere go to the library, damaged files are named', {
  timeout: 150_000,
}, async (t) => {
  const { call, items, id, page, go } = await shop(t);
  const file = (name: string, bytes: Buffer) => ({ name, type: 'image/jpeg', bytes });
  // The first file takes longest to upload, but the items get the order in which the files were dropped.
  const [long, short] = [await jpegOf('#123456', 3840, 2160), await jpegOf('#654321', 64, 36)];
  await go(`/playlists/${id}`);
  const onPlaylist = await holdFiles(
    page,
    '.rail',
    [file('first.jpg', long), file('torn.jpg', long.subarray(0, long.length >> 1)), file('second.jpg', short)],
    'Drop to add to “Offers”',
  );
  await assertAccessible(page);
  await onPlaylist.drop();
  await onPlaylist.held.waitFor({ state: 'detached' });
  await page
    .getByText('This JPEG image is incomplete: its end is missing. Copy it again from its source, then upload it.')
    .waitFor();
  await until('both are at the end', 20_000, async () => (await items()).length === 4);
  assert.deepEqual(
    (await items()).map(({ filename }) => filename),
    ['red.jpg', 'green.jpg', 'first.jpg', 'second.jpg'],
  );

  await go('/groups');
  const elsewhere = await holdFiles(page, 'main', [file('third.jpg', short)], 'Drop to upload to Content');
  await elsewhere.drop();
  await until('it is in the library', 20_000, async () =>
    (await call('GET', '/api/content')).some(({ filename }: { filename: string }) => filename === 'third.jpg'),
  );
  assert.equal((await items()).length, 4);
});
