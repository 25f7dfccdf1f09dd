/** Name of the record on the current page, for the document title; undefined on pages without a record. */
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

/** Adds the name of the record to the document title while the page is mounted. */
export const useNameOfPage = (record: string | undefined): void =>
  useEffect(() => {
    say(record);
    return () => say(undefined);
  }, [record]);
