/** A video wall on one machine: the real server, four real agents and a Chromium window for each; and what can be measured on it. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { Agent } from '../../player/agent/agent.ts';
import { plainJpeg } from '../../player/screen/testing/pictures.ts';
import { type Ending, firstUser, type Site, startSite, tempFolder } from '../harness.ts';
import { must } from '../people.ts';

/** Every window is a panel of 480 × 270 pixels; the wall is hung of panels of 400 × 225 mm. */
export const PANEL = { width: 480, height: 270 };

export interface Panel {
  readonly deviceId: string;
  readonly page: Page;
  readonly rotation: 0 | 90;
  /** Of its page, on its agent. */
  readonly address: string;
}

export interface WallRig {
  readonly site: Site;
  readonly token: string;
  readonly wallId: string;
  readonly panels: readonly Panel[];
  /** An answer's body; throws unless it has this status. */
  call(method: string, path: string, body?: unknown, status?: number): Promise<any>;
  upload(name: string, bytes: Buffer): Promise<string>;
}

/** Frames of the lit clip and changes of stills as the page itself sees them, by wall clock: no clock of ours has a part in it. */
interface Seen {
  /** Epoch ms at which the frame is displayed, and its time in the clip in ms. */
  frames: { at: number; media: number; clip: string }[];
  changes: { at: number; item: string }[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs in the page before any of ours. */
function watch(): void {
  const seen: Seen = { frames: [], changes: [] };
  (globalThis as unknown as { seen: Seen }).seen = seen;
  const native = HTMLVideoElement.prototype.requestVideoFrameCallback;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
    return native.call(this, (now, frame) => {
      const isLit = this.classList.contains('lit') && this.closest('.slot')?.classList.contains('front');
      if (isLit && !this.paused) seen.frames.push({ at: performance.timeOrigin + frame.expectedDisplayTime, media: Math.round(frame.mediaTime * 1000), clip: this.src.slice(-8) });
      callback(now, frame);
    });
  };
  new MutationObserver((records) => {
    for (const { target } of records) {
      if (!(target instanceof HTMLElement) || !target.classList.contains('slot') || !target.classList.contains('front')) continue;
      const image = target.querySelector('img');
      // The change is made in an animation frame and painted by the next one.
      if (image) requestAnimationFrame((time) => seen.changes.push({ at: performance.timeOrigin + time, item: image.src.slice(-8) }));
    }
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] });
}

const pairAll = async (call: WallRig['call'], names: readonly string[]): Promise<string[]> => {
  for (const deadline = Date.now() + 20_000; ; await pause(100)) {
    const waiting: { pending_id: string; name: string }[] = await call('GET', '/api/devices/pending');
    if (waiting.length >= names.length) {
      const ids = names.map((name) => waiting.find((one) => one.name === name)?.pending_id);
      return Promise.all(ids.map(async (pending_id) => (await call('POST', '/api/devices/pair', { pending_id }, 201)).id as string));
    }
    if (Date.now() > deadline) throw new Error(`only ${waiting.length} players have come`);
  }
};

/** Two by two with bezels of 20 mm; the panel at the bottom right hangs upright (turned by 90°). */
export const hangWall = async (t: Ending): Promise<WallRig> => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const call: WallRig['call'] = async (method, path, body, status = 200) => must(await site.call(method, path, { token, body }), status);
  const names = ['top left', 'top right', 'bottom left', 'bottom right'];
  const pages = join(import.meta.dirname, '../../dist/screen');
  const log = { info: () => {}, warn: () => {}, error: (message: string, detail?: unknown) => console.error(`# ${message}`, detail ?? '') };
  const addresses = await Promise.all(
    names.map(async (name) => {
      const config = { server: site.origin, data: join(tempFolder(t), 'player'), window: false, headless: true, name, browserFlags: [], quotaBytes: 1e9 };
      const agent = new Agent({ config, version: '0', pages, log });
      t.after(() => agent.stop());
      return agent.start();
    }),
  );
  const browser = await chromium.launch({
    executablePath: process.env.VITRINE_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
  t.after(() => browser.close());
  const opened = await Promise.all(
    addresses.map(async (address) => {
      const page = await (await browser.newContext({ viewport: PANEL })).newPage();
      await page.addInitScript(watch);
      await page.goto(address);
      return page;
    }),
  );
  const ids = await pairAll(call, names);
  const rotations = [0, 0, 0, 90] as const;
  const wall = await call('POST', '/api/walls', { name: 'Entrance', grid_cols: 2, grid_rows: 2, bezel_h_mm: 20, bezel_v_mm: 20, screen_w_mm: 400, screen_h_mm: 225 }, 201);
  const members = ids.map((device_id, i) => ({ device_id, grid_col: i % 2, grid_row: i >> 1, rotation: rotations[i] }));
  await call('PUT', `/api/walls/${wall.id}/devices`, { devices: members });
  const panels = opened.map((page, i) => ({ deviceId: ids[i] ?? '', page, rotation: rotations[i] ?? 0, address: addresses[i] ?? '' }));
  return {
    site,
    token,
    wallId: wall.id,
    panels,
    call,
    upload: async (name, bytes) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)]), `${randomBytes(2).toString('hex')}-${name}`);
      const answer = await fetch(`${site.origin}/api/content`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
      if (answer.status !== 201) throw new Error(`upload answered ${answer.status}`);
      return ((await answer.json()) as { id: string }).id;
    },
  };
};

/** Resolves once every panel knows the refreshes of the one that leads: told with heartbeats, which come every 15 s. */
const aimed = async (panels: readonly Panel[]): Promise<void> => {
  const told = async ({ address }: Panel): Promise<boolean> => ((await (await fetch(new URL('clock?t0=0', address))).json()) as { wall_refresh: unknown }).wall_refresh !== null;
  for (const deadline = Date.now() + 60_000; !(await Promise.all(panels.map(told))).every(Boolean); await pause(500)) {
    if (Date.now() > deadline) throw new Error('not every panel was told what the wall aims at');
  }
};

const reset = (panels: readonly Panel[]): Promise<unknown> =>
  Promise.all(panels.map(({ page }) => page.evaluate(() => Object.assign((globalThis as unknown as { seen: Seen }).seen, { frames: [], changes: [] }))));

const seenOn = (panels: readonly Panel[]): Promise<Seen[]> => Promise.all(panels.map(({ page }) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)));

export interface Skew {
  readonly of: number;
  /** Ascending. */
  readonly all: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Share of what some panel showed and not all did. */
  readonly missed: number;
}

/** Between the first and the last panel to show the same thing: what lies closer together than `apart` ms is the same showing of it. */
const skewOf = (perPanel: readonly (readonly { at: number; key: string }[])[], apart: number): Skew => {
  const all = perPanel.flatMap((events, panel) => events.map((event) => ({ ...event, panel }))).sort((a, b) => a.at - b.at);
  const open = new Map<string, { at: number; panels: Map<number, number> }>();
  const groups: Map<number, number>[] = [];
  for (const { at, key, panel } of all) {
    let group = open.get(key);
    if (!group || at - group.at > apart) {
      group = { at, panels: new Map() };
      open.set(key, group);
      groups.push(group.panels);
    }
    if (!group.panels.has(panel)) group.panels.set(panel, at);
  }
  const whole = groups.filter((group) => group.size === perPanel.length).map((group) => Math.max(...group.values()) - Math.min(...group.values()));
  const sorted = whole.sort((a, b) => a - b);
  const rank = (p: number): number => sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
  return { of: sorted.length, all: sorted, p50: rank(0.5), p99: rank(0.99), max: rank(1), missed: 1 - whole.length / Math.max(1, groups.length) };
};

/** All panels show the same item, and its surface is the visible one. */
export const allShow = (rig: WallRig, selector: string): Promise<unknown> =>
  Promise.all(rig.panels.map(({ page }) => page.waitForSelector(`.slot.front ${selector}`, { state: 'attached', timeout: 20_000 })));

/** What {@link measureSkew} plays: one that two cores can decode four times in software. */
export const FILM = { what: '640 × 360, 25 frames a second, VP9', source: 'testsrc2=s=640x360:r=25', seconds: 2 } as const;
/** Two stills of a second each and the film twice. */
export const ROUND_MS = 6_000;

/** The wall plays two stills and the film in turn, and is watched for so long. */
export const measureSkew = async (rig: WallRig, film: Buffer, ms: number): Promise<{ still: Skew; video: Skew }> => {
  const colours = [['red', [220, 30, 40]] as const, ['blue', [30, 60, 210]] as const];
  const stills = await Promise.all(colours.map(async ([name, colour]) => rig.upload(`${name}.jpg`, await plainJpeg(colour, 820, 646))));
  const { id } = await rig.call('POST', '/api/playlists', { name: 'Wall' }, 201);
  const items = [...stills.map((content_id) => ({ content_id, duration_sec: 1 })), { content_id: await rig.upload('film.webm', film), duration_sec: 2 * FILM.seconds }];
  for (const item of items) await rig.call('POST', `/api/playlists/${id}/items`, item, 201);
  await rig.call('POST', `/api/playlists/${id}/publish`);
  await rig.call('PUT', `/api/walls/${rig.wallId}`, { playlist_id: id });
  await allShow(rig, 'video.lit');
  await aimed(rig.panels);
  // A round in which everything has been shown once.
  await pause(ROUND_MS);
  await reset(rig.panels);
  await pause(ms);
  const seen = await seenOn(rig.panels);
  const changes = seen.map((panel) => panel.changes.map(({ at, item }) => ({ at, key: item })));
  const frames = seen.map((panel) => panel.frames.map(({ at, media, clip }) => ({ at, key: `${clip} ${media}` })));
  return { still: skewOf(changes, 1_500), video: skewOf(frames, 1_000) };
};
