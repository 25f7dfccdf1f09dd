import { useSyncExternalStore } from 'react';
import { Removals } from './removals.ts';

export const removals = new Removals();
addEventListener('pagehide', () => removals.commitAll());

/** The keys of records that are being deleted. Lists leave them out. */
export const useHidden = (): ReadonlySet<string> => useSyncExternalStore(removals.subscribe, removals.hidden);
