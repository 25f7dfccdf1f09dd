import { useSyncExternalStore } from 'react';
import { Removals } from './removals.ts';

export const removals = new Removals();
addEventListener('pagehide', () => removals.commitAll());

/** Keys of what is being deleted: lists leave it out. */
export const useHidden = (): ReadonlySet<string> => useSyncExternalStore(removals.subscribe, removals.hidden);
