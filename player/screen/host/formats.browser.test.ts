import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import { AUDIO_TYPES, VIDEO_CLASSES } from '../../../shared/formats/video-classes.ts';
import { screens } from '../testing/browser.ts';
import { item, NOON } from '../testing/programs.ts';

const open = screens();

test('screen reports once which video and audio formats its browser plays', async () => {
  await using screen = await open();
  await screen.open();
  const { formats } = await screen.host.until('formats');
  assert.deepEqual(ScreenFormats.parse(formats), formats);
  assert.deepEqual(Object.keys(formats.video).sort(), Object.keys(VIDEO_CLASSES).sort());
  assert.deepEqual(Object.keys(formats.audio).sort(), Object.keys(AUDIO_TYPES).sort());
  assert.ok(formats.video['vp9']! >= 1920 * 1080, 'every Chromium has a decoder of VP9');
  // The browser reports these formats as not playable: Chromium for Linux has no AC-3 decoder, and the processors of
  // test machines cannot decode 8K.
  assert.equal(formats.audio['ac3'], false);
  assert.ok(formats.video['avc']! <= 3840 * 2160);
  assert.equal(screen.host.of('formats').length, 1);
});

test('fault of an undecodable video contains no text of the browser', async () => {
  await using screen = await open();
  const noise = screen.host.add(Buffer.alloc(4_000, 7), 'video/mp4');
  screen.host.setClock(NOON);
  screen.play(item(1, { kind: 'video', asset: noise, name: 'Noise.mp4', duration_ms: 4_000, media_ms: 4_000 }));
  await screen.open();
  const { message } = await screen.host.until('fault');
  assert.equal(message, 'Noise.mp4: this screen cannot play the format of the video, or the video is damaged');
});
