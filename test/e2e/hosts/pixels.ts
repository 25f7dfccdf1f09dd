import type { Page } from 'playwright';
import sharp from 'sharp';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Pixels as RGB, three bytes per pixel. */
  readonly data: Buffer;
}

/** Returns the pixels that the page shows now. */
export const pixelsOf = async (page: Page): Promise<Pixels> => {
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
};

/** Returns whether the point (0–1 of width and height) has this colour, within the precision of JPEG. */
export const isColour = (
  { width, height, data }: Pixels,
  x: number,
  y: number,
  [r, g, b]: readonly [number, number, number],
): boolean => {
  const at = (Math.floor(y * (height - 1)) * width + Math.floor(x * (width - 1))) * 3;
  return Math.max(Math.abs(data[at]! - r), Math.abs(data[at + 1]! - g), Math.abs(data[at + 2]! - b)) < 24;
};
