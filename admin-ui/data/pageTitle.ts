/** The name of the record that the page is about, for the document's title; undefined on other pages. */
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

/** While the page is there its document is called so. */
export const useNameOfPage = (record: string | undefined): void =>
  useEffect(() => {
    say(record);
    return () => say(undefined);
  }, [record]);
