/**
 * Tests the check over HTTP, with players that report formats: from the upload to the names of screens that cannot play
 * a file.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PlaybackAnswer } from '../../../shared/contract/content/playback.ts';
import type { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import { must } from '../../../test/people.ts';
import { clip, mp4 } from '../../../test/sample-media.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { until } from '../../../test/uploads.ts';

const shops = openShops();
const PICTURE = '-f lavfi -i testsrc=s=320x180:r=25:d=3';
const hevc = () => clip('mp4', `${PICTURE} -c:v libx265 -x265-params log-level=none`);
const withAc3 = () => clip('mp4', `${PICTURE} -f lavfi -i sine=d=3 -c:v libx264 -pix_fmt yuv420p -c:a ac3`);

const FULL_HD = 1920 * 1080;
const plain: ScreenFormats = {
  video: { avc: FULL_HD, hevc: 0 },
  sized: true,
  audio: { aac: true, ac3: false },
  texture: 8192,
};
const rich: ScreenFormats = { ...plain, video: { avc: FULL_HD, hevc: FULL_HD }, audio: { aac: true, ac3: true } };

/** Makes three screens: one plays few formats, one plays many, and one does not report. */
const threeScreens = async (shop: Shop) => {
  const [till, window, old] = [await shop.screen('Till'), await shop.screen('Window'), await shop.screen('Old')];
  till.client.say({ type: 'heartbeat', formats: plain });
  window.client.say({ type: 'heartbeat', formats: rich });
  old.client.say({ type: 'heartbeat' });
  for (const [screen, formats] of [
    [till, plain],
    [window, rich],
    [old, null],
  ] as const) {
    const device = await until(
      () => shop.get(`/api/devices/${screen.deviceId}`),
      (found: { formats: unknown }) => JSON.stringify(found.formats) === JSON.stringify(formats),
    );
    assert.deepEqual(device.formats, formats);
  }
  return { till, window, old };
};
const check = async (shop: Shop, question: object): Promise<PlaybackAnswer> =>
  must(await shop.call('POST', '/api/playback/check', question)) as PlaybackAnswer;
const told = ({ problems }: PlaybackAnswer) =>
  problems.map(({ verdict, reason, screens }) => `${verdict} ${reason}: ${screens.map(({ name }) => name).join()}`);

test('screens that cannot play a content are named for the content, for a playlist and for a plan with it', async (t) => {
  const shop = await shops.open(t);
  const { till, window } = await threeScreens(shop);
  const film = must(await shop.upload(await hevc(), 'film.mp4'), 201);
  assert.deepEqual([film.format.video.codec, film.format.video.frame_rate, film.format.audio], ['hevc', 25, null]);
  const loud = must(await shop.upload(await withAc3(), 'loud.mp4'), 201);
  const good = must(await shop.upload(await mp4(), 'good.mp4'), 201);

  const ofFilm = await until(
    () => check(shop, { content_id: film.id }),
    ({ problems }) => problems.length > 0,
  );
  assert.deepEqual([ofFilm.screens, ofFilm.unknown, told(ofFilm)], [3, 1, ['fails video_codec: Till']]);
  assert.deepEqual(told(await check(shop, { content_id: loud.id })), ['silent audio_codec: Till']);
  assert.deepEqual(told(await check(shop, { content_id: good.id })), []);

  const playlist = await shop.playlist([film.id, loud.id, good.id]);
  assert.equal((await check(shop, { playlist_id: playlist })).screens, 0, 'no screen shows it yet');
  const device = (id: string) => ({ kind: 'device', id });
  const onBoth = { playlist_id: playlist, targets: [device(till.deviceId), device(window.deviceId)] };
  assert.deepEqual(told(await check(shop, onBoth)).sort(), ['fails video_codec: Till', 'silent audio_codec: Till']);
  assert.deepEqual(told(await check(shop, { ...onBoth, targets: [device(window.deviceId)] })), []);
  must(await shop.call('POST', `/api/playlists/${playlist}/assign`, { device_id: till.deviceId }));
  assert.equal((await check(shop, { playlist_id: playlist })).problems.length, 2);
});

test('contents in the zones of a layout and in their playlists are checked for the screens with this layout', async (t) => {
  const shop = await shops.open(t);
  const { till, window } = await threeScreens(shop);
  const film = must(await shop.upload(await hevc(), 'film.mp4'), 201);
  const loud = must(await shop.upload(await withAc3(), 'loud.mp4'), 201);
  const playlist_id = await shop.playlist([loud.id]);
  const layout = await shop.make('/api/layouts', {
    name: 'L',
    zones: [
      { content_id: film.id, height_percent: 50 },
      { playlist_id, height_percent: 50 },
    ],
  });
  const ofLayout = (more = {}) => check(shop, { layout_id: layout.id, ...more });
  assert.equal((await ofLayout()).screens, 0, 'no screen has it yet');
  const targets = [till, window].map(({ deviceId }) => ({ kind: 'device', id: deviceId }));
  const both = ['fails video_codec: Till', 'silent audio_codec: Till'];
  assert.deepEqual(told(await ofLayout({ targets })).sort(), both);
  must(await shop.call('PUT', `/api/layouts/device/${till.deviceId}`, { layout_id: layout.id }));
  const now = await ofLayout();
  assert.deepEqual([now.screens, told(now).sort()], [1, both]);
});

test('a check needs one of content, playlist and layout, and an unknown record answers 404', async (t) => {
  const shop = await shops.open(t);
  assert.equal((await shop.call('POST', '/api/playback/check', {})).status, 400);
  assert.equal((await shop.call('POST', '/api/playback/check', { content_id: 'x', playlist_id: 'y' })).status, 400);
  assert.equal((await shop.call('POST', '/api/playback/check', { content_id: 'x' })).status, 404);
  assert.equal((await shop.call('POST', '/api/playback/check', { playlist_id: 'x' })).status, 404);
  assert.equal((await shop.call('POST', '/api/playback/check', { layout_id: 'x' })).status, 404);
  assert.equal((await shop.call('POST', '/api/playback/check', { layout_id: 'x', playlist_id: 'y' })).status, 400);
});

test('a file that no screen can play is refused at upload and replacement, and leaves nothing', async (t) => {
  const shop = await shops.open(t);
  const good = must(await shop.upload(await mp4(), 'good.mp4'), 201);
  const files = () => readdirSync(join(shop.site.data, 'media'), { recursive: true }).length;
  await until(
    () => shop.get(`/api/content/${good.id}`),
    (content: { thumbnail_path: string | null }) => content.thumbnail_path !== null,
  );
  const before = files();
  const theora = await clip('ogv', `${PICTURE} -c:v libtheora`);
  const webm = await clip('webm', `${PICTURE} -c:v libvpx -b:v 200k`);
  const noise = Buffer.from(await mp4());
  for (let at = noise.lastIndexOf('mdat') + 4; at + 4 < noise.length; ) {
    const length = noise.readUInt32BE(at);
    if (length === 0 || at + 4 + length > noise.length) break;
    noise.fill(0xaa, at + 4, at + 4 + length);
    at += 4 + length;
  }
  const cases: readonly [bytes: Buffer, sentence: RegExp][] = [
    [theora, /codec \(Theora\)/],
    [webm.subarray(0, webm.length / 2), /its end is missing/],
    [noise, /no image can be read from it/],
    [Buffer.from('%PDF-1.4\n1 0 obj'), /This PDF is incomplete/],
  ];
  for (const [bytes, sentence] of cases)
    for (const options of [{}, { method: 'PUT', path: `/api/content/${good.id}/replace` }]) {
      const answer = await shop.upload(bytes, 'file', options);
      assert.equal(answer.status, 415);
      assert.match(answer.body.error, sentence);
    }
  assert.equal(files(), before);
});
