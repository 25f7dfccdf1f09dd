import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Browser } from 'playwright';
import { launchBrowser } from '../../../player/screen/testing/browser.ts';
import { tempFolder } from '../../../test/harness.ts';
import { MediaProcess } from '../media-process.ts';
import { brandFontFile } from './brand-fonts.ts';
import { checkFont, MAX_FONT_BYTES } from './check-font.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

const woff2 = readFileSync(brandFontFile('oswald', 'latin')!.path);
/** Liberation Sans, from the package of the PDF reader. */
const ttf = readFileSync(
  join(
    createRequire(import.meta.url).resolve('pdfjs-dist/package.json'),
    '../standard_fonts/LiberationSans-Regular.ttf',
  ),
);

const check = async (t: TestContext, bytes: Buffer) => {
  const path = join(tempFolder(t), 'font');
  writeFileSync(path, bytes);
  return checkFont(path, bytes.length);
};

/** Pseudo-random numbers below a limit, the same in every run. */
const random = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
};

test('TrueType and WOFF2 fonts are accepted with their name', async (t) => {
  const [liberation, oswald] = [await check(t, ttf), await check(t, woff2)];
  assert.ok('name' in liberation && 'name' in oswald, JSON.stringify([liberation, oswald]));
  assert.deepEqual([liberation.name, liberation.mime], ['Liberation Sans', 'font/ttf']);
  assert.deepEqual([oswald.name, oswald.mime], ['Oswald', 'font/woff2']);
});

test('files that are no usable font are refused with what to do', async (t) => {
  const cases: [Buffer, RegExp][] = [
    [Buffer.from('<svg/>'), /not a font/],
    [Buffer.from('ttcf0000'), /collection/],
    [Buffer.from('wOFF0000'), /WOFF2, TTF or OTF/],
    [Buffer.alloc(MAX_FONT_BYTES + 1), /at most 5 MB/],
    [ttf.subarray(0, ttf.length - 100), /damaged/],
    [woff2.subarray(0, woff2.length - 1), /damaged/],
    [Buffer.from('wOF2'), /damaged/],
    [Buffer.from('OTTO'), /damaged/],
  ];
  for (const [bytes, sentence] of cases) {
    const found = await check(t, bytes);
    assert.match('refused' in found ? found.refused : 'accepted', sentence);
  }
});

test('media process checks a font', async (t) => {
  const media = new MediaProcess();
  media.start();
  t.after(() => media.stop());
  const { path } = brandFontFile('oswald', 'latin')!;
  const found = await media.checkFont(path, woff2.length);
  assert.equal('name' in found && found.name, 'Oswald');
});

test('WOFF2 that unpacks to more than it states is refused', async (t) => {
  const bomb = Buffer.from(woff2);
  bomb.writeUInt32BE(0xffff_ffff, 16);
  assert.ok('refused' in (await check(t, bomb)));
});

test('40 mutated fonts: each is refused, or a browser reads it', async (t) => {
  const next = random(40);
  const page = await browser.newPage();
  let refusals = 0;
  for (let n = 0; n < 40; n++) {
    const bytes = Buffer.from(n % 2 === 0 ? ttf : woff2);
    // Half of the faults are in the first bytes, where the directory of tables is.
    const reach = n % 4 < 2 ? 400 : bytes.length;
    for (let faults = 1 + next(8); faults > 0; faults--) bytes[next(reach)] = next(256);
    const found = await check(t, bytes);
    if ('refused' in found) {
      refusals++;
      continue;
    }
    const isRead = await page.evaluate(
      (text) =>
        new FontFace(
          'test',
          Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
        )
          .load()
          .then(
            () => true,
            () => false,
          ),
      bytes.toString('base64'),
    );
    assert.ok(isRead, `font ${n} was accepted, and the browser refuses it`);
  }
  assert.ok(refusals >= 30, `${refusals} refused`);
});
