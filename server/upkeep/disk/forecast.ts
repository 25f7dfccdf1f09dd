/** Pure functions that use the daily growth to estimate when the disk will be full. */

/** Size in bytes of database and media on a day (days since 1970-01-01). */
export interface Sample {
  readonly day: number;
  readonly bytes: number;
}

const KEPT = 60;
/** Number of newest days that the forecast uses. The last weeks predict better than earlier months. */
const WINDOW_DAYS = 30;
/** Minimum number of days with data for a forecast. */
const LEAST_DAYS = 3;
/** Longest time in days for which a forecast is made. */
const HORIZON_DAYS = 3650;

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000);

export const withSample = (history: readonly Sample[], sample: Sample): Sample[] =>
  [...history.filter(({ day }) => day < sample.day), sample].slice(-KEPT);

/**
 * Returns the daily growth in bytes (null with too little data), and the days until the disk is full (null if unknown
 * or more than {@link HORIZON_DAYS}).
 */
export const forecast = (
  history: readonly Sample[],
  freeBytes: number,
): { growth: number | null; fullInDays: number | null } => {
  const last = history.at(-1);
  const first = last && history.find(({ day }) => day >= last.day - WINDOW_DAYS);
  if (!last || !first || last.day - first.day < LEAST_DAYS) return { growth: null, fullInDays: null };
  const growth = Math.round((last.bytes - first.bytes) / (last.day - first.day));
  const days = growth > 0 ? Math.floor(freeBytes / growth) : Number.POSITIVE_INFINITY;
  return { growth, fullInDays: days <= HORIZON_DAYS ? days : null };
};
