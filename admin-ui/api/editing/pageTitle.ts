/** Name of the page's record, for the document title; undefined on other pages. */
import { useEffect, useSyncExternalStore } from 'react';

let name: string | undefined;
const listeners = new Set<() => void>();
const say = (next: string | undefined): void => {
  name = next;
  for (const tell of listeners) tell();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRecordName = (): string | undefined => useSyncExternalStore(subscribe, () => name);

/** Sets the document title while the page is mounted. */
export const useNameOfPage = (record: string | undefined): void =>
  useEffect(() => {
    say(record);
    return () => say(undefined);
  }, [record]);
