/**
 * What the panels of a wall tell of their pictures, so that the server can compare them: not all of them, but those of
 * the same two seconds on every panel. Which two of every fifteen is drawn by the number of the window, so that no
 * playlist keeps in time with them.
 */
import { z } from 'zod';
import type { Picture } from './in-step.ts';

export const WINDOW_MS = 2_000;
const EVERY_MS = 15_000;
/** Fractions of multiples of it lie as evenly as can be. */
const GOLDEN = 0.618034;

/** Of a zone in a window: 120 frames a second, and what stood when it began. */
export const MAX_PICTURES = 250;
/** Zones, of two windows at most. */
const MAX_GLIMPSES = 8;

/** Shared clock. */
export interface Window {
  readonly number: number;
  readonly from: number;
  readonly until: number;
}

const windowOf = (number: number): Window => {
  const from = number * EVERY_MS + Math.round(((number * GOLDEN) % 1) * (EVERY_MS - WINDOW_MS));
  return { number, from, until: from + WINDOW_MS };
};

/** The first window that is not over at this instant of the shared clock. */
export function nextWindow(instant: number): Window {
  const window = windowOf(Math.floor(instant / EVERY_MS));
  return window.until > instant ? window : windowOf(window.number + 1);
}

/**
 * The pictures of a zone in a window: [seen at, meant for, 1 for a frame of a clip and 0 for a still], milliseconds
 * from the window's beginning.
 */
export const Glimpse = z.object({
  window: z.number().int().nonnegative(),
  zone_id: z.string().max(200),
  pictures: z.array(z.tuple([z.number(), z.number(), z.union([z.literal(0), z.literal(1)])])).max(MAX_PICTURES),
});
export type Glimpse = z.infer<typeof Glimpse>;
export const Glimpses = z.array(Glimpse).max(MAX_GLIMPSES);

/** Steps of 0.1 ms, in which browsers tell the time. */
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export const glimpseOf = (zone_id: string, { number, from }: Window, pictures: readonly Picture[]): Glimpse => ({
  window: number,
  zone_id,
  pictures: pictures
    .slice(0, MAX_PICTURES)
    .map(({ at, meant, moves }) => [tenths(at - from), tenths(meant - from), moves ? 1 : 0]),
});

/** Milliseconds from the window's beginning. */
export const picturesOf = ({ pictures }: Glimpse): Picture[] =>
  pictures.map(([at, meant, moves]) => ({ at, meant, moves: moves === 1 })).sort((a, b) => a.at - b.at);
