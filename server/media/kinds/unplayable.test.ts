/**
 * Tests files that no player can play: they are refused on upload with a sentence. The test files are made by real
 * programs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { clip, mkv, mp4, svg, webm } from '../../../test/sample-media.ts';
import { findFfmpeg } from '../ffmpeg.ts';
import { checkPictures } from './check-pictures.ts';
import { inspect } from './inspect.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-unplayable-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const stored = (bytes: Buffer): string => {
  const path = join(folder, `${files++}`);
  writeFileSync(path, bytes);
  return path;
};
const look = (bytes: Buffer) => inspect(stored(bytes), bytes.length);
const refusal = async (bytes: Buffer): Promise<string> => {
  const found = await look(bytes);
  assert.ok('refused' in found, JSON.stringify(found));
  return found.refused;
};
const PICTURE = '-f lavfi -i testsrc=s=320x180:r=25:d=3';

test('a Theora video is refused with the name of its codec', async () => {
  const theora = await clip('ogv', `${PICTURE} -f lavfi -i sine=d=3 -c:v libtheora -c:a libvorbis`);
  assert.match(await refusal(theora), /^Screens cannot play this video’s codec \(Theora\); convert it to MP4/);
});

test('an Ogg file with sound only is accepted', async () => {
  const found = await look(await clip('ogg', '-f lavfi -i sine=d=3 -c:a libvorbis'));
  assert.deepEqual('kind' in found && [found.kind, found.format?.audio?.codec], ['audio', 'vorbis']);
});

test('a truncated WebM or Matroska video is refused as incomplete', async () => {
  for (const whole of [await webm(), await mkv()]) {
    assert.match(await refusal(whole.subarray(0, whole.length / 2)), /^This video is incomplete: its end is missing/);
    assert.ok('kind' in (await look(whole)));
  }
});

test('WebM recording of unknown length is refused only when its last block is truncated', async () => {
  const recording = await clip('webm', `${PICTURE} -c:v libvpx -b:v 200k -live 1 -f webm`);
  assert.ok('kind' in (await look(recording)));
  assert.match(await refusal(recording.subarray(0, recording.length - 200)), /its end is missing/);
});

test('video whose picture data consists of zeros is refused without the use of ffmpeg', async () => {
  const zeros = Buffer.from(await mp4());
  const at = zeros.lastIndexOf('mdat');
  zeros.fill(0, at + 4);
  assert.match(await refusal(zeros), /^This video is damaged: no image can be read from it/);
});

test('ffmpeg finds no picture in a video whose picture data is noise', async () => {
  const ffmpeg = (await findFfmpeg())!;
  const noise = Buffer.from(await mkv());
  // Overwrites the picture data but not the length fields, so that only a decoder notices the damage.
  const whole = await mp4();
  const damaged = Buffer.from(whole);
  for (let at = damaged.lastIndexOf('mdat') + 4; at + 4 < damaged.length; ) {
    const length = damaged.readUInt32BE(at);
    if (length === 0 || at + 4 + length > damaged.length) break;
    damaged.fill(0xaa, at + 4, at + 4 + length);
    at += 4 + length;
  }
  assert.equal(await checkPictures(ffmpeg, { path: stored(damaged), mime: 'video/mp4', durationSec: 3 }), 'none');
  assert.equal(await checkPictures(ffmpeg, { path: stored(whole), mime: 'video/mp4', durationSec: 3 }), 'some');
  assert.equal(await checkPictures(ffmpeg, { path: stored(noise), mime: 'video/x-matroska', durationSec: 3 }), 'some');
});

test('video of every codec that screens can play is accepted, and inspection returns its codecs', async () => {
  const cases: readonly [extension: string, args: string, codec: string, profile: RegExp, audio: string | null][] = [
    ['mp4', '-c:v libx264 -pix_fmt yuv420p', 'avc', /^avc1\.64/, null],
    ['mp4', '-c:v libx264 -pix_fmt yuv420p10le', 'avc', /^avc1\.6e/i, null],
    ['mp4', '-c:v libx264 -pix_fmt yuv422p', 'avc', /^avc1\.7a/i, null],
    ['mp4', '-c:v libx265 -x265-params log-level=none', 'hevc', /^h(ev|vc)1\./, null],
    ['mp4', '-f lavfi -i sine=d=3 -c:v libx264 -pix_fmt yuv420p -c:a ac3', 'avc', /^avc1/, 'ac3'],
    ['mp4', '-f lavfi -i sine=d=3 -c:v libx264 -pix_fmt yuv420p -c:a eac3', 'avc', /^avc1/, 'eac3'],
    ['webm', '-c:v libvpx-vp9 -pix_fmt yuv420p -deadline realtime', 'vp9', /^vp09\.00/, null],
  ];
  const ffmpeg = (await findFfmpeg())!;
  for (const [extension, args, codec, profile, audio] of cases) {
    const bytes = await clip(extension, `${PICTURE} ${args}`);
    const found = await look(bytes);
    assert.ok('kind' in found && found.format?.video, `${args}: ${JSON.stringify(found)}`);
    assert.equal(found.format.video.codec, codec);
    assert.match(found.format.video.profile!, profile);
    assert.deepEqual([found.format.video.width, found.format.video.height], [320, 180]);
    assert.equal(found.format.video.frame_rate, 25);
    assert.equal(found.format.audio?.codec ?? null, audio);
    const { mime, durationSec } = found;
    assert.equal(await checkPictures(ffmpeg, { path: stored(bytes), mime, durationSec }), 'some', args);
  }
});

const pdf = (body: string): Buffer => Buffer.from(`%PDF-1.4\n${body}`);

test('a PDF that is truncated, empty or without pages is refused with the reason', async () => {
  const objects =
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n';
  const end = 'trailer\n<< /Root 1 0 R /Size 3 >>\nstartxref\n0\n%%EOF\n';
  assert.match(await refusal(pdf(objects)), /^This PDF is incomplete: its end is missing/);
  assert.match(await refusal(pdf('')), /^This PDF is incomplete/);
  assert.match(await refusal(pdf(end)), /^This PDF (is damaged|has no pages)/);
  assert.match(await refusal(pdf(objects + end)), /^This PDF has no pages/);
});

test('an SVG in UTF-16 is accepted', async () => {
  const text = svg().toString().replace('1.0"', '1.0" encoding="UTF-16"');
  const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const big = Buffer.from(little).swap16();
  for (const bytes of [little, big]) {
    const found = await look(bytes);
    assert.deepEqual('mime' in found && [found.mime, found.width], ['image/svg+xml', 100]);
    assert.ok('thumbnail' in found && found.thumbnail);
  }
});

test('an SVG with an external picture is refused with its address, but links and data addresses are accepted', async () => {
  const outside = await refusal(svg('<image xlink:href="logo.png" width="5" height="5"/>'));
  assert.match(outside, /^This SVG image refers to another file \(logo\.png\)/);
  assert.match(await refusal(svg("<image href='http://a.example/x.png'/>")), /http:\/\/a\.example\/x\.png/);
  for (const body of [
    '<a href="https://shop.example/"><rect width="5" height="5"/></a>',
    '<defs><g id="s"/></defs><use href="#s"/>',
    '<image href="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="5" height="5"/>',
    '<!-- <image href="old.png"/> -->',
  ])
    assert.ok('kind' in (await look(svg(body))), body);
});
