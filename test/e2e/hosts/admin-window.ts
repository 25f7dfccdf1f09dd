/** Opens the admin window in a real browser, for tests that use it like a person. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Download, Locator, Page } from 'playwright';
import { firstUser, type Site, startSite } from '../../harness.ts';
import { must, mustCallAs, person } from '../../people.ts';
import { type DEVICE, pairPlayer } from '../../player-client.ts';
import { jpegOf } from '../../sample-media.ts';
import { upload } from '../../uploads.ts';
import { sharedBrowser } from './browser.ts';

export interface AdminWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens an address of the window, as if typed. */
  go(path: string): Promise<void>;
  /** Sets another session; null: signs out. Takes effect the next time the admin window is opened. */
  signIn(session: string | null): Promise<void>;
}

/** Opens the window in English, 1440 px wide, signed in with the session unless it is null. */
export const openAdmin = async (
  t: TestContext,
  site: Pick<Site, 'origin'>,
  session: string | null,
): Promise<AdminWindow> => {
  let opened: Page | undefined;
  const said: string[] = [];
  // Takes a picture after a failed test. Registered before the context is created, so that it runs before the context
  // closes. (`passed` is in Node 24, but not in its types.)
  t.after(() => ((t as { passed?: boolean }).passed ? undefined : keepPicture(t, opened, said)));
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  t.after(() => context.close());
  await context.addInitScript(() => localStorage.setItem('vitrine.language', 'en'));
  const page = await context.newPage();
  opened = page;
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('requestfailed', (request) =>
    said.push(`${request.method()} ${request.url()} ${request.failure()?.errorText}`),
  );
  page.setDefaultTimeout(30_000);
  const signIn = async (session: string | null) => {
    // Opens an address without the admin window, because the window might go to another page during the evaluation.
    await page.goto(`${site.origin}/api/health`);
    await page.evaluate(
      (token) =>
        token === null ? localStorage.removeItem('vitrine.session') : localStorage.setItem('vitrine.session', token),
      session,
    );
  };
  if (session === null) await page.goto(site.origin);
  else await signIn(session);
  return {
    page,
    context,
    signIn,
    go: async (path) => {
      // Opens an empty page first. Otherwise only the part of the address behind # would change, and nothing would be
      // loaded.
      await page.goto('about:blank');
      await page.goto(`${site.origin}/#${path}`);
    },
  };
};

/** A separate server for the test, its owner, and the owner's window. */
export const openShop = async (t: TestContext, options?: Parameters<typeof startSite>[1]) => {
  const site = await startSite(t, options);
  const { token, current_workspace_id: workspace } = await firstUser(site);
  const call = mustCallAs(site, token);
  return {
    site,
    token,
    workspace,
    /** Sends a request as the owner, expects `status`, and returns the body of the answer. */
    call,
    /** Uploads a picture of one colour. Returns its id. */
    addPicture: async (name: string, background = '#aa0033'): Promise<string> =>
      must(await upload(site, token, await jpegOf(background), name), 201).id,
    /** Publishes a playlist. Returns its id and those of its items. */
    publish: async (name: string, ...items: readonly object[]): Promise<{ id: string; items: number[] }> => {
      const { id } = await call('POST', '/api/playlists', { name }, 201);
      const added: number[] = [];
      for (const item of items) added.push((await call('POST', `/api/playlists/${id}/items`, item, 201)).id);
      await call('POST', `/api/playlists/${id}/publish`);
      return { id, items: added };
    },
    assign: (playlist: string, device_id: string): Promise<unknown> =>
      call('POST', `/api/playlists/${playlist}/assign`, { device_id }),
    /** A paired player without a screen. */
    screen: (name: string, device?: Partial<typeof DEVICE>) => pairPlayer(t, site, token, name, device),
    ...(await openAdmin(t, site, token)),
  };
};

/** Returns the session of a new user with an account and a workspace. */
export const guestOf = async (site: Site): Promise<string> => (await person(site, 'guest@store.test')).token;

/** Keeps the last picture of a failed test and the browser's error messages. */
export const keepPicture = async (
  t: TestContext,
  page: Page | undefined,
  said: readonly string[] = [],
): Promise<void> => {
  const folder = process.env['VITRINE_TEST_ARTEFACTS'];
  if (!page || page.isClosed() || !folder) return;
  const name = `failed ${t.name.replace(/[^\p{L}\d]+/gu, '-').slice(0, 80)}`;
  const words = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
  const complaints = said.join('\n');
  writeFileSync(join(folder, `${name}.txt`), `${page.url()}\n\n${complaints}\n\n${words}\n`);
  // The text is also printed with the failure, in case the screenshot file cannot be reached. The text of the page and
  // its dialogs comes last.
  console.error(
    `the window of "${t.name}" at its end: ${page.url()}\n${complaints.slice(-1_000)}\n${words.slice(-3_000)}`,
  );
  await page.screenshot({ path: join(folder, `${name}.png`), timeout: 5_000 }).catch(() => {});
};

/**
 * Ticks a box, a radio button or a switch as a person does: clicks its visible part once this part stands still. The
 * input itself is invisible.
 */
export const tick = async (box: Locator): Promise<void> => {
  if (await box.isChecked()) return;
  await box.locator('xpath=ancestor::label[1]').click();
  await box.and(box.page().locator(':checked')).waitFor({ state: 'attached' });
};

/** Clicks the button that opens the browser's file chooser, and chooses the files. */
export const chooseFiles = async (button: Locator, files: string | string[]): Promise<void> => {
  const [chooser] = await Promise.all([button.page().waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles(files);
};

/** Clicks the button that downloads a file. Returns the download. */
export const download = async (button: Locator): Promise<Download> =>
  (await Promise.all([button.page().waitForEvent('download'), button.click()]))[0];

/** Returns the middle of the element's box. */
export const middleOf = async (drawn: Locator): Promise<{ x: number; y: number }> => {
  const { x, y, width, height } = (await drawn.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
};

/** Drags with the mouse from one point to another. @param held runs before the button is released */
export const drag = async (
  page: Page,
  from: { x: number; y: number },
  to: { x: number; y: number },
  held: () => Promise<unknown> = async () => {},
): Promise<void> => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await held();
  await page.mouse.up();
};

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
/** Accessibility rules of axe whose result depends on the theme (light or dark). */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** A script without effect. The axe builder gets it in place of axe, because the document has loaded axe already. */
const NOTHING_MORE = 'void 0';
/**
 * Loads axe once per document. The builder would load its 570 kB twice for each run, which takes longer than the run
 * itself.
 */
const loadAxe = async (page: Page): Promise<void> => {
  if (await page.evaluate(() => 'axe' in globalThis)) return;
  await page.evaluate(new AxeBuilder({ page })['script']());
};

/** Repeats the work once when the page was loaded again meanwhile, as the window does after an update of its server. */
const onLoadedPage = async <T>(page: Page, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!/context was destroyed|axe is not defined/.test(String(error))) throw error;
    await page.waitForLoadState('load');
    return await work();
  }
};

/**
 * Returns what axe finds in the page against WCAG 2.2 AA. In light, all rules run; in dark, only those about colours.
 * @param more further rules, which axe leaves out by default
 * @param within selectors of the parts to check, instead of the whole page
 */
export const axeFindings = async (
  page: Page,
  theme: 'light' | 'dark',
  more: readonly string[] = [],
  within: readonly string[] = [],
): Promise<string[]> => {
  // In its legacy mode axe does not open a blank page for each run. Previews in frames are left out, because they have
  // other tests. So is the live announcer of React Aria, which refers to the busy button by `aria-labelledby`: this
  // button may have disappeared with its dialog.
  const builder = new AxeBuilder({ page, axeSource: NOTHING_MORE })
    .setLegacyMode()
    .exclude('[data-live-announcer]')
    .exclude('iframe');
  for (const part of within) builder.include(part);
  const all = { runOnly: TAGS, rules: Object.fromEntries(more.map((rule) => [rule, { enabled: true }])) };
  const ofColour = { runOnly: { type: 'rule' as const, values: OF_COLOUR } };
  // Leaves rules that pass out of the result, because describing them takes as long as all other work.
  builder.options({ ...(theme === 'light' ? all : ofColour), resultTypes: ['violations'] });
  const { violations } = await onLoadedPage(page, async () => {
    await loadAxe(page);
    return await builder.analyze();
  });
  return violations.map(({ id, nodes }) => `${theme} ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
};

/**
 * Limits the time of an evaluation in a page, which is unlimited by default. Otherwise, the test would end without a
 * message.
 * @param ms milliseconds
 */
const inTime = async <T>(work: Promise<T>, what: string, ms = 60_000): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what} took more than ${ms / 1000} s`)), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** Checks WCAG 2.2 AA as far as axe can, in light and dark. */
export const assertAccessible = async (page: Page): Promise<void> => {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate(async (name) => {
      document.documentElement.dataset['theme'] = name;
      // Waits for colour transitions to end.
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      // An animation that follows a scroll position never ends.
      await Promise.allSettled(
        document.getAnimations().flatMap((one) => (one.timeline === document.timeline ? one.finished : [])),
      );
    }, theme);
    assert.deepEqual(await inTime(axeFindings(page, theme), `axe in ${theme}`), []);
  }
  await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'light';
  });
};
