/**
 * Printing of long lists. Lists that otherwise render only visible rows are rendered completely for printing, up to
 * a limit.
 */
import { useSyncExternalStore } from 'react';

/**
 * Maximum number of printed rows of a list. 500 rows are forty sheets of paper; a longer list should be downloaded
 * instead.
 */
export const PRINTED = 500;

let isPrinting = false;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const setPrinting = (next: boolean): void => {
  isPrinting = next;
  for (const listener of listeners) listener();
};

/** Returns whether the page is rendered for printing. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);

/** Returns the rows to render for printing instead of the visible rows. */
export const printedRows = (count: number): { index: number; key: number; start: number }[] =>
  Array.from({ length: Math.min(count, PRINTED) }, (_, index) => ({ index, key: index, start: 0 }));
