import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { serve } from '../../test/serve.ts';
import { screens } from './testing/browser.ts';
import { BLUE, distance, GREEN, plainJpeg, RED } from './testing/pictures.ts';
import { item, NOON } from './testing/programs.ts';

const open = screens();

const SIZE = { width: 640, height: 360 };
const CENTRE = [320, 180] as const;

test('WebP and AVIF pictures are shown like JPEG pictures', async () => {
  await using screen = await open(SIZE);
  const red = sharp(await plainJpeg(RED, 640, 360));
  const webp = screen.host.add(await red.clone().webp({ lossless: true }).toBuffer(), 'image/webp');
  const avif = screen.host.add(
    await sharp(await plainJpeg(BLUE, 640, 360))
      .avif({ quality: 90, chromaSubsampling: '4:4:4' })
      .toBuffer(),
    'image/avif',
  );
  screen.host.setClock(NOON + 1_000);
  screen.play(item(1, { asset: webp, duration_ms: 60_000 }), item(2, { asset: avif, duration_ms: 60_000 }));
  await screen.open();
  await screen.seen(...CENTRE, RED);
  screen.host.setClock(NOON + 59_500);
  await screen.seen(...CENTRE, BLUE);
  assert.deepEqual([...screen.host.of('fault'), ...screen.complaints], []);
});

test('zone plays an animated GIF', async () => {
  await using screen = await open(SIZE);
  const frames = await Promise.all([RED, BLUE].map((colour) => plainJpeg(colour, 64, 36)));
  const gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [250, 250], loop: 0 })
    .toBuffer();
  screen.play(item(1, { asset: screen.host.add(gif, 'image/gif'), duration_ms: 600_000 }));
  await screen.open();
  for (const colour of [RED, BLUE, RED]) await screen.seen(...CENTRE, colour);
  assert.deepEqual([...screen.host.of('fault'), ...screen.complaints], []);
});

test('SVG is shown without running its scripts or fetching its links', async (t) => {
  await using screen = await open(SIZE);
  const asked: string[] = [];
  const { origin: there } = await serve(t, (request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9" onload="document.title='taken'">
    <style>@import url('${there}/style');</style>
    <rect width="16" height="9" fill="#14aa46"/>
    <script>document.title = 'taken'; fetch('${there}/script')</script>
    <image href="${there}/picture" width="1" height="1"/>
    <foreignObject width="4" height="4"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${there}/frame"></iframe></foreignObject>
  </svg>`;
  screen.play(item(1, { asset: screen.host.add(svg, 'image/svg+xml'), duration_ms: 600_000 }));
  await screen.open();
  await screen.seen(...CENTRE, GREEN);
  await screen.host.until('shown');
  assert.equal(await screen.page.title(), 'Vitrine');
  assert.deepEqual(asked, []);
});

test('sound file plays, and the zone shows its name over a calm picture', async () => {
  await using screen = await open(SIZE);
  const asset = screen.host.add(wave(4), 'audio/wav');
  screen.host.setClock(NOON + 200);
  screen.play(
    item(1, {
      kind: 'audio',
      asset,
      name: 'Morning announcement.wav',
      duration_ms: 4_000,
      media_ms: 4_000,
      muted: false,
    }),
  );
  await screen.open();
  await screen.host.until('shown');
  assert.equal(await screen.page.locator('.slot.front .audio-name').textContent(), 'Morning announcement');
  await screen.page.waitForFunction(() =>
    [...document.querySelectorAll('audio')].some((audio) => !audio.paused && !audio.muted && audio.currentTime > 0.2),
  );
  const look = await screen.look();
  for (const [x, y] of [
    [5, 5],
    [635, 5],
    [320, 350],
    [5, 355],
  ] as const)
    assert.ok(distance(look.at(x, y), [0, 0, 0]) > 12, `at ${x}, ${y} it is black`);
  assert.deepEqual([...screen.host.of('fault'), ...screen.complaints], []);
});

test('clip whose picture the browser cannot play is skipped with a reason', async () => {
  await using screen = await open(SIZE);
  const sound = screen.host.add(wave(4), 'video/mp4');
  const green = await screen.plain(GREEN);
  screen.host.setClock(NOON + 1);
  screen.play(
    item(1, { kind: 'video', asset: sound, name: 'From the phone.mov', duration_ms: 4_000, media_ms: 4_000 }),
    item(2, { asset: green }),
  );
  await screen.open();
  const { message } = await screen.host.until('fault');
  assert.match(message, /^From the phone\.mov: this computer can play the audio of the video, but not its images/);
  await screen.seen(...CENTRE, GREEN);
  assert.deepEqual([...new Set(screen.host.of('shown').map(({ item_id }) => item_id))], [2]);
});

/** A WAV file with a quiet tone of 440 Hz, 8 bits, mono. */
function wave(seconds: number): Buffer {
  const rate = 8_000;
  const samples = Buffer.from(
    Array.from({ length: rate * seconds }, (_, i) => 128 + Math.round(12 * Math.sin((i / rate) * 440 * 2 * Math.PI))),
  );
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
