/**
 * Takes a picture of every page of the admin window in a small shop: light, dark, German and on a phone, in
 * test-artefacts/pages. The list of pages comes from the router, so no page can be forgotten. No page scrolls sideways
 * on a phone, logs to the console, contacts another host, shows an untranslated text key, shifts its layout, or fails
 * the accessibility checker axe.
 */
// Suite: window
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { en } from '../../admin-ui/i18n/en.ts';
import { places as topicPlaces } from '../../admin-ui/pages/help/topics.ts';
import { type Site, startSite } from '../harness.ts';
import { axeFindings } from './hosts/admin-window.ts';
import { launchOn } from './hosts/browser.ts';
import { furnish, type Samples } from './hosts/furnished.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SHOTS = join(ROOT, 'test-artefacts', 'pages');

/** Routes without a page: redirects, and routes of a chain on a server that is not headquarters. */
const REDIRECTS = [
  '/',
  '/settings',
  '/stores',
  '/stores/$storeId',
  '/stores/orders',
  '/stores/orders/$orderId',
  '/stores/software',
  '/stores/software/$rolloutId',
  '/campaigns',
  '/campaigns/$campaignId',
  '/plays',
];
const SIGNED_OUT = ['/sign-in', '/register', '/new-password/$token', '/invite/$inviteId'];

/** The path of every route. In these files, `path: '…'` is used only for routes. */
const paths = ['frame/pages.ts', 'router.tsx'].flatMap((file) =>
  [...readFileSync(join(ROOT, 'admin-ui/app', file), 'utf8').matchAll(/\bpath: '([^']+)'/g)].map((match) => match[1]!),
);

const addressOf = (path: string, samples: Samples): string =>
  path === '$'
    ? '/nowhere'
    : path.replace(
        /\$(\w+)/g,
        (_, name: string) =>
          samples[name] ?? assert.fail(`The page ${path} needs an example of ${name} in ${import.meta.filename}`),
      );
const nameOf = (path: string): string =>
  path === '$'
    ? 'not-found'
    : path
        .replace(/^\/|\$/g, '')
        .replaceAll('/', '-')
        .replace(/-?(\w+Id|token)$/, '-one');

const keysOf = (texts: object, before = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [before + key] : keysOf(value as object, `${before}${key}.`),
  );
const KEYS = keysOf(en).filter((key) => key.includes('.'));

type Language = 'en' | 'de';

/**
 * Cumulative layout shift since the page was opened, as browsers compute it (1: the whole window moved by its whole
 * height), with the elements that moved.
 */
type Moves = { sum: number; what: string[] };
/**
 * Highest permitted layout shift: half of the value that browsers rate as good. Measured values are a tenth of this
 * limit.
 */
const MOVES_AT_MOST = 0.05;
const watchMoves = () => {
  if (window !== window.top) return;
  const moves: Moves = { sum: 0, what: [] };
  Object.assign(globalThis, { moves });
  type Shift = PerformanceEntry & {
    value: number;
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[]) {
      moves.sum += value;
      for (const { node, previousRect: from, currentRect: to } of sources)
        moves.what.push(
          `${(node as Element | null)?.className ?? node?.nodeName} ${from.x},${from.y} → ${to.x},${to.y}`,
        );
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Opens a browser window in one language. Its errors are collected in `problems`. */
const watchedWindow = async (browser: Browser, site: Site, language: Language) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    locale: language === 'de' ? 'de-DE' : 'en-GB',
  });
  // Sets the language only in the top window, because the frames of previews have no access to storage.
  await context.addInitScript((l) => window === window.top && localStorage.setItem('vitrine.language', l), language);
  await context.addInitScript(watchMoves);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  let at = '';
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(`${at} ${language}: console: ${message.text()}`),
  );
  page.on('pageerror', (error) => problems.push(`${at} ${language}: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.host !== new URL(site.origin).host)
      problems.push(`${at} ${language}: asked ${url.origin}`);
  });
  await page.goto(site.origin);
  const go = async (path: string, address: string) => {
    at = path;
    await page.evaluate((to) => {
      if (location.hash === `#${to}`) return;
      document.querySelector('h1, h2')?.setAttribute('data-before', '');
      Object.assign((globalThis as unknown as { moves: Moves }).moves, { sum: 0, what: [] });
      location.hash = to;
    }, address);
    await settled(page);
    const texts = await page.evaluate(() =>
      [...document.querySelectorAll('body *')].flatMap(({ childNodes }) =>
        [...childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.nodeValue?.trim() ?? ''] : [])),
      ),
    );
    const text = new Set(texts);
    for (const key of KEYS) if (text.has(key)) problems.push(`${path} ${language}: shows the key ${key}`);
  };
  return { page, context, problems, go };
};

/** Waits until the opened page is complete. */
const settled = (page: Page) =>
  page.waitForFunction(
    () => {
      const heading = document.querySelector('h1, h2');
      const isThere =
        heading !== null &&
        !heading.hasAttribute('data-before') &&
        document.querySelector('.bone, .scaled-busy, [data-pending]') === null;
      return (
        isThere &&
        document
          .getAnimations()
          .every(
            ({ playState, effect, timeline }) =>
              playState !== 'running' ||
              timeline !== document.timeline ||
              effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
          )
      );
    },
    undefined,
    { polling: 50 },
  );

const shoot = async (page: Page, path: string, variant: string) => {
  await page.screenshot({ path: join(SHOTS, `${nameOf(path)}.${variant}.png`) });
};

/** Pages with a picture in the handbook of the window. `VITRINE_HANDBOOK=1` takes these pictures again. */
const inHandbook = new Set(Object.values(topicPlaces).map(({ picture }) => picture));
const toHandbook = async (page: Page, path: string, language: Language) => {
  const name = nameOf(path);
  if (!process.env['VITRINE_HANDBOOK'] || !inHandbook.has(name as never)) return;
  await sharp(await page.screenshot())
    // Pictures of the handbook show only the page, without the frame around it.
    .extract({ left: 240, top: 8, width: 1192, height: 745 })
    .resize({ width: 960 })
    .webp({ quality: 72 })
    .toFile(join(ROOT, 'admin-ui/pages/help/pictures', `${name}.${language}.webp`));
};

const THEMES = ['light', 'dark'] as const;
/** The accessible name of a control must contain its visible label, so that voice control works. */
const NAMED = ['label-content-name-mismatch'];
const inThemes = async (page: Page, path: string, problems: string[]) => {
  for (const theme of THEMES) {
    await page.evaluate(async (name) => {
      document.documentElement.dataset['theme'] = name;
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      await Promise.allSettled(
        document.getAnimations().flatMap((one) => (one.timeline === document.timeline ? one.finished : [])),
      );
    }, theme);
    await shoot(page, path, `${theme}.en.1440`);
    if (theme === 'light') await toHandbook(page, path, 'en');
    for (const finding of await axeFindings(page, theme, NAMED)) problems.push(`${path} ${finding}`);
  }
};

/** Sizes: a phone, and a browser window of 1280 × 1024 at a zoom of 400 %. */
const SMALL = [
  [390, 844],
  [320, 256],
] as const;

const atSizes = async (page: Page, path: string, problems: string[]) => {
  await shoot(page, path, 'light.de.1440');
  await toHandbook(page, path, 'de');
  for (const [width, height] of SMALL) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
    await shoot(page, path, `light.de.${width}`);
    const wide = await page.evaluate(() => {
      const scrollers = [document.scrollingElement, document.querySelector('#pane')].filter((one) => one !== null);
      return scrollers.some((one) => one.scrollWidth > one.clientWidth);
    });
    if (wide) problems.push(`${path} scrolls sideways at ${width} px`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
};

test('every page fits the window, is translated, contacts no other host, and passes axe', {
  timeout: 300_000,
}, async (t) => {
  assert.ok(paths.length > 25, `the router has ${paths.length} paths`);
  rmSync(SHOTS, { recursive: true, force: true });
  mkdirSync(SHOTS, { recursive: true });
  const site = await startSite(t);
  const browser = await launchOn(t, undefined);
  const [english, german] = [await watchedWindow(browser, site, 'en'), await watchedWindow(browser, site, 'de')];
  const walk = (these: readonly string[], samples: Samples) =>
    Promise.all([
      (async () => {
        for (const path of these) {
          await english.go(path, addressOf(path, samples));
          // Measured only in the English window: the German window is resized, which moves everything.
          const { sum, what } = await english.page.evaluate(() => (globalThis as unknown as { moves: Moves }).moves);
          if (sum > MOVES_AT_MOST) english.problems.push(`${path} moves by ${sum.toFixed(3)}: ${what.join('; ')}`);
          titles.push(await english.page.title());
          await inThemes(english.page, path, english.problems);
        }
      })(),
      (async () => {
        for (const path of these) {
          await german.go(path, addressOf(path, samples));
          await atSizes(german.page, path, german.problems);
        }
      })(),
    ]);

  const titles: string[] = [];
  // This page exists only on a server without an owner.
  await walk(['/set-up'], {});
  const { token, samples } = await furnish(t, site);
  // Opened directly, as by a link: after a page of the owner, the admin window would redirect.
  for (const { page } of [english, german]) await page.goto(`${site.origin}/#/sign-in`).then(() => page.reload());
  await walk(SIGNED_OUT, samples);
  for (const { page } of [english, german]) {
    await page.evaluate((session) => localStorage.setItem('vitrine.session', session), token);
    await page.goto(`${site.origin}/#/nowhere`);
    await page.reload();
    await page.locator('#pane h2').waitFor();
  }
  await walk(
    paths.filter((path) => ![...REDIRECTS, ...SIGNED_OUT, '/set-up'].includes(path)),
    samples,
  );
  assert.deepEqual([...english.problems, ...german.problems], []);
  assert.equal(new Set(titles).size, titles.length, `each page has a title of its own: ${titles.join(', ')}`);
  for (const title of titles) assert.match(title, /^.+ · Vitrine$/);
});
