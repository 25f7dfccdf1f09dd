/**
 * The admin window for those who see, hear or move otherwise: every state passes axe, nothing is told by our colours
 * alone, and the main job is done by keys.
 */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright';
import { type Site, startSite } from '../harness.ts';
import { mustCallAs } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { axeFindings, keepPicture } from './hosts/admin-window.ts';
import { launchOn } from './hosts/browser.ts';
import { furnish, type Samples } from './hosts/furnished.ts';
import { keysOf } from './hosts/keys.ts';
import { STATES, type State } from './hosts/states.ts';

type Shop = { readonly site: Site; readonly browser: Browser; readonly token: string; readonly samples: Samples };
let opened: Promise<Shop> | undefined;
const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings) await end();
});

/** One shop for the whole file, which ends with it. */
const shop = (): Promise<Shop> => {
  const t = { after: (work: () => unknown) => endings.push(work) } as unknown as TestContext;
  opened ??= (async () => {
    const site = await startSite(t);
    const browser = await launchOn(t, undefined);
    return { site, browser, ...(await furnish(t, site)) };
  })();
  return opened;
};

const addressOf = (path: string, samples: Samples): string =>
  path.replace(/\$(\w+)/g, (_, name: string) => samples[name] ?? assert.fail(`There is no ${name}`));

const windowOf = async ({ browser, site, token }: Shop): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await context.addInitScript(
    (kept) => window === window.top && location.protocol === 'http:' && Object.assign(localStorage, kept),
    { 'vitrine.language': 'en', 'vitrine.session': token },
  );
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${site.origin}/#/nowhere`);
  await page.locator('#pane h2').waitFor();
  return page;
};

/** What a page asks for its lists; the frame around it goes on. */
const isOfFrame = (path: string): boolean => /\/auth\/|\/live$|\/config/.test(path);

/** Goes to a page of the running window. A list that is to come otherwise is asked for by a window that has none yet. */
const goTo = async (page: Page, site: Site, address: string, anew: boolean): Promise<void> => {
  if (anew) {
    await page.goto(`${site.origin}/#${address}`);
    await page.reload();
    await page.locator('#pane').waitFor();
    return;
  }
  // From elsewhere, or nothing would change where one page is looked at twice.
  for (const to of ['/nowhere', address]) {
    await page.evaluate((hash) => {
      if (location.hash === `#${hash}`) return;
      document.querySelector('#pane')?.firstElementChild?.setAttribute('data-before', '');
      location.hash = hash;
    }, to);
    await page.waitForFunction(
      () => document.querySelector('h1, h2') && !document.querySelector('[data-before], #pane .bone, .scaled-busy'),
      undefined,
      { polling: 50 },
    );
  }
};

/** Closes whatever lies over the page. */
const closeAll = async (page: Page): Promise<void> => {
  const over = page.locator('.dialog-veil, .popover');
  for (let tries = 0; tries < 5 && (await over.count()) > 0; tries++) {
    const discard = page.getByRole('button', { name: 'Discard', exact: true });
    if ((await discard.count()) > 0) await discard.click();
    else await page.keyboard.press('Escape');
  }
};

/** What is new to look at: what lies over the page, else the page and what stands at its edges. */
const partsToLookAt = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const there = (parts: string[]) => parts.filter((part) => document.querySelector(part));
    const over = there(['.dialog-veil', '.popover']);
    return over.length > 0 ? over : there(['#pane', '.toasts', '.bottom-bar']);
  });

test('menus, dialogs, errors, empty and failed lists pass axe, light and dark, with forced colours, on a small window', {
  timeout: 280_000,
}, async (t) => {
  const { site, samples, ...rest } = await shop();
  const page = await windowOf({ site, samples, ...rest });
  t.after(() => ((t as { passed?: boolean }).passed ? undefined : keepPicture(t, page)));
  let lists: State['lists'];
  await page.route('**/api/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (!lists || isOfFrame(pathname)) return route.continue();
    if (lists === 'failed') return route.abort();
    if (lists === 'waiting') return undefined;
    const answer = await route.fetch();
    const json: unknown = await answer.json().catch(() => null);
    const isList = Array.isArray(json);
    const headers = { ...answer.headers(), ...(isList && { 'x-total-count': '0' }) };
    return route.fulfill({ response: answer, headers, json: isList ? [] : json });
  });
  const found: string[] = [];
  for (const [index, state] of STATES.entries()) {
    const name = `${state.path}: ${state.name}`;
    // Each other one in the dark: what colours decide is decided by what they have in common. Where the system chooses
    // them, axe is told our ink on the system's ground, which is white here.
    const theme = index % 2 === 0 || state.forced ? 'light' : 'dark';
    const isOtherwise = lists !== state.lists;
    lists = state.lists;
    await closeAll(page);
    await page.setViewportSize({ width: state.width ?? 1440, height: state.width ? 640 : 900 });
    await page.emulateMedia({ forcedColors: state.forced ? 'active' : 'none' });
    await goTo(page, site, addressOf(state.path, samples), isOtherwise);
    try {
      if (lists === 'empty') await page.locator('.empty').first().waitFor();
      if (lists === 'failed') await page.getByRole('button', { name: 'Try again' }).first().waitFor();
      await state.open?.(page);
      if (state.open && !state.onPage) await page.locator('.dialog-veil, .popover').first().waitFor();
    } catch (error) {
      throw new Error(`${name} cannot be opened`, { cause: error });
    }
    await page.evaluate(async (shown) => {
      document.documentElement.dataset['theme'] = shown;
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    }, theme);
    const parts = await partsToLookAt(page);
    for (const one of await axeFindings(page, 'light', ['target-size'], parts)) found.push(`${name}: ${one}`);
  }
  assert.deepEqual(found, []);
});

test('signing in, a picture, a playlist, a plan, a layout, a wall, a message and a report are done by keys alone', {
  timeout: 280_000,
}, async (t) => {
  const { site, browser, token } = await shop();
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
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  t.after(() => ((t as { passed?: boolean }).passed ? undefined : keepPicture(t, page)));
  const keys = keysOf(page);
  const { press, plain, tabTo, type } = keys;
  /** By the palette, where arrows go to what was found; the focus stays in its field. */
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

  // Screens: one stop, the cards by arrows, one is chosen and let go.
  await plain('Tab');
  await tabTo(/^Café/);
  await press('lists', 'ArrowRight');
  await press('lists', 'Space');
  await page.getByRole('region', { name: '1 selected' }).waitFor();
  await press('anywhere', 'Escape');

  await goTo('Content');
  await page.getByRole('button', { name: 'Open Autumn window.jpg' }).waitFor();
  await tabTo(/^Upload files/);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
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
  // No screen has it yet, so that screens are asked for at once.
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
  await plain('ArrowDown', 'Enter', 'Escape');
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
  // One stop, the first screen's; arrows go to the next screen, and along it to what is planned there.
  await tabTo(/^Café/);
  await press('calendar', 'ArrowDown');
  await press('calendar', 'ArrowRight');
  if (!/^All by keys/.test((await keys.focus()).name)) await press('calendar', 'ArrowDown');
  assert.match((await keys.focus()).name, /^All by keys, Window left, \w+day, /, 'what, where and when are heard');
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
  await page.getByText('Saved. Its screens follow at once.').waitFor();
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
  await page.getByText('Saved. The screens follow at once.').waitFor();
  const wall = (await call('GET', '/api/walls')).find((w: { name: string }) => w.name === 'Foyer');
  assert.deepEqual(
    wall.devices.map((d: Record<string, unknown>) => [d['device_name'], d['grid_col'], d['grid_row'], d['rotation']]),
    [['Window left', 0, 0, 90]],
  );

  await find('message', 'Show a message now');
  await page.getByRole('dialog', { name: 'Message now' }).waitFor();
  await type('Till 2 is open');
  await tabTo(/^Show it now/);
  await plain('Enter');
  await page.getByRole('dialog', { name: 'Your message' }).waitFor();
  await press('anywhere', 'Escape');

  await goTo('Reports');
  await page.getByRole('table').first().waitFor();
  await tabTo(/^Autumn window\.jpg/);

  // What is deleted comes back by the message, which F6 leads to.
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

/** What screen readers were told politely. */
const heard = (page: Page, text: string): Promise<void> =>
  page
    .locator('[data-live-announcer] [aria-live=polite]')
    .getByText(text, { exact: false })
    .waitFor({ state: 'attached' });
