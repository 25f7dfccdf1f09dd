/** The five shapes of screens, zones and walls that a design has an arrangement for. Pure. */
import { z } from 'zod';

export const PAGE_FORMATS = ['landscape', 'portrait', 'square', 'strip', 'ultrawide'] as const;
export const PageFormat = z.enum(PAGE_FORMATS);
export type PageFormat = z.infer<typeof PageFormat>;

/** A size in pixels of the upright picture; both sides are greater than 0. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size at which the designer, templates and tests show each format, in pixels. */
export const FORMAT_SIZES: Readonly<Record<PageFormat, Size>> = {
  landscape: { width: 1920, height: 1080 },
  portrait: { width: 1080, height: 1920 },
  square: { width: 1080, height: 1080 },
  strip: { width: 1920, height: 480 },
  ultrawide: { width: 2560, height: 1080 },
};

/**
 * Smallest ratio of width to height of each wide format. Between 16:9 and 21:9, 4:3 and 5:4, and 5:4 and square, the
 * limits are about halfway, so that a screen takes the arrangement that is distorted less.
 */
const STRIP_FROM = 3;
const ULTRAWIDE_FROM = 2;
const LANDSCAPE_FROM = 1.2;
const SQUARE_FROM = 0.8;

/** Returns the format whose arrangement fits a screen, zone or wall of this size. */
export const formatOf = ({ width, height }: Size): PageFormat => {
  const ratio = width / height;
  if (ratio >= STRIP_FROM) return 'strip';
  if (ratio >= ULTRAWIDE_FROM) return 'ultrawide';
  if (ratio >= LANDSCAPE_FROM) return 'landscape';
  return ratio >= SQUARE_FROM ? 'square' : 'portrait';
};

/** The size of a full-HD picture, for which sizes of text and gaps are given. */
const [LONG_SIDE, SHORT_SIDE] = [1920, 1080];

/**
 * Returns the length of one unit of a page in pixels. A page of 1920 × 1080 and one of 1080 × 1920 have a unit of 1 px;
 * a strip has the unit of a full-HD picture that fits in its height.
 */
export const unitOf = ({ width, height }: Size): number =>
  Math.min(Math.max(width, height) / LONG_SIDE, Math.min(width, height) / SHORT_SIDE);
