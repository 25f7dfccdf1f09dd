import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaFormat } from './media-format.ts';
import { playbackOn } from './playback.ts';
import type { ScreenFormats } from './screen-formats.ts';
import { videoClassOf } from './video-classes.ts';

const UHD = 3840 * 2160;
const screen: ScreenFormats = {
  video: { avc: UHD, hevc: 0, av1: 1920 * 1080 },
  sized: true,
  audio: { aac: true, ac3: false },
  texture: 16_384,
};
const video = (codec: string, profile: string | null, size = [1920, 1080], audio?: string): MediaFormat => ({
  video: { codec, profile, width: size[0]!, height: size[1]!, frame_rate: 25 },
  audio: audio === undefined ? null : { codec: audio },
  duration_sec: 3,
});
const said = (format: MediaFormat | null, on: ScreenFormats | null = screen, kind = 'video') => {
  const { verdict, reason } = playbackOn({ kind, format }, on);
  return reason === null ? verdict : `${verdict}: ${reason}`;
};

test('video plays when the screen supports its class, size and sound', () => {
  assert.equal(said(video('avc', 'avc1.640028')), 'plays');
  assert.equal(said(video('avc', 'avc1.640028', [1080, 1920], 'aac')), 'plays');
  assert.equal(said(video('avc', 'avc1.640033', [2160, 3840])), 'plays');
});

test('video fails because of its codec or size, and plays silently without a decoder for its sound', () => {
  assert.equal(said(video('hevc', 'hvc1.1.6.L120.B0')), 'fails: video_codec');
  assert.equal(said(video('avc', 'avc1.64003C', [7680, 4320])), 'fails: video_size');
  assert.equal(said(video('avc', 'avc1.640028', [1920, 1080], 'ac3')), 'silent: audio_codec');
  assert.equal(
    said(video('hevc', 'hvc1.4.10.L120.9D.8')),
    'fails: video_codec',
    'a rare profile of a codec without decoder',
  );
  assert.equal(said(video('hevc', 'hvc1.1.6.L93.B0', [1920, 1080], 'ac3')), 'fails: video_codec');
});

test('verdict is unknown when the format of the file or of the screen is unknown', () => {
  assert.equal(said(video('avc', 'avc1.640028'), null), 'unknown', 'a player that does not report');
  assert.equal(said(null), 'unknown', 'a file that was not read yet');
  assert.equal(said(video('avc', 'avc1.7A0028')), 'unknown', 'a class that the player did not ask for');
  assert.equal(said(video('vp9', 'vp09.01.50.08')), 'unknown', 'a profile without a class');
  assert.equal(said(video('avc', 'avc1.640028', [1920, 1080], 'dts')), 'unknown', 'a sound that was not asked for');
  assert.equal(said(video('avc', 'avc1.64003C', [7680, 4320]), { ...screen, sized: false }), 'unknown');
});

test('pictures, documents and pages play everywhere', () => {
  for (const kind of ['image', 'pdf', 'web', 'embed']) assert.equal(said(null, null, kind), 'plays');
});

test('sound file fails if the screen cannot play its codec', () => {
  const sound = (codec: string): MediaFormat => ({ video: null, audio: { codec }, duration_sec: 3 });
  assert.equal(said(sound('ac3'), screen, 'audio'), 'fails: audio_codec');
  assert.equal(said(sound('aac'), screen, 'audio'), 'plays');
});

test('each codec string is assigned to its class of video', () => {
  const classes: readonly [codec: string, profile: string | null, name: string | undefined][] = [
    ['avc', 'avc1.42c00a', 'avc'],
    ['avc', 'avc1.6e0028', 'avc-10bit'],
    ['avc', 'avc1.f4000d', 'avc-444'],
    ['avc', null, undefined],
    ['hevc', 'hev1.1.6.L30.90', 'hevc'],
    ['hevc', 'hvc1.2.4.L153.B0', 'hevc-10bit'],
    ['hevc', 'hvc1.4.10.L120.9D.8', undefined],
    ['vp8', 'vp8', 'vp8'],
    ['vp9', 'vp09.00.50.08', 'vp9'],
    ['vp9', 'vp09.02.50.10.01', 'vp9-10bit'],
    ['av1', 'av01.0.08M.08', 'av1'],
    ['av1', 'av01.0.08M.10.0.110', 'av1-10bit'],
    ['av1', 'av01.1.08M.08', undefined],
  ];
  for (const [codec, profile, name] of classes) assert.equal(videoClassOf(codec, profile), name, `${profile}`);
});
