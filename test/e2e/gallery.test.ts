/**
 * Opens the gallery of components (admin-ui/dev/gallery) in a browser, in light and dark, English and German. Takes a
 * picture of each section and of each overlay, in test-artefacts/gallery.
 */
// Suite: window
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright';
import { createServer } from 'vite';
import { freePort } from '../harness.ts';
import { axeFindings } from './hosts/admin-window.ts';
import { launchOn } from './hosts/browser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SHOTS = join(ROOT, 'test-artefacts', 'gallery');

/** Starts the development server of the admin window, without a Vitrine server. Returns the address of the gallery. */
const serveGallery = async (t: TestContext): Promise<string> => {
  const port = await freePort();
  const vite = await createServer({
    configFile: join(ROOT, 'admin-ui', 'vite.config.ts'),
    // Loads the settings without a temporary file in node_modules.
    configLoader: 'native',
    // Prepared packages are kept for the next run. Vite prepares them again when a version changes.
    cacheDir: join(ROOT, '.vitrine', 'gallery'),
    logLevel: 'error',
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      hmr: false,
      watch: null,
      // node_modules may be a link to another folder.
      fs: { allow: [ROOT, realpathSync(join(ROOT, 'node_modules'))] },
    },
  });
  t.after(() => vite.close());
  await vite.listen();
  return `http://127.0.0.1:${port}/dev/gallery/`;
};

type Problems = Record<'console' | 'requests' | 'overflow' | 'empty' | 'accessibility', string[]>;
type Variant = { readonly theme: 'light' | 'dark'; readonly language: 'en' | 'de' };
const WIDTHS = [1280, 390] as const;
/** The question mark at the end of a label extends into the gap beside the field. */
const SLACK_PX = 4;
const OVERLAY = '.popover, .dialog-box, .toast';

const openGallery = async (browser: Browser, address: string, { theme, language }: Variant, problems: Problems) => {
  const context = await browser.newContext({
    viewport: { width: WIDTHS[0], height: 900 },
    reducedMotion: 'reduce',
    locale: language === 'de' ? 'de-DE' : 'en-GB',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.console.push(`${theme} ${language}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.console.push(`${theme} ${language}: ${error.message}`));
  page.on('request', (request) => {
    const { host, pathname } = new URL(request.url());
    const isOwn = !request.url().startsWith('http') || host === new URL(address).host;
    if (!isOwn || (pathname.startsWith('/api/') && !pathname.endsWith('.ts'))) problems.requests.push(request.url());
  });
  await page.goto(`${address}?theme=${theme}&language=${language}`, { timeout: 60_000 });
  // The first load waits until Vite has prepared the packages.
  await page.locator('#pane').waitFor({ timeout: 60_000 });
  return page;
};

/** Waits for two frames: layout and the effects that follow have run. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));

/** Returns the stories that show nothing, and those that are wider than their place. */
const checkStories = (page: Page) =>
  page.evaluate((slack) => {
    const stories = [...document.querySelectorAll<HTMLElement>('[data-story]')].map((story) => {
      const stage = story.querySelector<HTMLElement>('.gallery-stage')!;
      const isVisible = (element: Element) => {
        const { width, height } = element.getBoundingClientRect();
        return width > 0 && height > 0;
      };
      return {
        name: story.dataset['story']!,
        isEmpty: ![...stage.querySelectorAll('*')].some(isVisible),
        excess: stage.scrollWidth - stage.clientWidth,
      };
    });
    const pages = [document.documentElement, document.getElementById('pane')!];
    return {
      count: stories.length,
      empty: stories.filter(({ isEmpty }) => isEmpty).map(({ name }) => name),
      wide: [
        ...stories.filter(({ excess }) => excess > slack).map(({ name, excess }) => `${name} by ${excess} px`),
        ...pages.filter((one) => one.scrollWidth > one.clientWidth).map((one) => `<${one.localName}>`),
      ],
    };
  }, SLACK_PX);

/** Makes the browser window as high as the section, so that a picture shows all stories. */
const fitHeight = async (page: Page, width: number) => {
  await page.setViewportSize({ width, height: 900 });
  await drawn(page);
  const height = await page.evaluate(
    () =>
      document.getElementById('pane')!.scrollHeight +
      document.querySelector<HTMLElement>('.gallery-head')!.offsetHeight,
  );
  await page.setViewportSize({ width, height });
  await drawn(page);
};

/**
 * Returns texts of the open overlay with too little contrast. Uses the copy of axe that `axeFindings` has put into the
 * page, because another copy takes half a second.
 */
const contrastOfOverlay = (page: Page): Promise<string[]> =>
  page.evaluate(async (within) => {
    const { axe } = globalThis as any;
    const rules = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] };
    const { violations } = await axe.run({ include: [[within]] }, rules);
    return violations.flatMap(({ nodes }: any) => nodes.map(({ target }: any) => `contrast: ${target.join(' ')}`));
  }, OVERLAY);

/** Opens each overlay of the section and takes a picture. */
const checkOverlays = async (page: Page, section: string, { theme, language }: Variant, problems: Problems) => {
  const { width } = page.viewportSize()!;
  for (const opener of await page.locator('[data-opens]').all()) {
    const story = (await opener.locator('xpath=ancestor::figure').getAttribute('data-story'))!;
    const overlay = page.locator(OVERLAY).last();
    const control = opener.locator('button, input').first();
    await control.click();
    // A list with a search field opens on focus, unless the browser has given it the focus before.
    if ((await control.getAttribute('role')) === 'combobox') await control.press('ArrowDown');
    await overlay.waitFor();
    await drawn(page);
    const file = [section, story.replaceAll(/\W+/g, '-'), theme, language, width, 'png'].join('.');
    await page.screenshot({ path: join(SHOTS, file) });
    const excess = await overlay.evaluate((box) =>
      Math.max(
        box.scrollWidth - box.clientWidth,
        box.getBoundingClientRect().right - innerWidth,
        -box.getBoundingClientRect().left,
      ),
    );
    if (excess > 0) problems.overflow.push(`${story}, open, at ${width} px by ${excess} px`);
    for (const finding of await contrastOfOverlay(page))
      problems.accessibility.push(`${story}, open in ${theme}: ${finding}`);
    const close = page.locator('.toast [slot=close]');
    if ((await close.count()) > 0) await close.first().click();
    for (let tries = 0; tries < 3 && (await page.locator(OVERLAY).count()) > 0; tries++)
      await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
  }
};

test('gallery shows every component in both themes and languages', { timeout: 240_000 }, async (t) => {
  rmSync(SHOTS, { recursive: true, force: true });
  mkdirSync(SHOTS, { recursive: true });
  // The browser ends before the development server, which waits for open connections.
  const browser = await launchOn(t, undefined);
  const address = await serveGallery(t);
  const problems: Problems = { console: [], requests: [], overflow: [], empty: [], accessibility: [] };
  let stories = 0;

  /** @param isFirst whether to open the overlays too: once in each theme, at one of the widths */
  const walk = async (page: Page, variant: Variant, isFirst: boolean) => {
    const sections = await page.locator('.gallery-head nav a').allTextContents();
    for (const section of sections) {
      await page.evaluate((to) => {
        location.hash = to;
      }, section);
      await page.locator(`[data-section="${section}"]`).waitFor();
      for (const width of WIDTHS) {
        const where = `${section} ${variant.theme} ${variant.language} ${width}`;
        await fitHeight(page, width);
        const found = await checkStories(page);
        stories += found.count;
        problems.empty.push(...found.empty.map((name) => `${where}: ${name}`));
        problems.overflow.push(...found.wide.map((name) => `${where}: ${name}`));
        if (isFirst || width === WIDTHS[0])
          await page.screenshot({ path: join(SHOTS, `${where.replaceAll(' ', '.')}.png`) });
        if (width === WIDTHS[0] && isFirst)
          for (const finding of await axeFindings(page, variant.theme))
            problems.accessibility.push(`${where}: ${finding}`);
        await page.setViewportSize({ width, height: 900 });
        if (isFirst && width === (variant.theme === 'light' ? WIDTHS[0] : WIDTHS[1]))
          await checkOverlays(page, section, variant, problems);
      }
    }
  };
  const inTheme = async (
    theme: Variant['theme'],
    [first, second]: readonly [Variant['language'], Variant['language']],
  ) => {
    const page = await openGallery(browser, address, { theme, language: first }, problems);
    await walk(page, { theme, language: first }, true);
    await page.getByRole('radio', { name: second === 'de' ? 'Deutsch' : 'English' }).click();
    await page.locator(`html[lang=${second}]`).waitFor();
    await walk(page, { theme, language: second }, false);
  };
  await Promise.all([inTheme('light', ['en', 'de']), inTheme('dark', ['de', 'en'])]);

  assert.ok(stories > 500, `${stories} stories were checked`);
  await t.test('no story writes an error to the console', () => assert.deepEqual(problems.console, []));
  await t.test('no story sends a request to a server', () => assert.deepEqual(problems.requests, []));
  await t.test('no story is wider than its place', () => assert.deepEqual(problems.overflow, []));
  await t.test('no story is empty', () => assert.deepEqual(problems.empty, []));
  await t.test('every story passes axe, with a contrast of 4.5 for texts', () =>
    assert.deepEqual(problems.accessibility, []),
  );
});
