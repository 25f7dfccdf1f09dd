/** A video wall on one machine: the real server, four real agents and a Chromium window for each; with measurements. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { Agent } from '../../player/agent/agent.ts';
import { launchBrowser } from '../../player/screen/testing/browser.ts';
import { plainJpeg } from '../../player/screen/testing/pictures.ts';
import { type Ending, firstUser, type Site, startSite } from '../harness.ts';
import { must, mustCallAs } from '../people.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { screenAgent } from './hosts/agent.ts';
import type { Seen } from './wall-figures.ts';

/** Every window is a panel of 480 × 270 pixels. Each panel measures 400 × 225 mm on the wall. */
export const PANEL = { width: 480, height: 270 };

export interface Panel {
  readonly deviceId: string;
  readonly page: Page;
  readonly rotation: 0 | 90;
  /** Address of the panel's page on its agent. */
  readonly address: string;
}

export interface WallRig {
  readonly site: Site;
  readonly token: string;
  readonly wallId: string;
  readonly panels: readonly Panel[];
  readonly call: ReturnType<typeof mustCallAs>;
  upload(name: string, bytes: Buffer): Promise<string>;
}

const REFRESH_MS = 1000 / 60;

/** Observes the page. Runs in the page before any other script. */
function watch(): void {
  const seen = {
    frames: [] as { at: number; media: number; clip: string }[],
    changes: [] as { at: number; began: number; item: string }[],
  };
  (globalThis as unknown as { seen: unknown }).seen = seen;
  const isLit = (video: HTMLVideoElement): boolean =>
    video.classList.contains('lit') && video.closest('.slot')?.classList.contains('front') === true;
  const stood = new WeakMap<HTMLVideoElement, number>();
  const note = (video: HTMLVideoElement, at: number, media: number): void => {
    seen.frames.push({ at: performance.timeOrigin + at, media: Math.round(media * 1000), clip: video.src.slice(-8) });
  };
  const native = HTMLVideoElement.prototype.requestVideoFrameCallback;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
    return native.call(this, (now, frame) => {
      stood.set(this, frame.mediaTime);
      if (isLit(this)) note(this, frame.expectedDisplayTime, frame.mediaTime);
      callback(now, frame);
    });
  };
  // Adds a new element, a dot, at each change of the item, because the browser reports when it has presented a frame
  // with a newly painted element.
  const dots = new Map<string, { item: string; began: number; dot: HTMLElement }>();
  let count = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { identifier: string; renderTime: number })[]) {
      const change = dots.get(entry.identifier);
      if (!change) continue;
      dots.delete(entry.identifier);
      change.dot.remove();
      seen.changes.push({
        at: performance.timeOrigin + entry.renderTime,
        began: performance.timeOrigin + change.began,
        item: change.item,
      });
    }
  }).observe({ type: 'element' });
  let shown = '';
  new MutationObserver((records) => {
    for (const { target } of records) {
      const began = Number(document.timeline.currentTime);
      if (target instanceof HTMLVideoElement && isLit(target)) note(target, began, stood.get(target) ?? 0);
      if (!(target instanceof HTMLElement) || !target.classList.contains('slot') || !target.classList.contains('front'))
        continue;
      const video = target.querySelector<HTMLVideoElement>('video.lit');
      const item = (target.querySelector('img')?.src ?? video?.src ?? '').slice(-8);
      if (item === shown) continue;
      shown = item;
      if (video) note(video, began, stood.get(video) ?? 0);
      const dot = Object.assign(document.createElement('div'), { textContent: '.' });
      const id = `dot${++count}`;
      dot.setAttribute('elementtiming', id);
      dot.style.cssText = 'position:fixed;left:0;top:0;font-size:4px;z-index:99';
      dots.set(id, { item, began, dot });
      document.body.append(dot);
    }
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] });
}

const pairAll = async (call: WallRig['call'], names: readonly string[]): Promise<string[]> => {
  const waiting = await until('all players have come', 20_000, async () => {
    const pending: { pending_id: string; name: string }[] = await call('GET', '/api/devices/pending');
    return pending.length >= names.length && pending;
  });
  const ids = names.map((name) => waiting.find((one) => one.name === name)?.pending_id);
  return Promise.all(
    ids.map(async (pending_id) => (await call('POST', '/api/devices/pair', { pending_id }, 201)).id as string),
  );
};

/** Two by two panels with bezels of 20 mm. The panel at the bottom right hangs upright (rotated by 90°). */
export const hangWall = async (t: Ending): Promise<WallRig> => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const call = mustCallAs(site, token);
  const names = ['top left', 'top right', 'bottom left', 'bottom right'];
  const addresses = await Promise.all(
    names.map(async (name) => {
      const agent = new Agent(screenAgent(t, site.origin, name));
      t.after(() => agent.stop());
      return agent.start();
    }),
  );
  // Each panel has its own browser, as on a real wall: pages in the same browser share the processes that draw.
  const opened = await Promise.all(
    addresses.map(async (address) => {
      const browser = await launchBrowser();
      t.after(() => browser.close());
      const page = await (await browser.newContext({ viewport: PANEL })).newPage();
      await page.addInitScript(watch);
      await page.goto(address);
      return page;
    }),
  );
  const ids = await pairAll(call, names);
  const rotations = [0, 0, 0, 90] as const;
  const wall = await call(
    'POST',
    '/api/walls',
    {
      name: 'Entrance',
      grid_cols: 2,
      grid_rows: 2,
      bezel_h_mm: 20,
      bezel_v_mm: 20,
      screen_w_mm: 400,
      screen_h_mm: 225,
    },
    201,
  );
  const members = ids.map((device_id, i) => ({ device_id, grid_col: i % 2, grid_row: i >> 1, rotation: rotations[i] }));
  await call('PUT', `/api/walls/${wall.id}/devices`, { devices: members });
  const panels = opened.map((page, i) => ({
    deviceId: ids[i] ?? '',
    page,
    rotation: rotations[i] ?? 0,
    address: addresses[i] ?? '',
  }));
  return {
    site,
    token,
    wallId: wall.id,
    panels,
    call,
    upload: async (name, bytes) =>
      must(await upload(site, token, bytes, `${randomBytes(2).toString('hex')}-${name}`), 201).id,
  };
};

/** Resolves once every panel knows the refresh rate of the leading panel, which arrives with heartbeats every 15 s. */
const aimed = async (panels: readonly Panel[]): Promise<void> => {
  const told = async ({ address }: Panel): Promise<boolean> =>
    ((await (await fetch(new URL('clock?t0=0', address))).json()) as { wall_refresh: unknown }).wall_refresh !== null;
  const all = async () => (await Promise.all(panels.map(told))).every(Boolean);
  await until('every panel is told what the wall aims at', 60_000, all, 500);
};

const reset = (panels: readonly Panel[]): Promise<unknown> =>
  Promise.all(
    panels.map(({ page }) =>
      page.evaluate(() => Object.assign((globalThis as unknown as { seen: Seen }).seen, { frames: [], changes: [] })),
    ),
  );

const seenOn = (panels: readonly Panel[]): Promise<Seen[]> =>
  Promise.all(panels.map(({ page }) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)));

/** Waits until all panels show the same item on the visible surface. */
export const allShow = (rig: WallRig, selector: string): Promise<unknown> =>
  Promise.all(
    rig.panels.map(({ page }) =>
      page.waitForSelector(`.slot.front ${selector}`, { state: 'attached', timeout: 20_000 }),
    ),
  );

/**
 * Each frame contains its number, modulo 8, as a grey in two of three rows. So every panel shows some of this grey, in
 * any rotation.
 */
const numbered = (size: string): string =>
  `testsrc2=s=${size}:r=25,format=gray,geq=lum='if(lt(mod(Y,24),16),${DARKEST}+${GREY_STEP}*mod(N,8),lum(X,Y))'`;
const DARKEST = 16;
const GREY_STEP = 28;
/** Returns the frame number that the most frequent grey means. Darker pixels are outside of the clip. */
const numberIn = async (photograph: Buffer): Promise<number> => {
  const counts = new Array<number>(8).fill(0);
  for (const grey of await sharp(photograph).removeAlpha().greyscale().raw().toBuffer()) {
    const number = Math.round((grey - DARKEST) / GREY_STEP);
    if (Math.abs(grey - DARKEST - GREY_STEP * number) <= 5 && number >= 0 && number < 8)
      counts[number] = (counts[number] ?? 0) + 1;
  }
  return counts.indexOf(Math.max(...counts));
};
const FRAME_MS = 40;

/**
 * Clips for the wall. Two CPU cores can decode the small clip four times at once in software; the large clip is too
 * much for them.
 */
export const FILMS = {
  small: { what: '640 × 360, 25 frames a second, VP9', source: numbered('640x360') },
  large: { what: '1280 × 720, 25 frames a second, VP9', source: numbered('1280x720') },
} as const;
export const FILM_SECONDS = 2;

/** Milliseconds of one round of the playlist: two stills of one second each, and the clip of two seconds twice. */
export const ROUND_MS = 6_000;

/**
 * Plays two stills and the clip in turn on the wall. Resolves once all were shown and every panel has its timing
 * target.
 */
export const prepareWall = async (rig: WallRig, film: Buffer): Promise<void> => {
  const colours = [['red', [220, 30, 40]] as const, ['blue', [30, 60, 210]] as const];
  const stills = await Promise.all(
    colours.map(async ([name, colour]) => rig.upload(`${name}.jpg`, await plainJpeg(colour, 820, 646))),
  );
  const { id } = await rig.call('POST', '/api/playlists', { name: 'Wall' }, 201);
  const items = [
    ...stills.map((content_id) => ({ content_id, duration_sec: 1 })),
    { content_id: await rig.upload('film.webm', film), duration_sec: 2 * FILM_SECONDS },
  ];
  for (const item of items) await rig.call('POST', `/api/playlists/${id}/items`, item, 201);
  await rig.call('POST', `/api/playlists/${id}/publish`);
  await rig.call('PUT', `/api/walls/${rig.wallId}`, { playlist_id: id });
  await allShow(rig, 'video.lit');
  await aimed(rig.panels);
  await pause(ROUND_MS);
};

export const watchWall = async (rig: WallRig, ms: number): Promise<Seen[]> => {
  await reset(rig.panels);
  await pause(ms);
  return seenOn(rig.panels);
};

/**
 * Compares photographs of the panels with the reports of their browsers. Returns how many photographs show a frame that
 * was visible while the photograph was taken. One refresh of tolerance, since a photograph shows the next frame that is
 * drawn.
 */
export const checkPixels = async (
  rig: WallRig,
  rounds = 4,
): Promise<{ readonly taken: number; readonly right: number }> => {
  await reset(rig.panels);
  const photographs: { panel: number; from: number; to: number; number: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [panel, { page }] of rig.panels.entries()) {
      await page.waitForSelector('.slot.front video.lit', { state: 'attached', timeout: 2 * ROUND_MS });
      const from = Date.now();
      const shot = await page.screenshot();
      const to = Date.now();
      const still = await page.evaluate(() => document.querySelector('.slot.front video.lit') !== null);
      if (still) photographs.push({ panel, from, to, number: await numberIn(shot) });
    }
  }
  const seen = await seenOn(rig.panels);
  const right = photographs.filter(({ panel, from, to, number }) => {
    const frames = (seen[panel]?.frames ?? []).toSorted((a, b) => a.at - b.at);
    const shown = frames.filter(
      ({ at }, n) => at <= to + REFRESH_MS && (frames[n + 1]?.at ?? Infinity) >= from - REFRESH_MS,
    );
    return shown.some(({ media }) => Math.round(media / FRAME_MS) % 8 === number);
  });
  return { taken: photographs.length, right: right.length };
};
