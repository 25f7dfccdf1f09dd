/** Lists that draw only visible rows are drawn completely for paper, up to a limit. */
import { useSyncExternalStore } from 'react';

/** More rows belong in a download, not on paper: 500 rows are forty pages. */
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

/** The rows for paper instead of the visible ones. */
export const printedRows = (count: number): { index: number; key: number; start: number }[] =>
  Array.from({ length: Math.min(count, PRINTED) }, (_, index) => ({ index, key: index, start: 0 }));
