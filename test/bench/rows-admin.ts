/**
 * The admin window in a real browser, with the data of a store after years: 10,000 contents, 2,000 screens, hundreds of
 * everything else.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import sharp from 'sharp';
// @ts-expect-error: plain JavaScript without declarations
import { ensureBuilt } from '../../build/ensure-built.mjs';
import { CHROMIUM } from '../../player/agent/testing/chromium.ts';
import type { Database } from '../../server/db/database.ts';
import { ARGS, open, pause, SESSION, sumOf, type Watched, watch, worst } from './admin-browser.ts';
import { slowestPlace, slowestTyping } from './admin-places.ts';
import { startServer } from './child.ts';
import { type Group, median, must, times } from './row.ts';
import { addContents, addDevices, addPlaylist, addStore, PLAYLIST, seed, TOKEN, WORKSPACE } from './seed.ts';
import { addPlenty } from './seed-plenty.ts';

const CONTENTS = 10_000;
const SCREENS = 2000;
/** Number of different pictures in the library. */
const PICTURES = 24;

/** Adds a signed-in user, and pictures with thumbnails as the server makes them. */
const fill = async (data: string): Promise<void> => {
  const now = Math.floor(Date.now() / 1000);
  seed(data, (db) => {
    addStore(db);
    db.raw
      .prepare('INSERT INTO sessions (hash, user_id, workspace_id, expires_at, created_at) VALUES (?, ?, ?, ?, ?)')
      .run(hash('sha256', SESSION, 'hex'), 'bench-user', WORKSPACE, now + 86_400, now);
  });
  const server = await startServer(data);
  try {
    for (let n = 0; n < PICTURES; n++) await uploadPicture(server.port, n);
    await thumbnailsOf(server.port);
  } finally {
    await server.stop();
  }
  seed(data, (db) => {
    addContents(db, CONTENTS);
    giveThumbnails(db);
    addPlaylist(db, 40);
    addDevices(db, SCREENS, { playlist: PLAYLIST });
    addPlenty(db);
  });
};

const uploadPicture = async (port: number, n: number): Promise<void> => {
  const { r, g, b } = { r: (n * 37) % 256, g: (n * 91) % 256, b: (n * 53) % 256 };
  const noise = await sharp({
    create: {
      width: 1920,
      height: 1080,
      channels: 3,
      background: { r, g, b },
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(noise)]), `picture ${n}.jpg`);
  const answer = await fetch(`http://127.0.0.1:${port}/api/content`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}` },
    body: form,
  });
  must(answer.status === 201, `an upload was answered ${answer.status}`);
};

const thumbnailsOf = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    const rows = (await (
      await fetch(`http://127.0.0.1:${port}/api/content?limit=100`, { headers: { Authorization: `Bearer ${TOKEN}` } })
    ).json()) as {
      thumbnail_path: string | null;
    }[];
    if (rows.every((row) => row.thumbnail_path !== null)) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error('The thumbnails were not made');
};

const giveThumbnails = ({ raw }: Database): void => {
  const shots = raw.prepare('SELECT sha256, thumbnail FROM content WHERE thumbnail IS NOT NULL').all() as {
    sha256: string;
    thumbnail: string;
  }[];
  const give = raw.prepare('UPDATE content SET sha256 = ?, thumbnail = ? WHERE thumbnail IS NULL AND rowid % ? = ?');
  for (const [n, { sha256, thumbnail }] of shots.entries()) give.run(sha256, thumbnail, shots.length, n);
};

/**
 * Measures the transfer until the screens page is usable: compressed bytes of page, scripts, styles and fonts, and
 * milliseconds.
 */
const firstLoad = async (browser: Browser, origin: string) => {
  const { context, page } = await open(browser, origin);
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Performance.enable', { timeDomain: 'threadTicks' });
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  line.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength));
  await page.goto(`${origin}/#/screens`, { waitUntil: 'commit' });
  await page.locator('.screen-card').first().waitFor();
  const ms = await page.evaluate(() => performance.now());
  const { metrics } = await line.send('Performance.getMetrics');
  const busy = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  await page.waitForLoadState('networkidle');
  const of = (...wanted: string[]) =>
    [...bytes].filter(([id]) => wanted.includes(kinds.get(id) ?? '')).reduce((sum, [, size]) => sum + size, 0);
  const sizes = {
    page: of('Document', 'Script', 'Stylesheet', 'Font', 'Image', 'Other'),
    fonts: of('Font'),
    data: of('Fetch', 'XHR'),
  };
  await context.close();
  return { ms, busy, ...sizes };
};

const wave = async (page: Page, x: number, y: number): Promise<void> => {
  for (let n = 0; n < 180; n++) {
    await page.mouse.move(x + Math.sin(n / 9) * 20, y + 160 - Math.cos(n / 20) * 160);
    await pause(12);
  }
};

const rate = (gaps: readonly number[]): number => (gaps.length * 1000) / sumOf(gaps);

/** Makes the same mouse movement over an empty page, which shows how fast this machine draws at the moment. */
const dragNothing = async (browser: Browser): Promise<Watched> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.setContent('<p style="height: 3000px">.</p>');
  const watched = await watch(page, () => wave(page, 300, 300));
  await page.close();
  return watched;
};

/** Drags the third item of a list of forty up and down for some seconds, like a person. */
const drag = async (browser: Browser, origin: string) => {
  const { context, page } = await open(browser, origin);
  await page.goto(`${origin}/#/playlists/${PLAYLIST}`);
  await page.locator('.item-row').nth(5).waitFor();
  await page.locator('.library img').first().waitFor();
  const handle = await page.locator('.item-handle').nth(2).boundingBox();
  must(handle !== null, 'the list has no handles');
  const [x, y] = [handle!.x + 8, handle!.y + handle!.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 12, { steps: 4 });
  await page.locator('.item-row.lifted').waitFor();
  const watched = await watch(page, () => wave(page, x, y));
  await page.mouse.up();
  await context.close();
  return watched;
};

/** Scrolls to the end with the wheel, then jumps with the keyboard. */
const scroll = async (browser: Browser, origin: string, path: string, cell: string) => {
  const { context, page } = await open(browser, origin);
  await page.goto(`${origin}/#${path}`);
  await page.locator(cell).first().waitFor();
  await pause(500);
  await page.mouse.move(900, 600);
  const watched = await watch(page, async () => {
    for (let n = 0; n < 120; n++) {
      await page.mouse.wheel(0, n < 80 ? 240 : 2400);
      await pause(16);
    }
    for (const share of [1, 0.25, 0.7, 0]) {
      await page.evaluate((to) => {
        const pane = document.getElementById('pane')!;
        pane.scrollTop = pane.scrollHeight * to;
      }, share);
      await page.locator(cell).first().waitFor();
      await pause(250);
    }
  });
  await context.close();
  return watched;
};

export const adminRows: Group = {
  rows: [
    { key: 'adminSize', what: 'admin window, first load compressed', unit: 'kB', budget: 300, better: 'less' },
    { key: 'adminUsable', what: 'the same, until its screens can be used', unit: 'ms', budget: 1000, better: 'less' },
    {
      key: 'adminDrag',
      what: 'frames while a playlist item is dragged',
      unit: '/s',
      budget: 58,
      better: 'more',
      bareThere: 60,
    },
    { key: 'adminContents', what: 'scrolling 10,000 contents, longest task', unit: 'ms', budget: 50, better: 'less' },
    { key: 'adminScreens', what: 'scrolling 2,000 screens, longest task', unit: 'ms', budget: 50, better: 'less' },
    {
      key: 'adminPlaces',
      what: 'any place of the window until all but its pictures is there',
      unit: 'ms',
      budget: 1000,
      better: 'less',
    },
    { key: 'adminTyping', what: 'typing to find or choose, longest task', unit: 'ms', budget: 50, better: 'less' },
  ],
  async run({ folder, wants, report }) {
    await ensureBuilt(process.execPath, { wanted: ['admin'] });
    const data = join(folder, 'admin');
    await fill(data);
    const server = await startServer(data, { probe: false });
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    const origin = `http://127.0.0.1:${server.port}`;
    try {
      const loads = await times(5, () => firstLoad(browser, origin));
      const first = loads[0]!;
      if (wants('adminSize'))
        report('adminSize', {
          value: first.page / 1000,
          note: `${Math.round(first.fonts / 1000)} kB of it fonts; besides ${Math.round(first.data / 1000)} kB of data`,
        });
      if (wants('adminUsable'))
        report('adminUsable', {
          value: median(loads.map(({ ms }) => ms)),
          note: `with 2,000 screens, nothing cached; worst ${Math.round(worst(loads.map(({ ms }) => ms)))}; the page’s own work ${Math.round(median(loads.map(({ busy }) => busy)))} ms`,
        });
      if (wants('adminDrag')) {
        const { gaps, tasks } = await drag(browser, origin);
        const perFrame = sumOf(tasks) / gaps.length;
        report('adminDrag', {
          value: rate(gaps),
          bare: rate((await dragNothing(browser)).gaps),
          note: `a frame's work takes ${perFrame.toFixed(1)} ms, the longest task ${worst(tasks).toFixed(0)} ms`,
        });
      }
      for (const [key, path, cell] of [
        ['adminContents', '/content', '.content-card:not(.loading)'],
        ['adminScreens', '/screens', '.screen-card'],
      ] as const) {
        if (!wants(key)) continue;
        const { gaps, tasks, long } = await scroll(browser, origin, path, cell);
        report(key, {
          value: worst(tasks),
          note: `processor time; by the clock ${long.length} over 50 ms; median frame ${median(gaps).toFixed(1)} ms`,
        });
      }
      if (wants('adminPlaces')) report('adminPlaces', await slowestPlace(browser, origin));
      if (wants('adminTyping')) report('adminTyping', await slowestTyping(browser, origin));
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};
