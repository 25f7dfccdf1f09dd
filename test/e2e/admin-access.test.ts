/**
 * Accessibility of the admin window: the main tasks are done with the keyboard alone and announced to screen readers.
 */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { startSite } from '../harness.ts';
import { mustCallAs } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { keepPicture } from './hosts/admin-window.ts';
import { launchOn } from './hosts/browser.ts';
import { furnish } from './hosts/furnished.ts';
import { keysOf } from './hosts/keys.ts';

test('keyboard alone signs in, uploads a picture and makes a playlist, a plan, a layout, a wall, a message and a report', {
  timeout: 280_000,
}, async (t) => {
  const site = await startSite(t);
  let page: Page | undefined;
  const said: string[] = [];
  // Registered before the browser is launched, so that the screenshot is taken before the browser closes.
  t.after(() => ((t as { passed?: boolean }).passed ? undefined : keepPicture(t, page, said)));
  const browser = await launchOn(t, undefined);
  const { token } = await furnish(t, site);
  const call = mustCallAs(site, token);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  await context.addInitScript(() => {
    if (window !== window.top || location.protocol !== 'http:') return;
    localStorage.setItem('vitrine.language', 'en');
    Object.assign(globalThis, { pointed: 0 });
    for (const type of ['pointerdown', 'mousedown', 'touchstart'])
      addEventListener(type, ({ isTrusted }) => isTrusted && (globalThis as unknown as { pointed: number }).pointed++, {
        capture: true,
      });
  });
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => message.type() !== 'log' && said.push(message.text()));
  const keys = keysOf(page);
  const { press, plain, tabTo, type } = keys;
  /**
   * Finds a record in the command palette: arrow keys move through the results while the focus stays in the search
   * field.
   */
  const find = async (typed: string, name: string) => {
    await press('anywhere', 'Mod+K');
    await type(typed);
    await page.getByRole('menuitem', { name, exact: true }).first().waitFor();
    const isAt = () =>
      page.evaluate((wanted) => {
        const at = document.activeElement?.getAttribute('aria-activedescendant');
        return at ? document.getElementById(at)?.querySelector('[slot=label]')?.textContent === wanted : false;
      }, name);
    for (let n = 0; n < 20 && !(await isAt()); n++) await plain('ArrowDown');
    await plain('Enter');
  };
  const goTo = async (name: string) => {
    await find(name, name);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  };

  await page.goto(site.origin);
  await page.getByLabel('E-mail').waitFor();
  await tabTo(/^E-mail/);
  await type('owner@store.test');
  await plain('Tab');
  await type('correct horse');
  await plain('Enter');
  await page.getByRole('heading', { name: 'Screens', level: 1 }).waitFor();

  // On the screens page, the Tab key stops at the cards once, arrow keys move between cards, and a card is selected and
  // deselected.
  await plain('Tab');
  await tabTo(/^Café/);
  await press('lists', 'ArrowRight');
  await press('lists', 'Space');
  await page.getByRole('region', { name: '1 selected' }).waitFor();
  await press('anywhere', 'Escape');

  await goTo('Content');
  await page.getByRole('button', { name: 'Open Autumn window.jpg' }).waitFor();
  // Waits for the event before the key is pressed: the browser may open the dialog before a later listener is ready.
  const choosing = page.waitForEvent('filechooser');
  await tabTo(/^Upload files/);
  const [chooser] = await Promise.all([choosing, page.keyboard.press('Enter')]);
  await chooser.setFiles({ name: 'By keys.jpg', mimeType: 'image/jpeg', buffer: await jpegOf('#207040', 320, 180) });
  await page.getByRole('button', { name: 'Open By keys.jpg' }).waitFor();

  await find('create', 'Create a playlist');
  await page.getByRole('dialog', { name: 'New playlist' }).waitFor();
  await type('All by keys');
  await plain('Enter');
  await page.getByRole('button', { name: 'Add By keys.jpg' }).waitFor();
  await plain('Tab');
  await tabTo(/^Add By keys/);
  await plain('Enter', 'ArrowRight', 'Enter');
  await page.getByText('2 items', { exact: false }).first().waitFor();
  await tabTo(/^Move .*Position 2 of 2/, true);
  await press('items', 'Space');
  await press('items', 'ArrowUp');
  await press('items', 'Space');
  await tabTo(/^Publish/, true);
  await plain('Enter');
  await page.getByText('All by keys is published').waitFor();
  // No screen plays the playlist yet, so the dialog for choosing screens opens at once.
  const showing = page.getByRole('dialog', { name: 'Show on screens' });
  await showing.getByRole('checkbox', { name: /Window left/ }).waitFor();
  await tabTo(/Window left/);
  await plain('Space');
  await tabTo(/^Show on 1 screen/);
  await plain('Enter');
  await showing.waitFor({ state: 'detached' });
  const [made] = (await call('GET', '/api/playlists')).filter((p: { name: string }) => p.name === 'All by keys');
  const { devices } = { devices: await call('GET', '/api/devices') };
  const left = devices.find((d: { name: string }) => d.name === 'Window left');
  assert.deepEqual([made.item_count, left.playlist_id], [2, made.id]);

  await goTo('Schedule');
  await tabTo(/^New plan/);
  await plain('Enter');
  await page.getByRole('dialog', { name: 'New plan' }).waitFor();
  await type('All by keys');
  await page.getByRole('option', { name: /All by keys/ }).waitFor();
  // The field accepts one value, so Enter also closes its list.
  await plain('ArrowDown', 'Enter');
  await tabTo(/^Screens, groups or tags/);
  await type('Window left');
  await page.getByRole('option', { name: /Window left/ }).waitFor();
  await plain('ArrowDown', 'Enter', 'Escape');
  await tabTo(/^Create plan/);
  await plain('Enter');
  await page.getByRole('dialog', { name: 'New plan' }).waitFor({ state: 'detached' });
  const plan = page.getByRole('button', { name: /^All by keys, Window left/ }).first();
  await plan.waitFor();
  const planned = async () =>
    (await call('GET', '/api/schedules')).find((s: { playlist_id: string }) => s.playlist_id === made.id).start_time;
  const before = await planned();
  // The Tab key stops at the calendar once, on the first group. Arrow keys move to the first screen of the group and
  // along its row to the planned items.
  await tabTo(/^Shop windows/);
  await press('calendar', 'ArrowDown');
  await press('calendar', 'ArrowRight');
  if (!/^All by keys/.test((await keys.focus()).name)) await press('calendar', 'ArrowDown');
  assert.match(
    (await keys.focus()).name,
    /^All by keys, Window left, \w+day \d+ \w+, /,
    'what, where and when are heard',
  );
  await press('calendar', 'Shift+ArrowRight');
  await until('the plan is moved', 15_000, async () => (await planned()) !== before);

  await goTo('Layouts');
  await tabTo(/^New layout/);
  await plain('Enter');
  await page.getByRole('dialog', { name: 'New layout' }).waitFor();
  await type('Two halves');
  await plain('Enter');
  await page.getByRole('heading', { name: 'Two halves', level: 1 }).waitFor();
  await plain('Tab');
  await tabTo(/^Main 100/);
  await press('layouts', 'D');
  await press('layouts', 'Alt+ArrowLeft');
  await press('layouts', 'Shift+ArrowRight');
  await press('layouts', 'PageUp');
  await heard(page, '1 of 2 from the front');
  await tabTo(/^Save changes/, true);
  await plain('Enter');
  await page.getByText('Saved. The screens change at once.').waitFor();
  const halves = (await call('GET', '/api/layouts')).find((l: { name: string }) => l.name === 'Two halves');
  assert.deepEqual(
    halves.zones.map((z: { x_percent: number; width_percent: number }) => [z.x_percent, z.width_percent]).sort(),
    [
      [10, 49],
      [50, 50],
    ],
  );

  await goTo('Video walls');
  await tabTo(/^New video wall/);
  await plain('Enter');
  await page.getByRole('dialog', { name: 'New video wall' }).waitFor();
  await type('Foyer');
  await plain('Enter');
  await page.getByRole('heading', { name: 'Foyer', level: 1 }).waitFor();
  await plain('Tab');
  await tabTo(/^Add a screen in column 1, row 1/);
  await press('walls', 'ArrowRight');
  await press('walls', 'Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Window left/ })
    .waitFor();
  await tabTo(/^Window left/);
  await plain('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo(/^Window left, column 2, row 1/);
  await press('walls', 'Shift+ArrowLeft');
  await heard(page, 'Window left: column 1, row 1');
  await press('walls', 'R');
  await heard(page, 'rotated by 90°');
  await tabTo(/^Save changes/, true);
  await plain('Enter');
  await page.getByText('Saved. The screens change at once.').waitFor();
  const wall = (await call('GET', '/api/walls')).find((w: { name: string }) => w.name === 'Foyer');
  assert.deepEqual(
    wall.devices.map((d: Record<string, unknown>) => [d['device_name'], d['grid_col'], d['grid_row'], d['rotation']]),
    [['Window left', 0, 0, 90]],
  );

  await find('message', 'Show a message now');
  await page.getByRole('dialog', { name: 'Message now' }).waitFor();
  await type('Till 2 is open');
  await tabTo(/^Show now/);
  await plain('Enter');
  await page.getByRole('dialog', { name: 'Your message' }).waitFor();
  await press('anywhere', 'Escape');

  await goTo('Reports');
  await page.getByRole('table').first().waitFor();
  await tabTo(/^Autumn window\.jpg/);

  // Deleted content is restored with the Undo button of the toast message, which the key F6 focuses.
  await goTo('Content');
  await plain('Tab');
  await tabTo(/^Open By keys/);
  const cards = await page.getByRole('grid', { name: 'Content' }).getAttribute('aria-rowcount');
  await press('lists', 'F2');
  await press('anywhere', 'Escape');
  await press('lists', 'End');
  await press('lists', 'Home');
  await press('lists', 'Shift+F10');
  assert.equal(await page.getByRole('menu').count(), 1);
  await press('anywhere', 'Escape');
  assert.match((await keys.focus()).name, /^Open By keys/, 'the card has the focus again');
  assert.equal(Number(cards), (await call('GET', '/api/content')).length);

  assert.equal(await page.evaluate(() => (globalThis as unknown as { pointed: number }).pointed), 0, 'no mouse');
  assert.ok(keys.seen.size >= 20, `the focus was looked for on ${keys.seen.size} kinds of things`);
});

/** Waits for a polite announcement to screen readers that contains the text. */
const heard = (page: Page, text: string): Promise<void> =>
  page
    .locator('[data-live-announcer] [aria-live=polite]')
    .getByText(text, { exact: false })
    .waitFor({ state: 'attached' });
