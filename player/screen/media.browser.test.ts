// Suite: frames
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ScreenUnderTest, screens } from './testing/browser.ts';
import { BLUE, clip, distance, GREEN, RED } from './testing/pictures.ts';
import { item, NOON, placement, playing, program } from './testing/programs.ts';

const moving = clip('testsrc2=s=320x180:r=25', 4);
const tone = clip('testsrc=s=160x90:r=25', 2);
const skip = moving && tone ? false : 'this machine has no ffmpeg';

const open = screens();

const video = (
  screen: ScreenUnderTest,
): Promise<{ time: number; paused: boolean; muted: boolean; rate: number; elements: number }> =>
  screen.page.evaluate(() => {
    const element = document.querySelector<HTMLVideoElement>('.front video.lit');
    if (!element) throw new Error('no video in front');
    return {
      time: element.currentTime,
      paused: element.paused,
      muted: element.muted,
      rate: element.playbackRate,
      elements: document.querySelectorAll('video').length,
    };
  });

/** Checks that a clip of 4 s, repeated since noon, is at the position that the clock requires. */
const isInPlace = async (screen: ScreenUnderTest): Promise<void> => {
  const [{ time }, at] = [await video(screen), screen.host.now()];
  const wanted = ((at - NOON) % 4_000) / 1000;
  const off = Math.abs(time - wanted);
  assert.ok(off < 0.25 || Math.abs(off - 4) < 0.25, `at ${time} s, wanted ${wanted}`);
};

test('clip begins at its planned instant and stays within one frame of its planned position', { skip }, async () => {
  await using screen = await open({ width: 640, height: 360 });
  const [red, clipFile] = [await screen.plain(RED), screen.host.add(moving ?? '', 'video/webm')];
  screen.host.setClock(NOON + 1);
  screen.play(
    item(1, { asset: red }),
    item(2, { kind: 'video', asset: clipFile, duration_ms: 12_000, media_ms: 4_000 }),
  );
  await screen.open();
  await screen.host.until('shown', ({ item_id }) => item_id === 1);
  screen.host.setClock(NOON + 8_500);
  const shown = await screen.host.until('shown', ({ item_id }) => item_id === 2);
  assert.ok(Math.abs(shown.late_ms) < 40, `late by ${shown.late_ms} ms`);
  await pause(2_500);
  const [first, at] = [await video(screen), screen.host.now()];
  assert.ok(!first.paused);
  assert.ok(
    Math.abs(first.time * 1000 - (at - NOON - 10_000)) < 80,
    `at ${first.time} s, wanted ${(at - NOON - 10_000) / 1000}`,
  );
  const [one, two] = [await screen.look(), await pause(300).then(() => screen.look())];
  const points = [...Array(64 * 36).keys()].map((n) => [(n % 64) * 10 + 5, Math.floor(n / 64) * 10 + 5] as const);
  assert.ok(points.filter(([x, y]) => distance(one.at(x, y), two.at(x, y)) > 60).length > 20, 'nothing moved');
  const sync = await screen.host.until('sync', ({ error_p99_ms }) => error_p99_ms > 0, 12_000);
  console.log(
    `# video presentation error: p50 ${sync.error_p50_ms.toFixed(1)} ms, p99 ${sync.error_p99_ms.toFixed(1)} ms`,
  );
  assert.ok(sync.error_p50_ms <= 16.7, `p50 ${sync.error_p50_ms} ms`);
});

test('player that starts in the middle of a play seeks to the right position', { skip }, async () => {
  await using screen = await open({ width: 640, height: 360 });
  const asset = screen.host.add(moving ?? '', 'video/webm');
  screen.host.setClock(NOON + 6_000);
  screen.play(item(2, { kind: 'video', asset, duration_ms: 60_000, media_ms: 4_000 }));
  await screen.open();
  await screen.host.until('shown');
  await pause(500);
  await isInPlace(screen);
});

test('clip repeats while its play lasts, and its last frame stays if less than one second is left', {
  skip,
}, async () => {
  await using screen = await open({ width: 640, height: 360 });
  const asset = screen.host.add(moving ?? '', 'video/webm');
  screen.host.setClock(NOON + 3_500);
  // The clip runs twice for 4 s each, and then 0.9 s are left.
  screen.play(item(2, { kind: 'video', asset, duration_ms: 8_900, media_ms: 4_000 }));
  await screen.open();
  await screen.host.until('shown');
  await pause(1_500);
  await isInPlace(screen);
  screen.host.setClock(NOON + 7_800);
  await screen.page.waitForFunction(
    () => (document.querySelector<HTMLVideoElement>('.front video.lit')?.currentTime ?? 0) > 3.7,
    undefined,
    { timeout: 5_000 },
  );
  screen.host.setClock(NOON + 8_300);
  await pause(400);
  const held = await video(screen);
  assert.ok(held.time > 3.7, `held at ${held.time}`);
});

test('two clips that alternate use the same few media elements again and again', { skip }, async () => {
  await using screen = await open({ width: 320, height: 180 });
  const assets = [screen.host.add(moving ?? '', 'video/webm'), screen.host.add(tone ?? '', 'video/webm')];
  screen.host.setClock(NOON);
  screen.host.push(
    playing(program(assets.map((asset, id) => item(id, { kind: 'video', asset, duration_ms: 500, media_ms: 4_000 })))),
  );
  await screen.page.addInitScript(() => {
    const create = document.createElement.bind(document);
    let made = 0;
    document.createElement = ((name: string) => {
      if (name === 'video') document.documentElement.dataset.videos = String(++made);
      return create(name);
    }) as typeof document.createElement;
  });
  await screen.open();
  await screen.host.until('shown', () => screen.host.of('shown').length >= 12, 20_000);
  assert.ok(Number(await screen.page.evaluate(() => document.documentElement.dataset.videos)) <= 3);
});

test('clip has sound unless the item or the panel of the wall is muted, and a change applies at once', {
  skip,
}, async () => {
  await using screen = await open({ width: 320, height: 180 });
  const asset = screen.host.add(moving ?? '', 'video/webm');
  const loud = (muted: boolean): ReturnType<typeof program> =>
    program([item(2, { kind: 'video', asset, duration_ms: 60_000, media_ms: 4_000, muted })]);
  screen.host.push(playing(loud(false)));
  await screen.open();
  await screen.host.until('shown');
  assert.equal((await video(screen)).muted, false);
  screen.host.push(playing(loud(true)));
  await screen.page.waitForFunction(() => document.querySelector<HTMLVideoElement>('.front video.lit')?.muted === true);
  const wall = {
    wall_id: 'w',
    canvas: { width: 100, height: 100 },
    tile: { x: 0, y: 0, width: 100, height: 100 },
    rotation: 0 as const,
    audio: false,
  };
  screen.host.push(playing(loud(false), { placement: placement({ wall }) }));
  await pause(300);
  assert.equal((await video(screen)).muted, true);
  assert.equal(screen.host.of('shown').length, 1, 'one turn all the while');
});

test('damaged clip is skipped once, with a fault', { skip }, async () => {
  await using screen = await open({ width: 320, height: 180 });
  const broken = screen.host.add((moving ?? Buffer.alloc(0)).subarray(0, 300), 'video/webm');
  const green = await screen.plain(GREEN);
  screen.host.setClock(NOON + 1);
  screen.play(
    item(1, { kind: 'video', asset: broken, media_ms: 4_000, name: 'Broken.webm' }),
    item(2, { asset: green }),
  );
  await screen.open();
  await screen.seen(160, 90, GREEN);
  assert.match((await screen.host.until('fault')).message, /^Broken\.webm: /);
  assert.equal(screen.host.of('fault').length, 1);
});

test('audio plays without covering the zone’s background', { skip }, async () => {
  await using screen = await open({ width: 320, height: 180 });
  const asset = screen.host.add(moving ?? '', 'video/webm');
  const blue = await screen.plain(BLUE);
  screen.play(item(1, { kind: 'audio', asset, muted: false, media_ms: 4_000 }), item(2, { asset: blue }));
  await screen.open();
  await screen.host.until('shown');
  assert.equal(await screen.page.locator('.front audio.lit, .front img').count(), 1);
});
