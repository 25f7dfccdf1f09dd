/**
 * Tests decompression bombs: small files that expand to gigabytes. Each file is either refused because of its header,
 * or ends the media process, and the next file is still processed.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { jpeg, picture, png, svg } from '../../../test/sample-media.ts';
import { extractFrame, findFfmpeg } from '../ffmpeg.ts';
import { MediaProcess } from '../media-process.ts';
import { limited, MemoryBudget } from '../memory.ts';
import { inspect, shrink } from './inspect.ts';
import { MEBIBYTE } from './inspection.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bombs-'));
after(() => rmSync(folder, { recursive: true }));
let n = 0;
const stored = (bytes: Buffer): { path: string; size: number } => {
  const path = join(folder, `${n++}`);
  writeFileSync(path, bytes);
  return { path, size: bytes.length };
};
const refusal = async (bytes: Buffer): Promise<string> => {
  const { path, size } = stored(bytes);
  const found = await inspect(path, size);
  assert.ok('refused' in found, JSON.stringify(found));
  return found.refused;
};

/** Returns a copy of the file with a changed size in its header. */
const patched = (bytes: Buffer, write: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  write(copy);
  return copy;
};
const chunk = (type: string, data: Buffer): Buffer => {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
};
/** Returns a complete black and white image: 128 MB of pixel rows in 120 kB. */
const widePng = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
const bmp = (width: number, height: number): Buffer => {
  const row = Math.ceil(width / 32) * 4;
  const bytes = Buffer.alloc(62 + row * height);
  bytes.write('BM', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(62, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(1, 28);
  return bytes;
};

const SIDE = 16_000;
const bombs: Record<string, () => Promise<Buffer> | Buffer> = {
  PNG: () => widePng(SIDE, SIDE),
  JPEG: async () =>
    patched(await jpeg(), (b) => {
      const frame = b.indexOf(Buffer.from([0xff, 0xc0]));
      b.writeUInt16BE(SIDE, frame + 5);
      b.writeUInt16BE(SIDE, frame + 7);
    }),
  WebP: async () =>
    patched(await picture('webp'), (b) => {
      const key = b.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
      b.writeUInt16LE(SIDE, key + 3);
      b.writeUInt16LE(SIDE, key + 5);
    }),
  GIF: async () =>
    patched(await picture('gif'), (b) => {
      const frame = b.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 64, 0, 48, 0]));
      for (const at of [6, 8, frame + 5, frame + 7]) b.writeUInt16LE(SIDE, at);
    }),
  AVIF: async () =>
    patched(await picture('avif'), (b) => {
      const extent = b.indexOf('ispe');
      b.writeUInt32BE(SIDE, extent + 8);
      b.writeUInt32BE(SIDE, extent + 12);
    }),
  BMP: () =>
    patched(bmp(64, 64), (b) => {
      for (const at of [18, 22]) b.writeInt32LE(SIDE, at);
    }),
};
for (const [name, make] of Object.entries(bombs)) {
  test(`file of type ${name} with 256 megapixels is refused before decoding, with its size and the limit`, async () => {
    const bytes = await make();
    const before = process.memoryUsage.rss();
    assert.match(await refusal(bytes), /256 megapixels \(16000 × 16000\).*(at most|limit is) \d+/);
    assert.ok(process.memoryUsage.rss() - before < 100 * MEBIBYTE);
    assert.equal(await shrink(bytes), null);
  });
}

test('an AVIF above 36 megapixels is refused, because it takes three times the memory of other formats', async () => {
  const sized = async (width: number, height: number) =>
    patched(await picture('avif'), (b) => {
      const extent = b.indexOf('ispe');
      b.writeUInt32BE(width, extent + 8);
      b.writeUInt32BE(height, extent + 12);
    });
  assert.match(await refusal(await sized(16_000, 5_000)), /80 megapixels.*limit is 36/);
  // An AVIF in 8K is below the limit. The test changed the header of this file, so it is refused, but not because of
  // its size.
  assert.doesNotMatch(await refusal(await sized(7680, 4320)), /megapixels/);
});

test('HEIC and TIFF are refused without decoding', async () => {
  assert.match(await refusal(await picture('tiff')), /TIFF/);
  assert.match(
    await refusal(
      Buffer.concat([
        Buffer.from('00000018667479706865696300000000', 'hex'),
        Buffer.from('mif1heic'),
        Buffer.alloc(64),
      ]),
    ),
    /HEIC/,
  );
});

test('only the first frame of an animation is decoded', async () => {
  const { default: sharp } = await import('sharp');
  const pages = 200;
  const frames = Buffer.alloc(200 * 200 * pages * 3, 120);
  for (let i = 0; i < pages; i++) frames.fill(i, i * 200 * 200 * 3, i * 200 * 200 * 3 + 3000);
  const gif = await sharp(frames, { raw: { width: 200, height: 200 * pages, channels: 3, pageHeight: 200 } })
    .gif({ effort: 1 })
    .toBuffer();
  const { path, size } = stored(gif);
  const found = await inspect(path, size);
  assert.ok(!('refused' in found), JSON.stringify(found));
  assert.deepEqual([found.width, found.height], [200, 200]);
});

test('SVG with a huge embedded picture ends the media process but not the server, and the next file is processed', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const inside = widePng(20_000, 20_000).toString('base64');
  const drawing = stored(svg(`<image href="data:image/png;base64,${inside}" width="50" height="50"/>`));
  const media = new MediaProcess();
  t.after(() => media.stop());
  await assert.rejects(
    media.inspect(drawing.path, drawing.size),
    /crashed its decoder, or takes more than 1024 MB of memory/,
  );
  const good = stored(await png());
  const found = await media.inspect(good.path, good.size);
  assert.ok('thumbnail' in found && found.thumbnail);
});

const ended = (command: string, args: readonly string[]) =>
  new Promise<boolean>((done) => execFile(command, args, (error) => done(error !== null)));

test('process with a memory limit fails to allocate more than the limit', {
  skip: process.platform !== 'linux',
}, async () => {
  const taking = (mb: number) => limited(process.execPath, ['-e', `Buffer.alloc(${mb} * 1024 * 1024, 1)`], 256);
  const little = taking(100);
  assert.equal(await ended(little.command, little.args), false);
  const much = taking(1500);
  assert.equal(await ended(much.command, much.args), true);
});

test('process ends itself when it exceeds its memory limit', async () => {
  const source = `import { watchMemory } from ${JSON.stringify(join(import.meta.dirname, '..', 'memory.ts'))};
    watchMemory(); const held = []; setInterval(() => held.push(Buffer.alloc(100 * 1024 * 1024, 1)), 20); setTimeout(() => process.exit(0), 20_000);`;
  assert.equal(await ended(process.execPath, ['--input-type=module', '-e', source]), true);
});

test('no frame is extracted from a video that has more pixels than its container claims', async (t) => {
  const ffmpeg = await findFfmpeg();
  if (!ffmpeg) return t.skip('no ffmpeg');
  const frame = (bytes: Buffer) =>
    extractFrame(ffmpeg, { path: stored(bytes).path, demuxer: 'bmp_pipe', at: 0 }, t.signal);
  assert.ok(await frame(bmp(640, 480)));
  assert.equal(await frame(bmp(10_000, 9_000)), undefined);
});

test('memory budget queues jobs in order and starts each when enough memory is free', async () => {
  const budget = new MemoryBudget(100);
  const log: string[] = [];
  const job = (name: string, bytes: number) =>
    budget.with(bytes, async () => {
      log.push(`+${name}`);
      await new Promise((next) => setImmediate(next));
      log.push(`-${name}`);
    });
  await Promise.all([job('a', 60), job('b', 30), job('huge', 500), job('c', 10)]);
  assert.deepEqual(log, ['+a', '+b', '-a', '-b', '+huge', '-huge', '+c', '-c']);
  await assert.rejects(budget.with(100, () => Promise.reject(new Error('no'))));
  await job('d', 100);
  assert.equal(log.at(-1), '-d');
});
