/** Tests pictures with an EXIF orientation. The colours of the four corners show whether a picture is upright. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright';
import sharp, { type Sharp } from 'sharp';
import { launchBrowser } from '../../../player/screen/testing/browser.ts';
import { distance, type Picture, picture, type Rgb } from '../../../player/screen/testing/pictures.ts';
import { openShops } from '../../../test/shop.ts';

const shops = openShops();
let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

const RED: Rgb = [255, 0, 0];
const LIME: Rgb = [0, 255, 0];
const BLUE: Rgb = [0, 0, 255];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const [WIDTH, HEIGHT] = [200, 120];

/** An upright picture: its upper corners are red and lime, its lower corners blue and white. */
const upright = async (left = RED): Promise<Buffer> => {
  const part = ([r, g, b]: Rgb) =>
    sharp({ create: { width: WIDTH / 2, height: HEIGHT / 2, channels: 3, background: { r, g, b } } })
      .png()
      .toBuffer();
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000' } })
    .composite([
      { input: await part(left), left: 0, top: 0 },
      { input: await part(LIME), left: WIDTH / 2, top: 0 },
      { input: await part(BLUE), left: 0, top: HEIGHT / 2 },
      { input: await part(WHITE), left: WIDTH / 2, top: HEIGHT / 2 },
    ])
    .png()
    .toBuffer();
};

/**
 * For each EXIF orientation (EXIF 2.32, tag 274), the rotation and mirroring that turn an upright picture into the
 * stored picture.
 */
const asStored: Readonly<Record<number, { readonly turn: number; readonly mirror?: boolean }>> = {
  1: { turn: 0 },
  2: { turn: 0, mirror: true },
  3: { turn: 180 },
  4: { turn: 180, mirror: true },
  5: { turn: 90, mirror: true },
  6: { turn: 270 },
  7: { turn: 270, mirror: true },
  8: { turn: 90 },
};
const ORIENTATIONS = Object.keys(asStored).map(Number);

const stored = async (orientation: number, first?: Rgb): Promise<Sharp> => {
  const { turn = 0, mirror = false } = asStored[orientation] ?? {};
  // Runs in two steps, because the library would mirror before it rotates if both were in one step.
  const turned = await sharp(await upright(first))
    .rotate(turn)
    .png()
    .toBuffer();
  const whole = await sharp(turned).flop(mirror).png().toBuffer();
  return sharp(whole).withMetadata({ orientation });
};

const FORMATS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  webp: (image) => image.webp({ quality: 95 }),
  'lossless webp': (image) => image.webp({ lossless: true }),
  png: (image) => image.png(),
  avif: (image) => image.avif({ quality: 90, chromaSubsampling: '4:4:4' }),
};

const corners = ({ width, height, at }: Picture): Rgb[] => {
  const [x, y] = [width * 0.1, height * 0.1];
  return [at(x, y), at(width - x, y), at(x, height - y), at(width - x, height - y)];
};
const isUpright = (seen: Picture, first = RED): void => {
  const wanted = [first, LIME, BLUE, WHITE];
  const found = corners(seen);
  assert.ok(
    found.every((colour, at) => distance(colour, wanted[at] ?? BLACK) < 40),
    `red, lime, blue, white expected, found ${found.map((colour) => colour.join(' ')).join(', ')}`,
  );
};

const bytesOf = async (origin: string, token: string, path: string): Promise<Buffer> => {
  const answer = await fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
};

/** Renders a file in a browser, without any processing by Vitrine. */
const shownBy = async (mime: string, bytes: Buffer): Promise<Picture> => {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  try {
    const src = `data:${mime};base64,${bytes.toString('base64')}`;
    await page.setContent(`<body style="margin:0"><img id="image" src="${src}" style="display:block">`);
    await page.locator('#image').evaluate((image: HTMLImageElement) => image.decode());
    const size = await page.locator('#image').evaluate(({ width, height }: HTMLImageElement) => ({ width, height }));
    assert.deepEqual(size, { width: WIDTH, height: HEIGHT });
    return picture(await page.screenshot());
  } finally {
    await page.close();
  }
};

for (const [format, encode] of Object.entries(FORMATS))
  test(`pictures (${format}) of all eight orientations are upright in the store, the admin window and a browser`, async (t) => {
    const shop = await shops.open(t);
    const { token } = shop.owner;
    for (const orientation of ORIENTATIONS) {
      const sent = await encode(await stored(orientation)).toBuffer();
      const { status, body } = await shop.upload(sent, `${orientation}.${format}`);
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual([body.width, body.height], [WIDTH, HEIGHT], `orientation ${orientation}`);
      const [file, thumbnail] = await Promise.all(
        ['file', 'thumbnail'].map((what) => bytesOf(shop.site.origin, token, `/api/content/${body.id}/${what}`)),
      );
      assert.ok(file && thumbnail);
      isUpright(await picture(thumbnail));
      // An AVIF is also upright here, because every decoder applies the rotation in its container.
      isUpright(await picture(file));
      isUpright(await shownBy(body.mime_type, file));
      if (orientation === 1) assert.ok(file.equals(sent), 'an upright picture is stored as it was sent');
    }
  });

test('rotated picture that is uploaded twice is stored once', async (t) => {
  const shop = await shops.open(t);
  const sent = await (await stored(6)).webp().toBuffer();
  const files: Buffer[] = [];
  for (const name of ['a.webp', 'b.webp']) {
    const { body } = await shop.upload(sent, name);
    files.push(await bytesOf(shop.site.origin, shop.owner.token, `/api/content/${body.id}/file`));
  }
  assert.ok(files[0]?.equals(files[1] ?? Buffer.alloc(0)));
});

test('animated WebP is rotated frame by frame and is still animated afterwards', async (t) => {
  const shop = await shops.open(t);
  const frames = await Promise.all([RED, BLACK].map(async (first) => (await stored(6, first)).png().toBuffer()));
  const sent = await sharp(frames, { join: { animated: true } })
    .webp({ lossless: true, delay: [100, 200], loop: 3 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const { body } = await shop.upload(sent, 'a.webp');
  assert.deepEqual([body.width, body.height], [WIDTH, HEIGHT], JSON.stringify(body));
  const file = await bytesOf(shop.site.origin, shop.owner.token, `/api/content/${body.id}/file`);
  const { pages, delay, loop, orientation } = await sharp(file, { animated: true }).metadata();
  assert.deepEqual(
    { pages, delay, loop, orientation },
    { pages: 2, delay: [100, 200], loop: 3, orientation: undefined },
  );
  for (const [page, first] of [RED, BLACK].entries())
    isUpright(await picture(await sharp(file, { page }).png().toBuffer()), first);
});

test('rotated picture that is truncated or damaged is refused and leaves no file', async (t) => {
  const shop = await shops.open(t);
  const files = () => readdirSync(join(shop.site.data, 'media'), { recursive: true }).length;
  const before = files();
  const jpeg = await (await stored(6)).jpeg({ quality: 95 }).toBuffer();
  const webp = await (await stored(6)).webp({ lossless: true }).toBuffer();
  const noise = Buffer.from(webp);
  noise.fill(0x5a, noise.indexOf('VP8L') + 16, noise.indexOf('EXIF'));
  const cases: readonly [bytes: Buffer, sentence: RegExp][] = [
    [jpeg.subarray(0, jpeg.length * 0.7), /This JPEG image is incomplete/],
    [webp.subarray(0, webp.length * 0.7), /This WebP image is incomplete/],
    [noise, /This WebP image is damaged/],
  ];
  for (const [bytes, sentence] of cases) {
    const { status, body } = await shop.upload(bytes, 'picture');
    assert.equal(status, 415, JSON.stringify(body));
    assert.match(body.error, sentence);
  }
  assert.equal(files(), before);
});
