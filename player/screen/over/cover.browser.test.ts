import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PipShow } from '../../../shared/protocol/messages.ts';
import { screens } from '../testing/browser.ts';
import { Film } from '../testing/filming.ts';
import { BLUE, clip, distance, GREEN, RED, type Rgb } from '../testing/pictures.ts';
import { item, NOON, playing, program } from '../testing/programs.ts';

const SIZE = { width: 320, height: 180 };
const short = clip('color=c=yellow:s=320x180:r=25', 0.6);
const long = clip('color=c=yellow:s=320x180:r=25', 60);
const skip = short && long ? false : 'this machine has no ffmpeg';

const open = screens();

const ROUNDS = 15;
const OVERLAY = {
  type: 'device:pip-show',
  kind: 'image',
  position: 'center',
  width: 320,
  height: 180,
  duration: 0,
  opacity: 1,
  border_radius: 0,
  close_button: false,
} as const satisfies Partial<PipShow>;
const near = (a: Rgb, b: Rgb): boolean => distance(a, b) <= 8;
const YELLOW: Rgb = [255, 255, 3];
/** Background of the identification page. */
const INK: Rgb = [10, 12, 19];

/**
 * Runs in the page. Records mistakes of the media elements (decks): a deck was hidden while it was on top, or before
 * the deck after it had shown a frame.
 */
function watchDecks(): void {
  const faults: string[] = [];
  const lit: { readonly video: HTMLVideoElement; frames: number }[] = [];
  const height = (video: HTMLVideoElement): number => Number(getComputedStyle(video).zIndex) || 0;
  const hidden = (video: HTMLVideoElement): void => {
    const newest = lit.at(-1);
    if (newest && newest.video !== video && newest.frames === 0) faults.push('hidden before the next one was seen');
  };
  const shown = (video: HTMLVideoElement): void => {
    const one = { video, frames: 0 };
    const below = lit.at(-1)?.video;
    lit.push(one);
    if (below && below !== video && height(video) <= height(below))
      faults.push(`lit at ${height(video)}, under ${height(below)}`);
    video.requestVideoFrameCallback(() => one.frames++);
  };
  const look = (records: MutationRecord[]): void => {
    for (const { target, oldValue } of records) {
      if (!(target instanceof HTMLVideoElement)) continue;
      const [was, is] = [oldValue?.includes('lit') ?? false, target.classList.contains('lit')];
      if (is && !was) shown(target);
      if (was && !is) hidden(target);
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, attributeFilter: ['class'], attributeOldValue: true });
  Object.assign(globalThis, { decks: { faults, lit } });
}

test('deck that was shown last is on top, and the deck below is hidden only after the new one was visible', {
  skip,
}, async (t) => {
  await using screen = await open(SIZE);
  const asset = screen.host.add(short ?? '', 'video/webm');
  screen.host.setClock(NOON);
  screen.play(item(2, { kind: 'video', asset, duration_ms: 60_000, media_ms: 600 }));
  await screen.page.addInitScript(watchDecks);
  await screen.open();
  await screen.host.until('shown');
  const film = await Film.of(screen);
  await screen.page.waitForFunction(
    (rounds) => (globalThis as unknown as { decks: { lit: object[] } }).decks.lit.length > rounds,
    ROUNDS,
    { timeout: 20_000 },
  );
  const frames = await film.stop();
  const dark = frames.filter((frame) => !near(frame.at(160, 90), YELLOW)).length;
  t.diagnostic(`${dark} of ${frames.length} frames dark in ${ROUNDS} rounds`);
  assert.equal(dark, 0);
  assert.deepEqual(
    await screen.page.evaluate(() => (globalThis as unknown as { decks: { faults: string[] } }).decks.faults),
    [],
  );
});

test('when a page over a clip is removed, no dark frame is shown, and when it is added, no white frame', {
  skip,
}, async () => {
  await using screen = await open(SIZE);
  const asset = screen.host.add(long ?? '', 'video/webm');
  const uri = screen.host.assetUrl(await screen.plain(GREEN, 320, 180));
  const pageOf = (colour: string): string =>
    screen.host.assetUrl(screen.host.add(`<body style="margin:0;background:${colour}">`, 'text/html'));
  const of = program([item(2, { kind: 'video', asset, duration_ms: 60_000, media_ms: 60_000 })]);
  screen.host.setClock(NOON);
  screen.host.push(playing(of));
  await screen.open();
  await screen.host.until('shown');
  await screen.seen(160, 90, YELLOW);
  const film = await Film.of(screen);
  const shown = async (colour: Rgb, part: Parameters<typeof playing>[1]): Promise<void> => {
    screen.host.push(playing(of, part));
    await screen.seen(3, 3, colour);
  };
  await shown(GREEN, { overlay: { ...OVERLAY, pip_id: 'one', uri } });
  await shown(YELLOW, {});
  await shown(INK, { identify_until: screen.host.now() + 60_000 });
  await shown(YELLOW, {});
  await shown(BLUE, { launch_url: pageOf('#1e3cd2') });
  await shown(RED, { launch_url: pageOf('#dc1e28') });
  await shown(YELLOW, {});
  const seen = (await film.stop()).map((frame) => frame.at(3, 3));
  assert.deepEqual(
    seen.filter((colour) => ![YELLOW, GREEN, INK, BLUE, RED].some((known) => near(colour, known))),
    [],
  );
});

test('page fades in over the previous page, which is removed once fully covered', async () => {
  await using screen = await open(SIZE);
  screen.host.push({ phase: 'searching', servers: [], setup_url: null });
  await screen.open();
  await screen.page.waitForSelector('.page.searching');
  // Simulates a machine on which the fade takes long.
  await screen.page.addStyleTag({ content: '.page.fading { animation-duration: 1200ms !important }' });
  await screen.page.evaluate(() => {
    new MutationObserver(([record]) => {
      const fading = document.querySelector('.page.idle');
      if (record?.removedNodes.length && fading) document.body.dataset.opacity = getComputedStyle(fading).opacity;
    }).observe(document.querySelector('.pages') as Element, { childList: true });
  });
  screen.host.push(playing(null));
  await screen.page.waitForSelector('.page.searching', { state: 'detached' });
  assert.equal(await screen.page.evaluate(() => document.body.dataset.opacity), '1');
});
