/**
 * Thumbnails of designs compared with the same designs in a browser: the server draws without a browser, and both must
 * show the same picture.
 */
// Suite: window
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import type { Browser, Page as BrowserPage } from 'playwright';
import sharp from 'sharp';
import { launchBrowser } from '../../player/screen/testing/browser.ts';
import { quarters } from '../../player/screen/testing/pictures.ts';
import { drawDesign } from '../../server/media/designs/design-thumbnail.ts';
import { qrRows } from '../../server/media/designs/qr-rows.ts';
import { DEFAULT_BRAND } from '../../shared/design/brand.ts';
import type { Design } from '../../shared/design/design.ts';
import { templateDesign } from '../../shared/design/templates/all.ts';
import { TEMPLATE_STYLES } from '../../shared/design/templates/template.ts';
import { tempFolder } from '../harness.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const NOW = Date.UTC(2026, 10, 28, 10, 9);
const BRAND = { ...DEFAULT_BRAND, name: 'Corner Bakery' };
const PICTURE = 'photo';
const SIZE = { width: 480, height: 270 };
/** Size in pixels of the fields whose mean colours are compared. */
const FIELD = { width: 8, height: 6 };
/**
 * Largest permitted difference of two thumbnails, 0 to 255: on the average, and at the place where they differ most.
 * Measured: up to 1.8 and 56 between equal designs, which differ in the smoothing of edges; 6 and 180 without a text.
 */
const [MEAN, WORST] = [2.5, 75];

let browser: Browser;
let page: BrowserPage;
before(async () => {
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, locale: 'en-US' });
  const script = await build({
    stdin: {
      contents: `
        import { drawPage } from './shared/design/draw/draw-page.ts';
        import { paletteOf } from './shared/design/brand.ts';
        import { iconOf } from './shared/design/drawings/icons.ts';
        window.show = async ({ page, brand, codes, now, pictures }) => {
          const drawn = drawPage(page, { width: 1920, height: 1080 }, {
            brand, palette: paletteOf(brand), fonts: { heading: 'Inter', body: 'Inter' }, locale: 'en-US',
            timezone: 'UTC', icon: iconOf, now: () => now, isAnimated: false,
            media: (id) => pictures[id] && { url: pictures[id], isVideo: false },
            qr: (text) => ({ size: codes[text].length, dark: (x, y) => codes[text][y][x] === '1' }),
          });
          document.body.replaceChildren(drawn.root);
          await Promise.allSettled([...drawn.root.querySelectorAll('img')].map((one) => one.decode()));
          drawn.fit();
        };`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    ...{ bundle: true, write: false, format: 'iife' },
  });
  const file = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  const styles = readFileSync(join(ROOT, 'server/features/widgets/pages/base.css'), 'utf8');
  const font = `@font-face{font-family:Inter;font-weight:100 900;src:url(data:font/woff2;base64,${readFileSync(file).toString('base64')})}`;
  await page.setContent(`<!doctype html><style>${styles}${font}</style><body>`);
  await page.addScriptTag({ content: script.outputFiles[0]!.text });
  await page.evaluate(() => document.fonts.load('700 20px Inter'));
});
after(() => browser.close());

const onScreen = async (design: Design, picture: Buffer): Promise<Buffer> => {
  const [shown] = design.pages;
  const values = shown!.elements.flatMap((element) => (element.type === 'qr' ? [element.value] : []));
  await page.evaluate((input) => (window as unknown as { show(input: object): Promise<void> }).show(input), {
    ...{ page: shown, brand: BRAND, now: NOW },
    codes: Object.fromEntries(values.map((value) => [value, qrRows(value)])),
    pictures: { [PICTURE]: `data:image/png;base64,${picture.toString('base64')}` },
  });
  return page.screenshot();
};

/** Returns the mean colours of the fields of a picture. */
const fieldsOf = async (bytes: Uint8Array): Promise<number[]> => {
  const pixels = await sharp(bytes).removeAlpha().resize(SIZE.width, SIZE.height).raw().toBuffer();
  const columns = SIZE.width / FIELD.width;
  const sums = Array.from({ length: (columns * SIZE.height * 3) / FIELD.height }, () => 0);
  pixels.forEach((value, i) => {
    const [x, y] = [Math.floor(i / 3) % SIZE.width, Math.floor(i / 3 / SIZE.width)];
    const field = Math.floor(y / FIELD.height) * columns + Math.floor(x / FIELD.width);
    sums[field * 3 + (i % 3)]! += value;
  });
  return sums.map((sum) => sum / (FIELD.width * FIELD.height));
};

/** Returns the mean and the largest difference of the fields of two pictures. */
const difference = async (one: Uint8Array, other: Uint8Array): Promise<{ mean: number; worst: number }> => {
  const [a, b] = [await fieldsOf(one), await fieldsOf(other)];
  const differences = a.map((value, i) => Math.abs(value - b[i]!));
  return {
    mean: differences.reduce((sum, value) => sum + value, 0) / differences.length,
    worst: Math.round(Math.max(...differences)),
  };
};
const isSame = ({ mean, worst }: { mean: number; worst: number }): boolean => mean <= MEAN && worst <= WORST;

/** Returns the design with the picture of the library in place of each placeholder. */
const withPicture = (design: Design): Design =>
  JSON.parse(JSON.stringify(design), (key, value: unknown) => (key === 'content_id' ? PICTURE : value)) as Design;

const draw = async (folder: string, design: Design, picture: Buffer): Promise<Uint8Array> => {
  const [path, photo] = [join(folder, 'design.json'), join(folder, 'photo.png')];
  writeFileSync(path, JSON.stringify(design));
  writeFileSync(photo, picture);
  const drawn = await drawDesign({ path, brand: BRAND, pictures: { [PICTURE]: photo }, now: NOW, key: 'key' });
  assert.ok(drawn);
  return drawn;
};
const TASKS = ['offer', 'menu-two-columns', 'two-offers', 'scan', 'sale', 'queue'] as const;
const designOf = (task: string, style: (typeof TEMPLATE_STYLES)[number]): Design =>
  withPicture(templateDesign(task, style, { language: 'en', currency: 'EUR', until: '2026-12-24T18:00' })!);

for (const style of TEMPLATE_STYLES)
  test(`thumbnails of style ${style} show the same as a browser`, async (t) => {
    const picture = await quarters(480, 320);
    for (const task of TASKS) {
      const design = designOf(task, style);
      const drawn = await draw(tempFolder(t), design, picture);
      const found = await difference(drawn, await onScreen(design, picture));
      t.diagnostic(`${task}: mean ${found.mean.toFixed(2)}, worst ${found.worst}`);
      assert.ok(isSame(found), `${task} differs: mean ${found.mean.toFixed(2)}, worst ${found.worst}`);
    }
  });

test('comparison notices a missing text, a missing picture and another layout', async (t) => {
  const picture = await quarters(480, 320);
  const design = designOf('offer', 'bold');
  const shown = await onScreen(design, picture);
  const [first] = design.pages;
  const without = (type: string): Design => ({
    ...design,
    pages: [{ ...first!, elements: first!.elements.filter((element) => element.type !== type) }],
  });
  const reversed: Design = {
    ...design,
    pages: [{ ...first!, layout: { ...first!.layout!, in: { landscape: { reverse: true } } } as never }],
  };
  const wrong = { text: without('text'), price: without('price'), picture: without('media'), layout: reversed };
  for (const [fault, faulty] of Object.entries(wrong)) {
    const found = await difference(await draw(tempFolder(t), faulty, picture), shown);
    t.diagnostic(`${fault}: mean ${found.mean.toFixed(2)}, worst ${found.worst}`);
    assert.ok(!isSame(found), `a wrong ${fault} is not noticed`);
  }
});
