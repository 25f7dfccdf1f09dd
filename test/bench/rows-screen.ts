/** Measures the cost of a screen, and the precision of its timing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { clip, type Rgb } from '../../player/screen/testing/pictures.ts';
import { startServer } from './child.ts';
import { percentile } from './load.ts';
import { usageOf } from './processes.ts';
import { type Group, median, must } from './row.ts';
import { photo, Shop, startAgent, until, type WatchedPage, watchPage } from './screen-rig.ts';
import { ScreenBrowser, type ScreenWindow } from './screen-window.ts';

const LOADS = 5;
const STILL_S = 2;
const CLIP_S = 6;
const COLOURS: readonly Rgb[] = [
  [200, 60, 50],
  [60, 160, 80],
  [50, 80, 190],
  [210, 180, 60],
];
/** Permitted delay of the frame after a change: one frame at 60 Hz. */
const FRAME_MS = 16.7;
const SAMPLE_MS = 5_000;
/** Milliseconds before the measurement, because the start is not part of the running cost. */
const SETTLE_MS = 10_000;

const rows = [
  {
    key: 'firstPicture',
    what: 'page load → first picture, from the cache, no server',
    unit: 'ms',
    budget: 2000,
    better: 'less',
  },
  { key: 'change50', what: 'item change against plan, p50', unit: 'ms', budget: FRAME_MS, better: 'less' },
  { key: 'change99', what: 'item change against plan, p99', unit: 'ms', budget: FRAME_MS, better: 'less' },
  { key: 'dropped', what: 'frames of the clip dropped', unit: '%', budget: 1, better: 'less' },
  { key: 'agentCpu', what: 'agent', unit: '% CPU', budget: 3, better: 'less' },
  { key: 'agentMb', what: 'agent', unit: 'MB', budget: 120, better: 'less' },
  { key: 'browserCpu', what: 'browser', unit: '% CPU', budget: 100, better: 'less' },
  // The budget includes up to 512 MB of decoded pictures, which Chromium releases when other programs need memory.
  { key: 'browserMb', what: 'browser', unit: 'MB', budget: 1000, better: 'less' },
  { key: 'bundle', what: 'screen page, compressed', unit: 'kB', budget: 90, better: 'less' },
] as const;

/** @param minutes duration of the measurement */
export const screenRows = (minutes: number): Group => ({
  rows,
  async run({ folder, wants, report }) {
    if (wants('bundle')) report('bundle', bundleSize());
    if (!rows.some(({ key }) => key !== 'bundle' && wants(key))) return;
    const server = await startServer(join(folder, 'server'), { probe: false });
    const shop = new Shop(server);
    const data = join(folder, 'player');
    const agent = await startAgent(data, shop.origin);
    const browser = new ScreenBrowser(join(folder, 'browser'));
    let served = true;
    try {
      await shop.open();
      const { playlist, clipItem, clipNote } = await fill(shop);
      const page = await browser.open(agent.url, watchPage);
      await shop.pair(playlist);
      await watch({ page, minutes, agentPid: agent.child.pid ?? 0, browser, clipItem, clipNote, report });
      await page.close();
      await agent.stop();
      await server.stop();
      served = false;
      if (wants('firstPicture')) report('firstPicture', await firstPicture(data, shop.origin, browser));
    } finally {
      await browser.close();
      agent.child.kill('SIGKILL');
      if (served) await server.stop();
    }
  },
});

async function fill(shop: Shop): Promise<{ playlist: string; clipItem: number | null; clipNote: string }> {
  const { id } = await shop.call('POST', '/api/playlists', { name: 'Window' });
  const add = (content_id: string, duration_sec: number) =>
    shop.call('POST', `/api/playlists/${id}/items`, { content_id, duration_sec });
  for (const [index, colour] of COLOURS.entries())
    await add(await shop.upload(`photo-${index}.jpg`, await photo(colour)), STILL_S);
  // Without a graphics card the processor decodes the clip. Two cores can play 720p at 25 frames per second beside all
  // other work.
  const film = clip('testsrc2=s=1280x720:r=25', CLIP_S);
  const clipItem: number | null = film ? (await add(await shop.upload('film.webm', film), CLIP_S)).id : null;
  await shop.call('POST', `/api/playlists/${id}/publish`);
  return {
    playlist: id,
    clipItem,
    clipNote: film ? 'VP9, 1280 × 720, 25 frames a second' : 'no ffmpeg on this machine: no clip',
  };
}

interface Watch {
  readonly page: ScreenWindow;
  readonly minutes: number;
  readonly agentPid: number;
  readonly browser: ScreenBrowser;
  readonly clipItem: number | null;
  readonly clipNote: string;
  report(key: string, measured: { value: number; note?: string }): void;
}

async function watch({ page, minutes, agentPid, browser, clipItem, clipNote, report }: Watch): Promise<void> {
  await until('a picture', () => page.ask(() => (globalThis as WatchedPage).watched.firstPicture !== undefined));
  await new Promise((later) => setTimeout(later, SETTLE_MS));
  await page.ask(countFrames);
  const linux = process.platform === 'linux';
  const usage = () => (linux ? { agent: usageOf(agentPid), browser: usageOf(browser.pid) } : undefined);
  const began = performance.now();
  const before = usage();
  const memory: { agent: number; browser: number }[] = [];
  while (performance.now() - began < minutes * 60_000) {
    await new Promise((later) => setTimeout(later, Math.min(SAMPLE_MS, minutes * 60_000)));
    const now = usage();
    if (now) memory.push({ agent: now.agent.memoryMb, browser: now.browser.memoryMb });
  }
  const after = usage();
  const elapsed = performance.now() - began;
  const heard = await page.ask(() => (globalThis as WatchedPage).watched);
  must(heard.faults === 0, `${heard.faults} items could not be shown`);
  must(heard.late.length > 5, 'hardly anything was shown');
  const errorsOf = (isClip: boolean | null) =>
    heard.late
      .filter(({ item }) => isClip === null || (item === clipItem) === isClip)
      .map(({ ms }) => Math.abs(ms))
      .sort((a, b) => a - b);
  const errors = errorsOf(null);
  const [stills, clips] = [errorsOf(false), errorsOf(true)];
  report('change50', { value: percentile(errors, 50), note: `${errors.length} changes in ${minutes} min` });
  report('change99', {
    value: percentile(errors, 99),
    note: `p50 and p99 to a picture ${percentile(stills, 50).toFixed(1)} and ${percentile(stills, 99).toFixed(1)}, to the clip ${percentile(clips, 50).toFixed(1)} and ${percentile(clips, 99).toFixed(1)}`,
  });
  const { total, dropped } = await page.ask(() =>
    (globalThis as unknown as { frames: () => { total: number; dropped: number } }).frames(),
  );
  report('dropped', {
    value: total === 0 ? Number.NaN : (100 * dropped) / total,
    note: `${dropped} of ${total}; ${clipNote}`,
  });
  if (!before || !after) return;
  for (const who of ['agent', 'browser'] as const) {
    report(`${who}Cpu`, {
      value: (100 * (after[who].cpuMs - before[who].cpuMs)) / elapsed,
      note: who === 'browser' ? 'of one core; drawn and decoded by the processor, no graphics card' : 'of one core',
    });
    const sorted = memory.map((each) => each[who]).sort((a, b) => a - b);
    report(`${who}Mb`, {
      value: median(sorted),
      note: `from ${memory[0]?.[who].toFixed(0)} to ${memory.at(-1)?.[who].toFixed(0)}, at most ${sorted.at(-1)?.toFixed(0)}`,
    });
  }
}

/** Runs in the page: starts counting frames of all clips, including reused elements. */
function countFrames(): void {
  Object.assign((globalThis as WatchedPage).watched, { late: [], faults: 0 });
  const last = new WeakMap<HTMLVideoElement, { total: number; dropped: number }>();
  const sum = { total: 0, dropped: 0 };
  const look = (): void => {
    for (const video of document.querySelectorAll('video')) {
      const { totalVideoFrames: total, droppedVideoFrames: dropped } = video.getVideoPlaybackQuality();
      const before = last.get(video) ?? { total: 0, dropped: 0 };
      // When an element plays a new clip, its frame count starts at 0 again, so the whole count is added.
      const anew = total < before.total;
      sum.total += anew ? total : total - before.total;
      sum.dropped += anew ? dropped : dropped - before.dropped;
      last.set(video, { total, dropped });
    }
  };
  look();
  Object.assign(sum, { total: 0, dropped: 0 });
  setInterval(look, 250);
  Object.assign(globalThis, { frames: () => sum });
}

/** Measures the time until the first picture, with a fresh agent and a fresh page each time, and without the server. */
async function firstPicture(
  data: string,
  origin: string,
  browser: ScreenBrowser,
): Promise<{ value: number; note: string }> {
  const all: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    const agent = await startAgent(data, origin);
    const page = await browser.open(agent.url, watchPage);
    all.push(await until('the first picture', () => page.ask(() => (globalThis as WatchedPage).watched.firstPicture)));
    await page.close();
    await agent.stop();
  }
  return { value: median(all), note: `median of ${LOADS}; ${all.map((ms) => ms.toFixed(0)).join(', ')}` };
}

/** Files that a screen loads before its first picture: page, script and style. */
function bundleSize(): { value: number; note: string } {
  const folder = join(import.meta.dirname, '../../dist/screen');
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = readdirSync(join(folder, 'assets')).filter((name) => html.includes(name));
  must(first.length > 0, 'the page is not built: node build/build.mjs');
  const sizes = ['index.html', ...first.map((name) => `assets/${name}`)].map(
    (name) => brotliCompressSync(readFileSync(join(folder, name))).length,
  );
  return { value: sizes.reduce((sum, size) => sum + size, 0) / 1000, note: `brotli; ${first.join(', ')}` };
}
