/** The admin window in a real browser, for journeys through it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page } from 'playwright';
import type { Site } from '../../harness.ts';
import { launchOn } from './browser.ts';

export interface AdminWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens an address of the window, as if it was typed. */
  go(path: string): Promise<void>;
}

/** English, 1440 px wide, signed in with the session unless there is none. */
export const openAdmin = async (t: TestContext, site: Pick<Site, 'origin'>, session: string | null): Promise<AdminWindow> => {
  const browser = await launchOn(t, undefined);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', acceptDownloads: true });
  await context.addInitScript(() => localStorage.setItem('vitrine.language', 'en'));
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(site.origin);
  if (session !== null) await page.evaluate((token) => localStorage.setItem('vitrine.session', token), session);
  return {
    page,
    context,
    go: async (path) => {
      await page.goto(`${site.origin}/#${path}`);
      await page.reload();
    },
  };
};

/** WCAG 2.2 AA as far as axe can tell, light and dark. */
export const assertAccessible = async (page: Page): Promise<void> => {
  for (const theme of ['light', 'dark']) {
    await page.evaluate(async (name) => {
      document.documentElement.dataset['theme'] = name;
      // Colours that are on their way are nobody's colours.
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    }, theme);
    // React Aria's announcer keeps a picture named after the button that was busy; the button may be gone with its dialog.
    const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).exclude('[data-live-announcer]').analyze();
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${theme} ${id}: ${nodes.map((n) => n.target.join(' ')).join(', ')}`),
      [],
    );
  }
  await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'light';
  });
};
