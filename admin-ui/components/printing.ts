/** Lists of which only what is in view exists are drawn whole on paper, up to a bound. */
import { useSyncExternalStore } from 'react';

/** More rows are a file to be downloaded, not paper: forty pages. */
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

/** Whether the page is drawn for paper. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);

/** The rows of paper in place of those in view. */
export const printedRows = (count: number): { index: number; key: number; start: number }[] =>
  Array.from({ length: Math.min(count, PRINTED) }, (_, index) => ({ index, key: index, start: 0 }));
