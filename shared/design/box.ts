/** Rectangles of elements: relative to a page, so that they are right at every resolution. Pure. */
import { z } from 'zod';
import type { Size } from './page-formats.ts';

/** Share of the page's width or height, 0 to 1. */
const Share = z.number().min(0).max(1);

/** A rectangle within a page. Each field is a share of the page's width (x, width) or height (y, height). */
export const Box = z
  .object({ x: Share, y: Share, width: Share.gt(0), height: Share.gt(0) })
  .refine(({ x, y, width, height }) => x + width <= 1 + ROUNDING && y + height <= 1 + ROUNDING, {
    message: 'must lie within the page',
  });
export type Box = z.infer<typeof Box>;

/** Sums of shares may exceed 1 by the rounding of a stored number. */
const ROUNDING = 1e-6;

/** Largest length in units. A strip of 1920 × 480 is 4320 units wide. */
const MOST_UNITS = 5000;

/**
 * A place that is right in every format: the element keeps its size in units ({@link unitOf}) and its distance to the
 * edges that it is anchored to. `stretch` spans the page between two margins.
 */
export const PlacedBox = z.object({
  horizontal: z.enum(['left', 'center', 'right', 'stretch']),
  vertical: z.enum(['top', 'middle', 'bottom', 'stretch']),
  /** Distance to the anchored edge in units; for `center` and `middle`, the offset from the centre. */
  dx: z.number().min(-MOST_UNITS).max(MOST_UNITS),
  dy: z.number().min(-MOST_UNITS).max(MOST_UNITS),
  /** Size in units. Ignored in a direction with `stretch`. */
  width: z.number().positive().max(MOST_UNITS),
  height: z.number().positive().max(MOST_UNITS),
});
export type PlacedBox = z.infer<typeof PlacedBox>;

/** A rectangle in pixels of the page, with the origin in the upper left corner. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Returns position and length along one axis, within 0 to `total`. */
const along = (
  anchor: 'start' | 'center' | 'end' | 'stretch',
  offset: number,
  length: number,
  total: number,
): readonly [start: number, length: number] => {
  if (anchor === 'stretch') {
    const margin = clamp(offset, 0, total / 2 - 0.5);
    return [margin, total - 2 * margin];
  }
  const fitting = Math.min(length, total);
  const wanted = { start: offset, end: total - fitting - offset, center: (total - fitting) / 2 + offset }[anchor];
  return [clamp(wanted, 0, total - fitting), fitting];
};

const HORIZONTAL = { left: 'start', center: 'center', right: 'end', stretch: 'stretch' } as const;
const VERTICAL = { top: 'start', middle: 'center', bottom: 'end', stretch: 'stretch' } as const;

/** Returns the rectangle of an anchored element, which never leaves the page. @param unit pixels per unit */
export const rectOfPlace = (place: PlacedBox, page: Size, unit: number): Rect => {
  const [x, width] = along(HORIZONTAL[place.horizontal], place.dx * unit, place.width * unit, page.width);
  const [y, height] = along(VERTICAL[place.vertical], place.dy * unit, place.height * unit, page.height);
  return { x, y, width, height };
};

/** Returns the rectangle of a box in pixels. */
export const rectOfBox = (box: Box, page: Size): Rect => ({
  x: box.x * page.width,
  y: box.y * page.height,
  width: box.width * page.width,
  height: box.height * page.height,
});

/** Returns the box of a rectangle, limited to the page. */
export const boxOfRect = (rect: Rect, page: Size): Box => {
  const width = clamp(rect.width / page.width, 0.001, 1);
  const height = clamp(rect.height / page.height, 0.001, 1);
  return {
    x: clamp(rect.x / page.width, 0, 1 - width),
    y: clamp(rect.y / page.height, 0, 1 - height),
    width,
    height,
  };
};

/** Share of a side from which an element with equal margins counts as spanning the page. */
const SPANS = 0.6;

/**
 * Returns the place of a rectangle: anchored to the edges or the centre that it is nearest to, so that it stays there in
 * other formats. The inverse of {@link rectOfPlace} on the same page.
 * @param unit pixels per unit
 */
export const placeOfRect = (rect: Rect, page: Size, unit: number): PlacedBox => {
  const [horizontal, dx] = anchorOf(rect.x, rect.width, page.width);
  const [vertical, dy] = anchorOf(rect.y, rect.height, page.height);
  return {
    horizontal: ({ start: 'left', center: 'center', end: 'right', stretch: 'stretch' } as const)[horizontal],
    vertical: ({ start: 'top', center: 'middle', end: 'bottom', stretch: 'stretch' } as const)[vertical],
    dx: dx / unit,
    dy: dy / unit,
    width: Math.max(rect.width / unit, 1),
    height: Math.max(rect.height / unit, 1),
  };
};

const anchorOf = (
  start: number,
  length: number,
  total: number,
): readonly [anchor: 'start' | 'center' | 'end' | 'stretch', offset: number] => {
  const end = total - start - length;
  const offCentre = start + length / 2 - total / 2;
  if (Math.abs(start - end) < 1) return length >= total * SPANS ? ['stretch', start] : ['center', offCentre];
  if (Math.abs(offCentre) < total / 12) return ['center', offCentre];
  return start < end ? ['start', start] : ['end', end];
};
