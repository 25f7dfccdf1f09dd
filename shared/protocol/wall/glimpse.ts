/**
 * Samples (glimpses) of the pictures that panels of a wall show, so that the server can compare them: only the pictures
 * of the same two seconds on every panel. In every fifteen seconds, the two seconds lie at another position, computed
 * from the number of the time window, so that they never follow the rhythm of a playlist.
 */
import { z } from 'zod';
import type { Picture } from './in-step.ts';

export const WINDOW_MS = 2_000;
const EVERY_MS = 15_000;
/**
 * Factor for the position of a time window (golden ratio). The fractional parts of its multiples are distributed as
 * evenly as possible.
 */
const GOLDEN = 0.618034;

/**
 * Maximum number of pictures per zone and time window: 120 frames per second, and the picture at the start of the
 * window.
 */
export const MAX_PICTURES = 250;
/** Maximum number of glimpses per message: the zones of at most two time windows. */
const MAX_GLIMPSES = 8;

/** A time window on the server clock, epoch milliseconds. */
export interface Window {
  readonly number: number;
  readonly from: number;
  readonly until: number;
}

const windowOf = (number: number): Window => {
  const from = number * EVERY_MS + Math.round(((number * GOLDEN) % 1) * (EVERY_MS - WINDOW_MS));
  return { number, from, until: from + WINDOW_MS };
};

/** Returns the first time window that is not over at this instant of the server clock. */
export function nextWindow(instant: number): Window {
  const window = windowOf(Math.floor(instant / EVERY_MS));
  return window.until > instant ? window : windowOf(window.number + 1);
}

/**
 * The pictures of a zone in a time window: [seen at, meant for, 1 for a frame of a clip or 0 for a still], in
 * milliseconds from the start of the window.
 */
export const Glimpse = z.object({
  window: z.number().int().nonnegative(),
  zone_id: z.string().max(200),
  pictures: z.array(z.tuple([z.number(), z.number(), z.union([z.literal(0), z.literal(1)])])).max(MAX_PICTURES),
});
export type Glimpse = z.infer<typeof Glimpse>;
export const Glimpses = z.array(Glimpse).max(MAX_GLIMPSES);

/** Times are transmitted in steps of 0.1 ms, the clock resolution of browsers. */
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export const glimpseOf = (zone_id: string, { number, from }: Window, pictures: readonly Picture[]): Glimpse => ({
  window: number,
  zone_id,
  pictures: pictures
    .slice(0, MAX_PICTURES)
    .map(({ at, meant, moves }) => [tenths(at - from), tenths(meant - from), moves ? 1 : 0]),
});

/** Returns the pictures of a glimpse. Their times are milliseconds from the start of the time window. */
export const picturesOf = ({ pictures }: Glimpse): Picture[] =>
  pictures.map(([at, meant, moves]) => ({ at, meant, moves: moves === 1 })).sort((a, b) => a.at - b.at);
