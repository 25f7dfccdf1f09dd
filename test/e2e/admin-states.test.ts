/**
 * The admin window in every state other than the default: each state passes the accessibility checker axe, and no
 * information depends on our colours alone.
 */
// Suite: long
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright';
import { type Site, startSite } from '../harness.ts';
import { axeFindings, keepPicture } from './hosts/admin-window.ts';
import { launchOn } from './hosts/browser.ts';
import { furnish, type Samples } from './hosts/furnished.ts';
import { STATES, type State } from './hosts/states.ts';

type Shop = { readonly site: Site; readonly browser: Browser; readonly token: string; readonly samples: Samples };

/** Opens a furnished shop in a browser. */
const openShop = async (t: TestContext): Promise<Shop> => {
  const site = await startSite(t);
  const browser = await launchOn(t, undefined);
  return { site, browser, ...(await furnish(t, site)) };
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

/**
 * Returns whether a request is for the parts around each page (account, live updates, configuration), and not for a
 * list of the page.
 */
const isOfFrame = (path: string): boolean => /\/auth\/|\/live$|\/config/.test(path);

/** Goes to a page in the open browser window. `anew` reloads the document, so that it fetches its lists again. */
const goTo = async (page: Page, site: Site, address: string, anew: boolean): Promise<void> => {
  if (anew) {
    await page.goto(`${site.origin}/#${address}`);
    await page.reload();
    await page.locator('#pane').waitFor();
    return;
  }
  // Goes to another page first, because going to the present address would load nothing.
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

/** Closes all overlays. */
const closeAll = async (page: Page): Promise<void> => {
  const over = page.locator('.dialog-veil, .popover');
  for (let tries = 0; tries < 5 && (await over.count()) > 0; tries++) {
    const discard = page.getByRole('button', { name: 'Discard', exact: true });
    if ((await discard.count()) > 0) await discard.click();
    else await page.keyboard.press('Escape');
  }
};

/** Returns selectors of the parts to check: the open overlays, or else the page, the messages and the bottom bar. */
const partsToLookAt = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const there = (parts: string[]) => parts.filter((part) => document.querySelector(part));
    const over = there(['.dialog-veil', '.popover']);
    return over.length > 0 ? over : there(['#pane', '.toasts', '.bottom-bar']);
  });

test('menus, dialogs, errors, empty and failed lists pass axe in light, dark, forced colours and small windows', {
  timeout: 280_000,
}, async (t) => {
  const { site, samples, ...rest } = await openShop(t);
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
    // Every second state in dark: the states share their colour rules. With forced colours, axe gets our text colour on
    // the system's background, which is white here.
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
      // An animation that follows a scroll position never ends.
      await Promise.allSettled(
        document.getAnimations().flatMap((one) => (one.timeline === document.timeline ? one.finished : [])),
      );
    }, theme);
    const parts = await partsToLookAt(page);
    for (const one of await axeFindings(page, 'light', ['target-size'], parts)) found.push(`${name}: ${one}`);
  }
  assert.deepEqual(found, []);
});

test('page of a deleted record says so and links to existing records, and a search accepts very long text', {
  timeout: 120_000,
}, async (t) => {
  const shop = await openShop(t);
  const page = await windowOf(shop);
  t.after(() => ((t as { passed?: boolean }).passed ? undefined : keepPicture(t, page)));
  for (const [path, way, there] of [
    ['/screens?group=gone', 'Clear the filters', 'Window left'],
    ['/content?folder=gone', 'All content', 'Autumn window.jpg'],
    ['/reports?screen=gone', 'Clear the filters', 'Autumn window.jpg'],
    ['/activity?screen=gone', 'Clear the filters', 'Today'],
    ['/schedule?for=screen:gone', 'All screens', 'Window left'],
    ['/schedule?for=group:gone', 'All screens', 'Window left'],
  ] as const) {
    await goTo(page, shop.site, path, false);
    await page.getByRole('heading', { name: 'This no longer exists.' }).waitFor();
    assert.equal(await page.locator('#pane .empty').count(), 1, path);
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path);
    await page.locator('.empty').getByRole('button', { name: way }).click();
    await page.locator('#pane').getByText(there).first().waitFor();
    assert.doesNotMatch(page.url(), /gone/);
  }
  await goTo(page, shop.site, `/screens?q=${'long '.repeat(100)}`, false);
  await page.getByRole('heading', { name: 'No screens found' }).waitFor();
});

test('the admin window stays usable when the server stops before the code of messages is loaded', {
  timeout: 90_000,
}, async (t) => {
  const shop = await openShop(t);
  const page = await windowOf(shop);
  t.after(() => ((t as { passed?: boolean }).passed ? undefined : keepPicture(t, page)));
  // The code that is loaded later is never available.
  await page.route('**/assets/Later-*', (route) => route.abort());
  await page.reload();
  await goTo(page, shop.site, '/playlists', false);
  await page.getByRole('button', { name: 'New playlist' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Window');
  await page.route('**/api/**', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) => /\/assets\/Later-/.test(request.url()));
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await failed;
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Window', level: 1 }).waitFor();
});
