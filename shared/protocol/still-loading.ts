/**
 * Hints that a page shows while the server fetches its first data. A screen skips the page meanwhile, which is no
 * fault.
 */
export const STILL_LOADING = ['Waiting for the feed', 'Waiting for the first forecast'] as const;

/** @param message of a player that could not show an item */
export const isStillLoading = (message: string): boolean =>
  STILL_LOADING.some((hint) => message.endsWith(`it has nothing to show: ${hint}`));
