/**
 * Every page of the admin window in a real browser: nothing moves while the page loads (cumulative layout shift), and
 * in a small browser window every region that hides a part of its content shows a fade or a scrollbar.
 */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { startSite } from '../harness.ts';
import { openAdmin } from './hosts/admin-window.ts';
import { furnish } from './hosts/furnished.ts';

/** Paths of the pages. Each record that they name exists in the furnished shop. */
const PLACES = [
  ...['screens', 'content', 'playlists', 'schedule', 'layouts', 'groups', 'walls', 'widgets', 'kiosk', 'overlay'],
  ...['reports', 'activity', 'attention', 'bin', 'account', 'settings/people', 'settings/workspaces', 'settings/brand'],
  ...['settings/tokens', 'settings/headquarters', 'settings/server', 'settings/backups', 'settings/updates'],
  ...['settings/help', 'settings/about', 'schedule?view=day', 'schedule?view=month', 'screens?view=table'],
  ...['screens/$screenId', 'playlists/$playlistId', 'layouts/$layoutId', 'groups/$groupId', 'walls/$wallId'],
  ...['widgets/$widgetId', 'kiosk/$kioskId', 'schedule?for=screen:$screenId', 'reports?view=uptime'],
] as const;

/** The largest cumulative layout shift that people hardly notice (web.dev, Core Web Vitals). */
const MAX_SHIFT = 0.1;

type Shift = { value: number; moved: string[] };
type Watching = { shifts: Shift[] };

/** Starts to record layout shifts. Shifts within 500 ms of an input are excluded, as in the metric. */
const watchShifts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watching = globalThis as unknown as Watching;
    watching.shifts = [];
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element | null }[] };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[])
        if (!entry.hadRecentInput)
          watching.shifts.push({
            value: entry.value,
            moved: entry.sources.map(({ node }) => (node instanceof Element ? node.className || node.tagName : '')),
          });
    }).observe({ type: 'layout-shift', buffered: false });
  });

const shiftsOf = (page: Page): Promise<Shift[]> =>
  page.evaluate(() => (globalThis as unknown as Watching).shifts.splice(0));

/**
 * Unit of the delays in milliseconds. The answers wait one to `STEPS` units in turn, so that each part of a page is
 * drawn separately, as over a slow connection.
 */
const STEP_MS = 60;
const STEPS = 5;

const slowDown = async (page: Page): Promise<void> => {
  let count = 0;
  await page.route('**/api/**', async (route) => {
    await sleep((1 + (count++ % STEPS)) * STEP_MS);
    await route.continue().catch(() => {});
  });
};

/** Waits until no request is pending, no placeholder is drawn, and two frames have passed. */
const settled = async (page: Page, waiting: ReadonlySet<unknown>): Promise<void> => {
  for (let still = 0; still < 4; ) {
    await sleep(STEP_MS);
    still = waiting.size === 0 ? still + 1 : 0;
  }
  await page.waitForFunction(
    () => document.querySelector('#pane h1, #pane h2') && !document.querySelector('#pane .bone'),
  );
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
};

/** Returns the regions that hide a part of their content without a fade or a scrollbar. */
const silentRegions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const silent: string[] = [];
    for (const box of document.querySelectorAll<HTMLElement>('body *')) {
      const style = getComputedStyle(box);
      if (!box.checkVisibility()) continue;
      const scrolls = (way: string) => way === 'auto' || way === 'scroll';
      const isHigh = scrolls(style.overflowY) && box.scrollHeight > box.clientHeight + 1;
      const isWide = scrolls(style.overflowX) && box.scrollWidth > box.clientWidth + 1;
      if (!isHigh && !isWide) continue;
      const hasFade = style.getPropertyValue('--hidden-after') !== '0px' && style.maskImage !== 'none';
      const hasShade = box.id === 'pane' && Number(getComputedStyle(box.parentElement!, '::after').opacity) > 0.5;
      const hasBar = box.offsetHeight - box.clientHeight > 8 || box.offsetWidth - box.clientWidth > 8;
      if (!hasFade && !hasShade && !hasBar) silent.push(`${box.tagName.toLowerCase()}.${box.className}`);
    }
    return [...new Set(silent)];
  });

test('page shifts nothing while it loads, and no region of a small browser window hides content without a sign', {
  timeout: 240_000,
}, async (t) => {
  const site = await startSite(t);
  const { token, samples } = await furnish(t, site);
  const { page, go } = await openAdmin(t, site, token);
  await page.setViewportSize({ width: 1366, height: 657 });
  await go('/settings/about');
  const waiting = new Set<unknown>();
  page.on('request', (request) => waiting.add(request));
  const end = (request: unknown) => waiting.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  await slowDown(page);
  await settled(page, waiting);
  await watchShifts(page);
  const moved: string[] = [];
  const silent: string[] = [];
  for (const place of PLACES) {
    const address = place.replace(/\$(\w+)/g, (_, name: string) => samples[name] ?? assert.fail(name));
    await shiftsOf(page);
    await page.evaluate((to) => {
      location.hash = `#/${to}`;
    }, address);
    await settled(page, waiting);
    const shifts = await shiftsOf(page);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    t.diagnostic(`${place}: ${sum.toFixed(3)}`);
    if (sum > MAX_SHIFT)
      moved.push(
        `${place}: ${sum.toFixed(3)} by ${shifts.map(({ value, moved: what }) => `${value.toFixed(3)} ${what.join(' | ')}`).join('; ')}`,
      );
    silent.push(...(await silentRegions(page)).map((region) => `${place}: ${region}`));
    await page.screenshot({
      path: `${process.env['VITRINE_TEST_ARTEFACTS'] ?? '/tmp'}/place-${place.replace(/\W+/g, '-')}.png`,
    });
  }
  assert.deepEqual(moved, []);
  assert.deepEqual(silent, []);
});
