/**
 * Records of headquarters in a store, in a real browser: they are marked and cannot be changed, the store fills their
 * slots within the limits, and the calendar says what they replace.
 */
// Suite: window
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright';
import { adventOf, holdIn } from '../../server/store-link/testing/held.ts';
import { startSite } from '../harness.ts';
import { callAs, must, person } from '../people.ts';
import { pairPlayer } from '../player-client.ts';
import { jpegOf } from '../sample-media.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, openAdmin } from './hosts/admin-window.ts';

const DAY = 86_400_000;
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
/** Folder for pictures of the pages, if set. */
const SHOTS = process.env['VITRINE_SHOTS'];
const shoot = async (page: Page, name: string): Promise<void> => {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
};

const openHeld = async (t: TestContext) => {
  const site = await startSite(t);
  const owner = await person(site, 'owner@store.test');
  const call = callAs(site, owner.token);
  const make = async (path: string, body?: unknown) => must(await call('POST', path, body), 201);
  const picture = async (name: string, colour: string) =>
    must(await upload(site, owner.token, await jpegOf(colour), name), 201);
  const star = await picture('Star.jpg', '#c0392b');
  const bread = await picture('Bread.jpg', '#b9770e');
  const playlist = async (name: string, count: number) => {
    const { id } = await make('/api/playlists', { name });
    for (let i = 0; i < count; i++) await make(`/api/playlists/${id}/items`, { content_id: bread.id });
    must(await call('POST', `/api/playlists/${id}/publish`));
    return id as string;
  };
  const fits = await playlist('Rolls', 2);
  const tooMany = await playlist('Everything', 3);
  const { deviceId } = await pairPlayer(t, site, owner.token, 'Door');
  must(await call('PUT', `/api/devices/${deviceId}`, { timezone: 'UTC' }));
  await make('/api/schedules', {
    device_id: deviceId,
    playlist_id: tooMany,
    title: 'Morning',
    start_time: `${local(Date.now() - 7 * DAY).slice(0, 11)}09:00`,
    end_time: `${local(Date.now() - 7 * DAY).slice(0, 11)}12:00`,
    recurrence: 'FREQ=DAILY',
    timezone: 'UTC',
  });
  const file = { sha256: star.sha256, size: star.file_size, mime: 'image/jpeg' };
  const times = { start_time: local(Date.now() - 10 * DAY), end_time: local(Date.now() + 30 * DAY) };
  const advent = adventOf(file, times);
  const [content] = advent.contents;
  const easter = adventOf(
    file,
    { start_time: local(Date.now() + 60 * DAY), end_time: local(Date.now() + 70 * DAY) },
    '-2',
  );
  const missing = { sha256: 'ab'.repeat(32), size: 40_000_000, mime: 'image/jpeg' };
  const hold = holdIn(site, owner.workspaceId!, call);
  await hold.want([
    advent,
    {
      ...easter,
      name: 'Easter',
      screen_tags: ['window'],
      contents: [...easter.contents, { ...content!, id: 'egg', file: missing }],
    },
  ]);
  return { site, owner, call, hold, fits, tooMany, deviceId, advent };
};

test("a store's admin window marks records of headquarters, and says who can change them", {
  timeout: 240_000,
}, async (t) => {
  const { site, owner } = await openHeld(t);
  const { page, go } = await openAdmin(t, site, owner.token);
  for (const [path, name] of [
    ['/playlists', 'Advent playlist'],
    ['/layouts', 'Advent layout'],
    ['/widgets', 'Advent clock'],
    ['/content', 'Star.gif'],
  ] as const) {
    await go(path);
    await page.getByText(name, { exact: true }).first().waitFor();
    const mark = page.getByText('From headquarters · campaign Advent');
    await mark.first().waitFor();
    assert.equal(await mark.count(), 1, path);
    const choose = async (whose: string) => {
      if (path !== '/content') return page.getByRole('radio', { name: whose, exact: true }).click();
      await page.getByRole('button', { name: /Owner/ }).click();
      await page.getByRole('option', { name: whose, exact: true }).click();
    };
    await choose('Store');
    await mark.first().waitFor({ state: 'detached' });
    await choose('Headquarters');
    await page.getByText(name, { exact: true }).first().waitFor();
    await mark.first().waitFor();
    await shoot(page, `list${path.replace('/', '-')}`);
  }
  await assertAccessible(page);

  await go('/widgets/advent-clock');
  await page.getByRole('link', { name: 'From headquarters · campaign Advent' }).waitFor();
  await page.getByText(/only headquarters can change it/).waitFor();
  for (const name of ['Save', 'Delete']) assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  await page.getByRole('button', { name: 'Add to playlist' }).waitFor();
  await shoot(page, 'widget');
  await page.getByRole('button', { name: 'Create a copy' }).click();
  await page.getByRole('heading', { name: 'Copy of Advent clock' }).waitFor();
  await page.getByRole('button', { name: /^More for/ }).waitFor();

  await go('/content?show=star');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/only headquarters can change it/).waitFor();
  assert.ok(await dialog.getByRole('textbox', { name: 'Name' }).isDisabled());
  for (const name of ['Delete', 'Replace file'])
    assert.equal(await dialog.getByRole('button', { name }).count(), 0, name);
  await assertAccessible(page);
  await shoot(page, 'content');

  // The store makes a copy of the layout of headquarters. The copy can be changed.
  await go('/layouts/advent-layout');
  await page.getByText(/only headquarters can change it/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add a zone' }).count(), 0);
  await assertAccessible(page);
  await shoot(page, 'layout');
  await page.getByRole('button', { name: 'Create a copy' }).click();
  await page.getByRole('button', { name: 'Add a zone' }).waitFor();
  assert.equal(await page.getByText(/From headquarters ·/).count(), 0);

  await go('/playlists/advent-list');
  await page.getByRole('button', { name: 'Create a copy' }).click();
  await page.getByRole('textbox', { name: 'Rename the playlist' }).or(page.locator('.title-field')).first().waitFor();
  assert.equal(await page.locator('.item-row').count(), 3);

  // Answers with an empty list, as if the admin window did not know yet that the record belongs to headquarters.
  await page.route('**/api/chain/records', (route) => route.fulfill({ json: [], headers: { 'X-Total-Count': '0' } }));
  await go('/playlists/advent-list');
  await page.reload();
  const title = page.getByRole('textbox', { name: 'Name of the playlist' }).or(page.locator('.title-field'));
  await title.first().fill('Ours');
  await page.keyboard.press('Enter');
  await page.getByText(/This comes from headquarters with the campaign Advent/).waitFor();
  await shoot(page, 'refused');
  assert.equal(
    must(await site.call('GET', '/api/playlists/advent-list', { token: owner.token })).name,
    'Advent playlist',
  );
});

test('slot accepts a playlist that fits, and refuses other playlists with a reason', {
  timeout: 240_000,
}, async (t) => {
  const { site, owner, call, fits } = await openHeld(t);
  const { page, go } = await openAdmin(t, site, owner.token);
  await go('/playlists/advent-list');
  const place = page.getByRole('region', { name: 'Place for the store: Bakery’s offer' });
  await place.getByText(/At most 2 items, 30 sec.*images and videos/).waitFor();
  await place.getByText(/This place is empty/).waitFor();
  await assertAccessible(page);
  await shoot(page, 'place-empty');

  await place.getByRole('button', { name: 'Choose a playlist' }).click();
  const dialog = page.getByRole('dialog');
  const choose = async (name: RegExp) => {
    await dialog.getByRole('button', { name: /Playlist/ }).click();
    assert.equal(await page.getByRole('option', { name: /Advent playlist/ }).count(), 0);
    await page.getByRole('option', { name }).click();
    await dialog.getByRole('button', { name: 'Use in this place' }).click();
  };
  await choose(/Everything/);
  await dialog.getByText(/Bread\.jpg does not fit in the place Bakery’s offer .*items allowed there: 2\./).waitFor();
  await assertAccessible(page);
  await shoot(page, 'place-refused');
  await choose(/Rolls/);
  await dialog.waitFor({ state: 'detached' });
  await place.getByRole('link', { name: 'Rolls' }).waitFor();
  assert.equal(await place.getByRole('listitem').filter({ hasText: 'Bread.jpg' }).count(), 2);
  await shoot(page, 'place-filled');

  // The playlist is published with one item more than the slot allows, so the slot refuses it.
  await go(`/playlists/${fits}`);
  await page.getByText('It fills a place in a headquarters campaign').waitFor();
  const [item] = must(await call('GET', `/api/playlists/${fits}/items`));
  must(await call('POST', `/api/playlists/${fits}/items`, { content_id: item.content_id }), 201);
  await page.getByRole('button', { name: 'Publish' }).first().click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Publish' });
  const refusal = page.getByText(/does not fit in the place Bakery’s offer/);
  await confirm.or(refusal).first().waitFor();
  if (await confirm.isVisible()) await confirm.click();
  await refusal.first().waitFor();
  await shoot(page, 'publish-refused');
  assert.equal(must(await call('GET', `/api/playlists/${fits}/published`)).length, 2);

  // The page with all campaigns, on a phone and on a large display.
  await go('/schedule/headquarters');
  await page.getByText(/^Downloading: 40/).waitFor();
  await page.getByText(/On screens now, until/).waitFor();
  await page.getByText('No screen has the tag window').waitFor();
  await page.getByText('Overrides store content').first().waitFor();
  for (const width of [390, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(
      await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1'),
      false,
      `wider than ${width}`,
    );
    await shoot(page, `campaigns-${width}`);
  }
  await page.evaluate("document.documentElement.dataset.theme = 'dark'");
  await assertAccessible(page);
  await shoot(page, 'campaigns-dark');
});

test('calendars show locked campaigns and what they replace, and a screen says why it shows a campaign', {
  timeout: 240_000,
}, async (t) => {
  const { site, owner, deviceId } = await openHeld(t);
  const { page, go } = await openAdmin(t, site, owner.token);
  await go(`/schedule?for=screen:${deviceId}`);
  await page.locator('.calendar-held').first().waitFor();
  assert.match((await page.locator('.calendar-held').first().textContent()) ?? '', /Headquarters campaign Advent/);
  await page
    .getByRole('button', { name: /Morning.*verridden by Headquarters campaign Advent/ })
    .first()
    .waitFor();
  await assertAccessible(page);
  await shoot(page, 'week');
  // Neither mouse nor keyboard moves the block of the campaign. The block links to the explanation.
  await go('/schedule?view=day');
  const block = page.getByRole('button', { name: /Headquarters campaign Advent/ }).first();
  await block.waitFor();
  assert.match((await block.getAttribute('title')) ?? '', /cannot be moved or deleted here/);
  assert.equal(await block.locator('.block-edge').count(), 0);
  await shoot(page, 'day');
  await go('/schedule?view=month');
  await page
    .getByRole('button', { name: /Headquarters campaign Advent/ })
    .first()
    .waitFor();
  await shoot(page, 'month');
  await go('/schedule');
  const chip = page.getByRole('button', { name: /Headquarters campaign Advent/ }).first();
  await chip.waitFor();
  await shoot(page, 'rows');
  await chip.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Headquarters campaigns' }).waitFor();

  await go(`/screens/${deviceId}`);
  await page
    .getByRole('link', { name: /Headquarters campaign Advent \(overrides store content\)/ })
    .first()
    .waitFor();
  await shoot(page, 'screen');
  const settings = '/settings/headquarters';
  await go(settings);
  await page.getByRole('link', { name: 'Headquarters campaigns' }).waitFor();
  await page.getByRole('heading', { name: 'Downloads from headquarters' }).waitFor();
  await assertAccessible(page);
  await shoot(page, 'settings');
});
