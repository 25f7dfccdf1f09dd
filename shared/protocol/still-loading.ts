/**
 * Hints that a page shows while the server fetches its first data. A screen skips the page meanwhile, which is no
 * fault.
 */
export const STILL_LOADING = ['Waiting for the feed', 'Waiting for the first forecast'] as const;

/** Start of the reason that current players send, and of the reason that players before December 2026 send. */
const REASONS = ['the page has nothing to show: ', 'it has nothing to show: '] as const;

/** @param message of a player that could not show an item */
export const isStillLoading = (message: string): boolean =>
  REASONS.some((reason) => STILL_LOADING.some((hint) => message.endsWith(reason + hint)));
