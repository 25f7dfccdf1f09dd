/** Owners of a store's records: the store itself or headquarters (held.ts). */
import { queryWord } from './fields.ts';

export const OWNERS = ['store', 'headquarters'] as const;
export type Owner = (typeof OWNERS)[number];
/**
 * Filters a list by owner, in a store that belongs to a headquarters; in other stores, everything is the store's own.
 */
export const queryOwner = queryWord(OWNERS);
