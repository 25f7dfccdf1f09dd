/** Estimates when the disk will be full, from how much was stored each day. Pure. */

/** Has the bytes of database and media on an epoch day. */
export interface Sample {
  readonly day: number;
  readonly bytes: number;
}

const KEPT = 60;
/** The last weeks say more about the next than the months before. */
const WINDOW_DAYS = 30;
/** Fewer days say too little. */
const LEAST_DAYS = 3;
/** Later ends are not forecast. */
const HORIZON_DAYS = 3650;

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000);

export const withSample = (history: readonly Sample[], sample: Sample): Sample[] =>
  [...history.filter(({ day }) => day < sample.day), sample].slice(-KEPT);

/**
 * Returns as `growth` the bytes a day, null when there is too little to go by; as `fullInDays` null when that is not in
 * sight.
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
