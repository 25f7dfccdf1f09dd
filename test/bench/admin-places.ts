/** Measures every page of the admin window, and every field for searching or choosing. */
import type { Browser, Page } from 'playwright';
import { open, pause, watch, worst } from './admin-browser.ts';
import { type Measured, median } from './row.ts';
import { deviceId, PLAYLIST } from './seed.ts';
import { plentyId } from './seed-plenty.ts';

const PLACES = [
  ...['screens', 'content', 'playlists', 'schedule', 'layouts', 'groups', 'walls', 'widgets', 'kiosk', 'overlay'],
  ...['reports', 'activity', 'attention', 'bin', 'account', 'settings', 'settings/people', 'settings/workspaces'],
  ...['settings/tokens', 'settings/server', 'settings/backups', 'settings/updates', 'settings/help', 'settings/about'],
  `screens/${deviceId(3)}`,
  `playlists/${PLAYLIST}`,
  `layouts/${plentyId('layout', 3)}`,
  `groups/${plentyId('group', 3)}`,
  `walls/${plentyId('wall', 3)}`,
  `widgets/${plentyId('widget', 3)}`,
  `kiosk/${plentyId('kiosk', 3)}`,
];
/** Milliseconds. A page is complete when no element was added for this time. */
const STILL = 900;
const PATIENCE_STEPS = 60;
const ELSEWHERE = 'settings/help';

type Looking = { lastAdded: number };

/**
 * Milliseconds from the click until the last element except pictures was added, on the first visit in an open window.
 */
const settled = async (browser: Browser, origin: string, place: string): Promise<number> => {
  const { context, page } = await open(browser, origin);
  // The measurement starts on the handbook, which shares almost no code with other pages.
  await page.goto(`${origin}/#/${place === ELSEWHERE ? 'bin' : ELSEWHERE}`);
  await page.locator('#pane h1').first().waitFor();
  await pause(STILL);
  const from = await page.evaluate((to) => {
    const looking = globalThis as unknown as Looking;
    looking.lastAdded = performance.now();
    new MutationObserver((all) => {
      // Pictures appear when they are loaded. The user can work meanwhile.
      const isNew = (node: Node) => node.nodeName !== 'IMG';
      if (all.some(({ addedNodes }) => [...addedNodes].some(isNew))) looking.lastAdded = performance.now();
    }).observe(document, { childList: true, subtree: true });
    location.hash = `#/${to}`;
    return performance.now();
  }, place);
  const look = () =>
    page.evaluate(() => ({ at: (globalThis as unknown as Looking).lastAdded, now: performance.now() }));
  let last = await look();
  for (let step = 0; step < PATIENCE_STEPS && last.now - last.at < STILL; step++) {
    await pause(150);
    last = await look();
  }
  await context.close();
  return last.at - from;
};

export const slowestPlace = async (browser: Browser, origin: string): Promise<Measured> => {
  const all: { place: string; ms: number }[] = [];
  for (const place of PLACES) all.push({ place, ms: await settled(browser, origin, place) });
  const slowest = all.reduce((a, b) => (b.ms > a.ms ? b : a));
  const kind = slowest.place.replace(/\/0199.*/, '/one');
  return {
    value: slowest.ms,
    note: `${PLACES.length} places, none visited before; slowest ${kind}, median ${Math.round(median(all.map(({ ms }) => ms)))}`,
  };
};

/** Fields for typing: the page, how to reach the field, and the text. */
const FIELDS: readonly { name: string; place: string; to: (page: Page) => Promise<void>; text: string }[] = [
  ...['screens', 'content', 'playlists', 'layouts', 'groups', 'walls', 'widgets', 'kiosk'].map((place) => ({
    name: place,
    place,
    to: (page: Page) => page.getByRole('searchbox').first().click(),
    text: 'creen a1',
  })),
  {
    name: 'anything',
    place: 'screens',
    to: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
    text: 'Playlist 12',
  },
  {
    name: 'group of screens',
    place: 'screens',
    to: async (page) => {
      await page.getByRole('button', { name: 'All groups' }).click();
      await page.getByRole('listbox').waitFor();
    },
    text: 'Department 12',
  },
  {
    name: 'screens of a new group',
    place: 'groups',
    to: async (page) => {
      await page.getByRole('button', { name: 'New group' }).click();
      await page.getByRole('dialog').getByRole('searchbox').click();
    },
    text: 'Screen 012',
  },
  {
    name: 'for whom a plan is',
    place: 'schedule',
    to: async (page) => {
      await page.getByRole('button', { name: 'New plan' }).first().click();
      await page.getByRole('dialog').getByRole('combobox').first().click();
    },
    text: 'Department 12',
  },
  {
    name: 'library beside a playlist',
    place: `playlists/${PLAYLIST}`,
    to: (page) => page.getByRole('searchbox').first().click(),
    text: 'offer 12',
  },
];

/** The page's longest task between two keys, over all fields. */
export const slowestTyping = async (browser: Browser, origin: string): Promise<Measured> => {
  const all: { name: string; task: number }[] = [];
  for (const { name, place, to, text } of FIELDS) {
    const { context, page } = await open(browser, origin);
    await page.goto(`${origin}/#/${place}`);
    await page.locator('#pane h1').first().waitFor();
    await pause(1500);
    await to(page);
    await pause(500);
    const { tasks } = await watch(page, async () => {
      await page.keyboard.type(text, { delay: 80 });
      await pause(400);
    });
    all.push({ name, task: worst(tasks) });
    await context.close();
  }
  const slowest = all.reduce((a, b) => (b.task > a.task ? b : a));
  return { value: slowest.task, note: `processor time; ${all.length} fields, slowest ${slowest.name}` };
};
