/**
 * Tests many long clips at once, with the real page, server and browser. Chromium opens six connections per host, and
 * allows a page ten pending pictures and clips.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ProgramItem } from '../../../shared/program/program.ts';
import { FakeTime, MemoryLog } from '../../core/testing/fakes.ts';
import type { ScreenReport } from '../../screen/host/host.ts';
import { launchBrowser } from '../../screen/testing/browser.ts';
import { GREEN, plainJpeg } from '../../screen/testing/pictures.ts';
import { item, layout, NOON, playing, program, zone } from '../../screen/testing/programs.ts';
import { digest } from '../testing/fake-server.ts';
import { folderFor } from '../testing/folder.ts';
import { EventStream } from './event-stream.ts';
import { ScreenServer } from './screen-server.ts';

/**
 * Minimum size of a clip. Chromium buffers about 16 s of such a clip, 5 MB, and the system buffers as much again: only
 * a small part of the clip.
 */
const CLIP_MS = 200_000;
const AT_LEAST_BYTES = 50_000_000;
const TURN_MS = 60_000;
/**
 * The next play is prepared in the last 20 s of a play. With more than eight paused clips Chromium closes some
 * connections by itself, so few clips are the harder case.
 */
const CASES = [
  { name: 'seven long clips', zones: 7, leftMs: 50_000, ready: 0 },
  { name: 'a dozen long clips', zones: 12, leftMs: 50_000, ready: 0 },
  { name: 'long clips in three zones, with the next ones loaded,', zones: 3, leftMs: 19_000, ready: 3 },
];

/**
 * Makes a clip of noise with ffmpeg. It cannot be compressed: 2.6 Mbit/s from a small picture that is cheap to decode.
 * Null on a machine without ffmpeg.
 */
function longClip(folder: string): string | null {
  const [part, whole] = [join(folder, 'part.webm'), join(folder, 'clip.webm')];
  const noise = [
    '-f',
    'lavfi',
    '-i',
    'nullsrc=s=144x80:r=25,noise=alls=100:allf=t+u',
    '-t',
    '5',
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
  ];
  const made =
    spawnSync('ffmpeg', ['-v', 'error', ...noise, '-qmin', '0', '-qmax', '4', '-b:v', '60M', '-g', '25', part])
      .status === 0;
  const again = String(CLIP_MS / 5_000 - 1);
  return made &&
    spawnSync('ffmpeg', ['-v', 'error', '-stream_loop', again, '-i', part, '-c', 'copy', whole]).status === 0
    ? whole
    : null;
}

async function rig(t: TestContext, folder: string, leftMs: number) {
  const files = new Map<string, { path: string; mime: string }>();
  const reports: ScreenReport[] = [];
  const waiting = new Set<() => void>();
  const began = performance.now();
  const events = new EventStream({ time: new FakeTime(), attached: () => {}, run: 'run' });
  const server = new ScreenServer({
    token: 'token',
    pages: join(import.meta.dirname, '../../../dist/screen'),
    events,
    log: new MemoryLog(),
    // Starts in the middle of a play, so that each clip starts with a seek.
    now: () => NOON + TURN_MS - leftMs + performance.now() - began,
    wallRefresh: () => null,
    report: async (report) => {
      reports.push(report);
      for (const wake of waiting) wake();
    },
    pageLoaded: async () => {},
    asset: (sha256) => {
      const file = files.get(sha256);
      return file && { asset: { sha256, size: statSync(file.path).size, mime: file.mime }, path: file.path };
    },
    widgetData: async () => '{}',
  });
  const url = await server.start();
  t.after(() => server.stop());
  /** Adds a file under a name of its own even if its bytes are equal, so that each clip is read separately. */
  const add = (name: string, path: string, mime: string): string => {
    files.set(digest(name), { path, mime });
    return digest(name);
  };
  const picture = join(folder, 'picture.jpg');
  writeFileSync(picture, await plainJpeg(GREEN, 64, 36));
  const reported = (is: (report: ScreenReport, at: number) => boolean, withinMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!reports.some(is)) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve();
      };
      const timer = setTimeout(() => reject(new Error(`not reported within ${withinMs} ms`)), withinMs);
      waiting.add(look);
      look();
    });
  return { url, events, add, picture, reports, reported };
}

for (const { name, zones: count, leftMs, ready } of CASES) {
  test(`clips do not delay each other or other requests of the page: ${name}`, { timeout: 60_000 }, async (t) => {
    const folder = folderFor(t);
    const path = longClip(folder);
    if (path === null) return t.skip('this machine has no ffmpeg');
    assert.ok(statSync(path).size > AT_LEAST_BYTES);
    const { url, events, add, picture, reports, reported } = await rig(t, folder, leftMs);
    const clips = Array.from({ length: count }, (_, at) =>
      ['now', 'next'].map((turn) => add(`${turn} ${at}`, path, 'video/webm')),
    );
    const part = (asset: string, zone_id: string): Partial<ProgramItem> => ({
      kind: 'video',
      asset,
      zone_id,
      duration_ms: TURN_MS,
      media_ms: CLIP_MS,
    });
    const items = clips.flatMap((turns, at) => turns.map((asset) => part(asset, `zone-${at}`)));
    const zones = clips.map((_, at) =>
      zone(`zone-${at}`, { x: (at % 4) * 25, y: Math.floor(at / 4) * 33, width: 25, height: 33 }),
    );
    events.publish(
      playing(
        program(
          items.map((each, at) => item(at + 1, each)),
          { layouts: [layout('many', zones)] },
        ),
      ),
    );

    const browser = await launchBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 640, height: 360 } });
    await page.goto(url);
    for (const { id } of zones) await reported((report) => report.type === 'shown' && report.zone_id === id, 20_000);
    // The browser has buffered each visible clip and loaded the next clips, so it does not read further data yet.
    const ahead = ({ zones, ready }: { zones: number; ready: number }): boolean => {
      const videos = [...document.querySelectorAll('video')];
      const lit = videos.filter((video) => video.matches('.front .lit') && !video.paused);
      const isAhead = (video: HTMLVideoElement): boolean =>
        video.buffered.length > 0 && video.buffered.end(video.buffered.length - 1) - video.currentTime > 8;
      return (
        lit.length === zones &&
        lit.every(isAhead) &&
        videos.filter(({ readyState }) => readyState >= HTMLMediaElement.HAVE_FUTURE_DATA).length >= zones + ready
      );
    };
    await page.waitForFunction(ahead, { zones: count, ready }, { timeout: 15_000 });

    const picturesOf = add('picture', picture, 'image/jpeg');
    const answered = await page.evaluate(async (asset) => {
      const within = (work: Promise<unknown>): Promise<boolean> =>
        Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, false))]);
      const image = new Image();
      image.src = `assets/${asset}`;
      const [clock, data, picture] = await Promise.all([
        within(fetch('clock')),
        within(fetch('widget-data?path=/')),
        within(image.decode()),
      ]);
      return { clock, data, picture };
    }, picturesOf);
    assert.deepEqual(answered, { clock: true, data: true, picture: true });
    const before = reports.length;
    await reported(({ type }, at) => type === 'alive' && at >= before, 3_000);
    assert.deepEqual(
      reports.filter(({ type }) => type === 'fault'),
      [],
    );
  });
}
