/**
 * Draws the thumbnail of a design: the first page in landscape. Runs in the media process. Text becomes outlines of the
 * fonts that come with Vitrine, so that the picture does not depend on the fonts of the machine.
 */
import { readFile } from 'node:fs/promises';
import type { Sharp, SharpOptions } from 'sharp';
import { paletteOf } from '../../../shared/design/brand.ts';
import type { Design } from '../../../shared/design/design.ts';
import { iconOf } from '../../../shared/design/drawings/icons.ts';
import { FORMAT_SIZES } from '../../../shared/design/page-formats.ts';
import { mediaOf, readDesign } from '../../../shared/design/read-design.ts';
import { type DesignDrawing, THUMBNAIL_PIXELS } from '../kinds/inspection.ts';
import { type PictureUse, pageSvg, type SvgContext } from './page-svg.ts';
import { qrRows } from './qr-rows.ts';
import { Shaper } from './shaper.ts';

const SIZE = FORMAT_SIZES.landscape;
const SCALE = THUMBNAIL_PIXELS / SIZE.width;
/** Size of the rendered drawing relative to the result: small text is clearer when it is made smaller afterwards. */
const SUPERSAMPLED = 2;
/** Number of elements from which a drawing is rendered in the size of the result, in a quarter of the time. */
const MANY_ELEMENTS = 60;
/** Time limit in seconds for turning the SVG into pixels. */
const RENDER_LIMIT_SEC = 15;
/** Time of day that clocks show, as in pictures of watches. The real time would be wrong as soon as it is stored. */
const CLOCK_TIME = (10 * 60 + 9) * 60_000;
const DAY_MS = 86_400_000;

const readStored = async (path: string): Promise<Design | null> => {
  const read = readDesign(await readFile(path, 'utf8'));
  return 'design' in read ? read.design : null;
};

const firstPage = (design: Design): Design => ({ ...design, pages: design.pages.slice(0, 1) });

export const designMedia = async (path: string): Promise<readonly string[] | null> => {
  const design = await readStored(path);
  return design && mediaOf(firstPage(design));
};

export const drawDesign = async (drawing: DesignDrawing): Promise<Uint8Array | null> => {
  const design = await readStored(drawing.path);
  if (!design) return null;
  const svg = await svgOf(design, drawing);
  const sharp = await loadSharp();
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: paletteOf(drawing.brand).paper })
    .timeout({ seconds: RENDER_LIMIT_SEC })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: info })
    .resize(THUMBNAIL_PIXELS)
    .webp({ quality: 86, effort: 3, smartSubsample: true })
    .withExif({ IFD0: { ImageDescription: drawing.key } })
    .toBuffer();
};

const svgOf = async (design: Design, { brand, pictures, now }: DesignDrawing): Promise<string> => {
  const palette = paletteOf(brand);
  // The language of the machine decides, as that of the browser does on screens.
  const { locale } = new Intl.NumberFormat().resolvedOptions();
  const context: SvgContext = {
    ...{ brand, palette, locale, scale: SCALE },
    timezone: 'UTC',
    // Countdowns refer to the whole day, so that a clock beside them fits.
    now: () => Math.floor(now / DAY_MS) * DAY_MS + CLOCK_TIME,
    icon: iconOf,
    qr: (text) => {
      const rows = qrRows(text);
      return rows && { size: rows.length, dark: (x, y) => rows[y]?.[x] === '1' };
    },
    hasPicture: (id) => Object.hasOwn(pictures, id),
    text: {
      ...{ shaper: new Shaper(), palette, locale },
      families: { heading: brand.heading_font, body: brand.body_font },
    },
  };
  const [page] = design.pages;
  const rendered = page!.elements.length < MANY_ELEMENTS ? SUPERSAMPLED * SCALE : SCALE;
  const parts = pageSvg(page!, SIZE, context, rendered);
  const known = new Map<string, Promise<string>>();
  const images = parts.map((part) => {
    if (typeof part === 'string') return part;
    const key = JSON.stringify(part);
    const found = known.get(key) ?? imageOf(part, pictures[part.contentId]!);
    known.set(key, found);
    return found;
  });
  return (await Promise.all(images)).join('');
};

const loadSharp = async (): Promise<(input: Buffer, options?: SharpOptions) => Sharp> => {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  // A picture larger than any thumbnail is refused. A bar may be as narrow as a pixel.
  return (input, options) => sharp(input, { limitInputPixels: 4_000_000, ...options });
};

/** Returns the picture, cropped to what is visible and in the size of the result. */
const imageOf = async ({ rect, fit, focus, instead }: PictureUse, path: string): Promise<string> => {
  try {
    const bytes = await readFile(path);
    const sharp = await loadSharp();
    const { width, height } = await sharp(bytes).metadata();
    const scale = (fit === 'fill' ? Math.max : Math.min)(rect.width / width, rect.height / height);
    // Part of the picture that is visible, in its own pixels.
    const seen = { width: Math.min(width, rect.width / scale), height: Math.min(height, rect.height / scale) };
    const left = Math.round((width - seen.width) * focus.x);
    const top = Math.round((height - seen.height) * focus.y);
    const part = {
      ...{ left, top },
      width: Math.min(Math.max(Math.round(seen.width), 1), width - left),
      height: Math.min(Math.max(Math.round(seen.height), 1), height - top),
    };
    const shown = { width: seen.width * scale, height: seen.height * scale };
    const pixels = (length: number): number => Math.min(Math.max(Math.ceil(length * SCALE), 1), THUMBNAIL_PIXELS);
    const png = await sharp(bytes)
      .extract(part)
      .resize(pixels(shown.width), pixels(shown.height), { fit: 'fill' })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const [x, y] = [rect.x + (rect.width - shown.width) * focus.x, rect.y + (rect.height - shown.height) * focus.y];
    const place = `x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${shown.width.toFixed(2)}" height="${shown.height.toFixed(2)}"`;
    return `<image ${place} preserveAspectRatio="none" xlink:href="data:image/png;base64,${png.toString('base64')}"/>`;
  } catch {
    // The file is gone, or is no picture. The drawing shows the placeholder, as a screen does.
    return instead;
  }
};
