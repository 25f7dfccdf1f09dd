import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { clip, jpeg, mkv, mov, mp3, mp4, picture, png, svg, webm } from '../../../test/sample-media.ts';
import { inspect, shrink } from './inspect.ts';
import type { Inspected } from './inspection.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-inspect-'));
after(() => rmSync(folder, { recursive: true }));
let n = 0;
const look = async (bytes: Buffer, name?: string) => {
  const path = join(folder, `${n++}`);
  writeFileSync(path, bytes);
  return inspect(path, bytes.length, name);
};
const seen = async (bytes: Buffer): Promise<Inspected> => {
  const found = await look(bytes);
  assert.ok(!('refused' in found), JSON.stringify(found));
  return found;
};
const refusal = async (bytes: Buffer, name?: string): Promise<string> => {
  const found = await look(bytes, name);
  assert.ok('refused' in found, JSON.stringify(found));
  return found.refused;
};

test('picture is recognized by its bytes, and inspection returns its size and a thumbnail', async () => {
  const kinds = {
    'image/jpeg': await jpeg(),
    'image/png': await png(),
    'image/webp': await picture('webp'),
    'image/avif': await picture('avif'),
    'image/gif': await picture('gif'),
  };
  for (const [mime, bytes] of Object.entries(kinds)) {
    const found = await seen(bytes);
    assert.deepEqual([found.kind, found.mime, found.durationSec], ['image', mime, null]);
    assert.ok(found.width! > 0 && found.height! > 0);
    assert.equal((await sharp(found.thumbnail!).metadata()).format, 'webp');
  }
});

test('width, height and thumbnail of a picture with an orientation are those of the upright picture', async () => {
  const found = await seen(await jpeg(640, 480, 6));
  assert.deepEqual([found.width, found.height], [480, 640]);
  const small = await sharp(found.thumbnail!).metadata();
  assert.deepEqual([small.width, small.height], [360, 480]);
});

test('the thumbnail of a small picture is not enlarged', async () => {
  const small = await sharp((await seen(await png(64, 48))).thumbnail!).metadata();
  assert.deepEqual([small.width, small.height], [64, 48]);
});

test('SVG is recognized after an XML declaration, comments and a doctype', async () => {
  const found = await seen(svg());
  assert.deepEqual([found.kind, found.mime, found.width, found.height], ['image', 'image/svg+xml', 100, 50]);
  const doctype = Buffer.from(
    '\uFEFF<?xml version="1.0"?><!DOCTYPE svg [ <!ENTITY a "<b>"> ]><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>',
  );
  assert.equal((await seen(doctype)).mime, 'image/svg+xml');
});

test('an SVG that refers to a file of the server is refused', async () => {
  for (const href of ['secret.png', `file://${folder}/secret.png`, `${folder}/secret.png`])
    assert.match(
      await refusal(svg(`<image href="${href}" width="100" height="50"/>`)),
      /refers to another file|does not load/,
      href,
    );
});

test('SVG with nested entities is refused or harmless, and its inspection takes little time', async () => {
  const levels = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
  const bomb = Buffer.from(
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e0 "x">${levels}]><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>&e12;</text></svg>`,
  );
  const started = performance.now();
  await look(bomb);
  assert.ok(performance.now() - started < 10_000);
});

test('a BMP is recognized by its header', async () => {
  const found = await seen(await clip('bmp', '-f lavfi -i testsrc=s=320x180:d=1 -frames:v 1'));
  assert.deepEqual([found.mime, found.width, found.height], ['image/bmp', 320, 180]);
});

test('video has a size and a length, and sound that is longer than the pictures does not extend the length', async () => {
  const kinds = {
    'video/mp4': await mp4(),
    'video/quicktime': await mov(),
    'video/x-matroska': await mkv(),
    'video/webm': await webm(),
  };
  for (const [mime, bytes] of Object.entries(kinds)) {
    const found = await seen(bytes);
    assert.deepEqual(
      [found.kind, found.mime, found.width, found.height, found.durationSec],
      ['video', mime, 320, 180, 3],
      mime,
    );
  }
});

test('length of a sound file is measured', async () => {
  const tone = '-f lavfi -i sine=d=2';
  const kinds = {
    'audio/mpeg': await mp3(),
    'audio/mp4': await clip('m4a', tone),
    'audio/aac': await clip('aac', tone),
    'audio/wav': await clip('wav', tone),
    'audio/flac': await clip('flac', tone),
    'audio/ogg': await clip('ogg', `${tone} -c:a libopus`),
  };
  for (const [mime, bytes] of Object.entries(kinds)) {
    const found = await seen(bytes);
    assert.deepEqual([found.kind, found.mime, found.width], ['audio', mime, null]);
    assert.ok(found.durationSec! > 1.9 && found.durationSec! < 3.2, `${mime} ${found.durationSec}`);
  }
});

test('PDF is recognized even when other bytes precede its header', async () => {
  const sheet = onePage('0 0 0');
  assert.equal((await seen(sheet)).kind, 'pdf');
  assert.equal((await seen(Buffer.concat([Buffer.from('\n\n'), sheet]))).mime, 'application/pdf');
});

test('the thumbnail of a PDF shows its first page', async () => {
  const { thumbnail } = await seen(onePage('0.08 0.67 0.27'));
  assert.ok(thumbnail);
  const { data, info } = await sharp(thumbnail).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [480, 240]);
  assert.ok(
    [20, 171, 69].every((value, channel) => Math.abs(value - (data[channel] ?? 0)) < 6),
    `${data.subarray(0, 3).join(' ')}`,
  );
});

/** Creates a page of 200 × 100 points in one colour, without a cross-reference table, which readers reconstruct. */
const onePage = (colour: string): Buffer => {
  const content = `${colour} rg 0 0 200 100 re f`;
  const parts = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  return Buffer.from(
    `%PDF-1.4\n${parts.map((part, index) => `${index + 1} 0 obj\n${part}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R >>\n%%EOF\n`,
  );
};

/** Creates a PNG that compresses badly, so that half of the file contains half of the picture. */
const noisy = () =>
  sharp({
    create: {
      width: 300,
      height: 200,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();

test('a file that no screen can show is refused with a sentence that says what it is and what to do', async () => {
  assert.match(await refusal(Buffer.alloc(0)), /empty.*Copy it again/);
  assert.match(await refusal(Buffer.from('hello, I am a text file')), /is text/);
  assert.match(
    await refusal(Buffer.from('<!doctype html><html><script>alert(1)</script></html>')),
    /web page; add it by its address/,
  );
  assert.match(await refusal(Buffer.from('<html><svg></svg></html>')), /web page/);
  assert.match(await refusal(await picture('tiff')), /TIFF.*save it as PNG or JPEG/);
  assert.match(await refusal(Buffer.from('PK\x03\x04then something')), /zip/);
  assert.match(await refusal(Buffer.from('\x7fELF and more bytes than sixteen', 'latin1')), /elf|unknown/);
  assert.match(await refusal(await clip('avi', '-f lavfi -i testsrc=s=320x180:d=1 -c:v mpeg4')), /convert it to MP4/);
  assert.match(
    await refusal(await clip('mp4', '-f lavfi -i testsrc=s=320x180:d=1 -c:v mpeg4')),
    /codec \(mp4v\).*H\.264/,
  );
});

test('HLS playlist, which refers to other files, is recognized as text regardless of its file name', async () => {
  assert.match(
    await refusal(Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n')),
    /is text|m3u/i,
  );
});

test('truncated file is refused as incomplete, and the error names its type and says what to do', async () => {
  const again = /incomplete: its end is missing\. Copy it again/;
  for (const [format, picture] of [
    ['JPEG', await jpeg(1200, 900)],
    ['PNG', await noisy()],
    [
      'WebP',
      await sharp(await noisy())
        .webp({ lossless: true })
        .toBuffer(),
    ],
  ] as const) {
    const said = await refusal(picture.subarray(0, picture.length / 2));
    assert.match(said, again);
    assert.match(said, new RegExp(`^This ${format} image`));
  }
  const video = await mp4();
  assert.match(await refusal(video.subarray(0, video.length - 2000)), /^This video is incomplete: its end/);
  const late = await mov();
  assert.match(await refusal(late.subarray(0, late.length / 2)), again);
});

test('a video without an index is refused as incomplete', async () => {
  const whole = await mov();
  const at = whole.indexOf('moov') - 4;
  const length = whole.readUInt32BE(at);
  const without = Buffer.concat([whole.subarray(0, at), whole.subarray(at + length)]);
  assert.match(await refusal(without), /its index \(moov\) is missing.*export it again/);
});

test('file in which bytes were changed is refused as damaged', async () => {
  const damaged = /^This (\w+) image is damaged and cannot be opened\. Use another copy/;
  const header = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500)]);
  assert.equal(damaged.exec(await refusal(header))?.[1], 'JPEG');
  const wrong = Buffer.from(await noisy());
  wrong.fill(0, 60, wrong.length - 60);
  assert.equal(damaged.exec(await refusal(wrong))?.[1], 'PNG');
  const begin = Buffer.from(await jpeg(200, 100));
  begin.fill(0, 0, 64);
  assert.match(
    await refusal(begin, 'Photo 12.JPG'),
    /has the name of a JPEG file.*damaged or of another type\. Use another/,
  );
  assert.match(await refusal(begin), /of an unknown type; save it as JPEG/);
  assert.match(await refusal(Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(200)])), /damaged and cannot be played/);
});

test('PDF that needs a password is refused, and a PDF that only forbids printing is accepted', async () => {
  const owner = Buffer.alloc(32, 0x28);
  const withUser = (user: Buffer) => {
    const lock = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`;
    const sheet = onePage('0 0 0').toString();
    return Buffer.from(sheet.replace('/Root 1 0 R', `/Root 1 0 R /ID [<00><00>] /Encrypt ${lock}`));
  };
  // Padding bytes (PDF 1.7, 7.6.3.4). The key for an empty password is derived from these bytes.
  const nothing = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
  const key = createHash('md5')
    .update(nothing)
    .update(owner)
    .update(Buffer.from([0xfc, 0xff, 0xff, 0xff, 0]))
    .digest();
  const open = await seen(withUser(rc4(key.subarray(0, 5), nothing)));
  assert.equal(open.kind, 'pdf');
  assert.match(await refusal(withUser(Buffer.alloc(32))), /protected by a password\. Save it without the password/);
});

/** Implements RC4, which encrypts old PDFs. Current versions of OpenSSL no longer support it. */
const rc4 = (key: Buffer, text: Buffer): Buffer => {
  const state = Array.from({ length: 256 }, (_, i) => i);
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b]!, state[a]!];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) % 256;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return text.map((byte) => {
    i = (i + 1) % 256;
    j = (j + state[i]!) % 256;
    swap(i, j);
    return byte ^ state[(state[i]! + state[j]!) % 256]!;
  }) as Buffer;
};

test('picture whose header claims 100 megapixels is refused without decoding', async () => {
  const header = await png(10, 10);
  const bomb = Buffer.from(header);
  bomb.writeUInt32BE(10_000, 16);
  bomb.writeUInt32BE(10_000, 20);
  // Corrects the checksum of the changed header. Otherwise a decoder would report the file as damaged.
  const { crc32 } = await import('node:zlib');
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  assert.match(await refusal(bomb), /100 megapixels .* at most 80/);
});

test('a real picture of 100 megapixels in one colour is refused', async () => {
  const bomb = await sharp({
    create: { width: 10_000, height: 10_001, channels: 3, background: '#000' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  assert.match(await refusal(bomb), /megapixels/);
});

test('shrink returns null when the bytes are not a picture', async () => {
  assert.equal(await shrink(Buffer.from('no picture')), null);
});
