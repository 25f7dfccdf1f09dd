/** Tests fonts and icons on the page of a design, on a screen in a real browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ScreenUnderTest, screens } from '../../../player/screen/testing/browser.ts';
import { distance, type Rgb } from '../../../player/screen/testing/pictures.ts';
import { item, NOON } from '../../../player/screen/testing/programs.ts';
import { BRAND_FONTS, type Brand, DEFAULT_BRAND } from '../../../shared/design/brand.ts';
import { DESIGN_VERSION, type Design } from '../../../shared/design/design.ts';
import { Element } from '../../../shared/design/elements.ts';
import { FONTS, fontFilesOf } from '../../../shared/design/fonts.ts';
import { textOf } from '../../../shared/design/rich-text.ts';
import { until } from '../../../test/until.ts';
import { brandFontPath } from '../../media/fonts/brand-fonts.ts';
import { designPage } from './design-page.ts';
import { type LentFont, lentFonts } from './lent-fonts.ts';

const open = screens();

const SIZE = { width: 960, height: 540 };
const PLACE = { horizontal: 'center', vertical: 'middle', dx: 0, dy: 0, width: 1800, height: 400 } as const;

const designOf = (...elements: Element[]): Design => ({
  ...{ format: 'vitrine-design', version: DESIGN_VERSION, template: false, style: null },
  pages: [
    {
      ...{ id: 'page', layout: null, arrangements: {}, duration_ms: null, elements },
      background: { kind: 'color', color: '#FFFFFF' },
    },
  ],
});
const heading = (text: string): Design =>
  designOf(Element.parse({ type: 'text', id: 'text', place: PLACE, text: textOf(text), size: 140 }));

const pageOf = (design: Design, brand: Brand, faces: LentFont['face'][]): string =>
  designPage({ ...{ title: 'Design', design, brand, faces }, locale: null, media: [], videos: [] }).html;

/** Shows a design on a screen. Returns the addresses of the requested fonts. `isLost`: the files of fonts are missing. */
const show = async (
  screen: ScreenUnderTest,
  design: Design,
  { isLost = false, ...changed }: Partial<Brand> & { readonly isLost?: boolean },
): Promise<string[]> => {
  const brand = { ...DEFAULT_BRAND, ...changed };
  const fonts = lentFonts(fontFilesOf(design.pages, brand));
  const html = pageOf(
    design,
    brand,
    fonts.map(({ face }) => face),
  );
  const { host } = screen;
  if (!isLost) for (const { asset } of fonts) host.add(readFileSync(brandFontPath(asset.sha256)!), asset.mime);
  const files = Object.fromEntries(fonts.map(({ face, asset }) => [face.key, asset.sha256]));
  const requested: string[] = [];
  screen.page.on('request', (request) => {
    if (fonts.some(({ asset }) => request.url().endsWith(asset.sha256))) requested.push(request.url());
  });
  host.setClock(NOON + 1_000);
  screen.play(item(1, { kind: 'design', asset: host.add(html, 'text/html'), files, duration_ms: 3_600_000 }));
  await screen.open();
  await until('the design is shown', 10_000, async () => host.of('shown').length > 0);
  return requested;
};

/** Returns the width of the drawn text in pixels, and the size that was chosen for it. */
const measured = async ({ page }: ScreenUnderTest) => {
  const frame = page.frames().find((one) => one !== page.mainFrame())!;
  return frame
    .locator('[data-element=text] span')
    .first()
    .evaluate((span) => ({
      width: span.getBoundingClientRect().width,
      size: Number.parseFloat(getComputedStyle(span).fontSize),
    }));
};

test('heading is drawn in each font of a brand from the first picture on', async () => {
  const widths = new Map<string, number>();
  for (const heading_font of BRAND_FONTS) {
    await using screen = await open(SIZE);
    await show(screen, heading('Świeże grusze, günaydın'), { heading_font });
    const first = await measured(screen);
    const frame = screen.page.frames().at(-1)!;
    const later = await frame.evaluate(async (family) => {
      const isLoaded = document.fonts.check(`700 20px '${family}'`, 'Świeże');
      const span = document.querySelector('[data-element=text] span') as HTMLElement;
      return { isLoaded, width: span.getBoundingClientRect().width, family: getComputedStyle(span).fontFamily };
    }, FONTS[heading_font].name);
    assert.ok(later.isLoaded && later.family.includes(FONTS[heading_font].name), heading_font);
    assert.equal(later.width, first.width);
    widths.set(heading_font, Math.round((first.width / first.size) * 100));
    assert.deepEqual(screen.complaints, []);
  }
  assert.equal(new Set(widths.values()).size, BRAND_FONTS.length, JSON.stringify([...widths]));
});

test('text is fitted with the metrics of its font', async () => {
  const sizes: number[] = [];
  for (const heading_font of ['nunito', 'oswald'] as const) {
    await using screen = await open(SIZE);
    await show(screen, heading('Donaudampfschifffahrtsgesellschaftskapitän'), { heading_font });
    const { width, size } = await measured(screen);
    assert.ok(width > 890 && width <= 901, `${heading_font}: ${width} px`);
    sizes.push(size);
  }
  // Oswald is condensed, so the same word is larger in the same box.
  assert.ok(sizes[1]! > sizes[0]! * 1.1, sizes.join(' '));
});

test('design is ready as soon as it is drawn', async () => {
  await using screen = await open(SIZE);
  await show(screen, heading('Warm'), {});
  const began = performance.now();
  screen.play(
    item(2, {
      kind: 'design',
      duration_ms: 3_600_000,
      asset: screen.host.add(pageOf(heading('Pears'), DEFAULT_BRAND, []), 'text/html'),
    }),
  );
  await until('the next design is shown', 10_000, async () => screen.host.of('shown').length > 1);
  // Well below the time after which a screen stops waiting for a page that reports nothing.
  assert.ok(performance.now() - began < 2_500);
});

test('design without text in a font does not load that font', async () => {
  await using screen = await open(SIZE);
  const requested = await show(screen, heading('Pears'), { heading_font: 'bitter', body_font: 'caveat' });
  assert.equal(requested.length, 1);
});

test('design is shown in another font when the file of its font is missing', async () => {
  await using screen = await open(SIZE);
  await show(screen, heading('Pears'), { heading_font: 'caveat', isLost: true });
  assert.ok((await measured(screen)).width > 0);
});

test('icon is drawn in its colour', async () => {
  await using screen = await open(SIZE);
  const place = { ...PLACE, width: 1000, height: 1000 };
  await show(
    screen,
    designOf(Element.parse({ type: 'icon', id: 'icon', place, icon: 'coffee', color: '#C00000' })),
    {},
  );
  const red: Rgb = [0xc0, 0, 0];
  const redPoints = async (): Promise<number> => {
    const look = await screen.look();
    let points = 0;
    for (let x = 0; x < look.width; x += 4)
      for (let y = 0; y < look.height; y += 4) if (distance(look.at(x, y), red) < 60) points++;
    return points;
  };
  await until('the icon is visible', 5_000, async () => (await redPoints()) > 100);
});

test('page contains only the icons that the design uses', () => {
  const design = designOf(
    ...['coffee', 'no-such-icon'].map((icon) => Element.parse({ type: 'icon', id: icon, place: PLACE, icon })),
  );
  const html = pageOf(design, DEFAULT_BRAND, []);
  const { settings } = JSON.parse(/<script[^>]*id="page"[^>]*>(.*?)<\/script>/s.exec(html)![1]!) as {
    settings: { icons: object };
  };
  assert.deepEqual(Object.keys(settings.icons), ['coffee']);
});
