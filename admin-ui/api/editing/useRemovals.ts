import { useSyncExternalStore } from 'react';
import { Removals } from './removals.ts';

export const removals = new Removals();
addEventListener('pagehide', () => removals.commitAll());

/**
 * Returns the keys of records that are hidden because their deletion is in progress. Lists leave these records out.
 */
export const useHidden = (): ReadonlySet<string> => useSyncExternalStore(removals.subscribe, removals.hidden);
