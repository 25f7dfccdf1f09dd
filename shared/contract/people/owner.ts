/** Owners of a store's records: the store itself or headquarters (held.ts). */
import { queryWord } from '../fields.ts';

export const OWNERS = ['store', 'headquarters'] as const;
export type Owner = (typeof OWNERS)[number];
/**
 * Filter of a list by owner, in a store that belongs to a headquarters. In other stores, all records belong to the
 * store.
 */
export const queryOwner = queryWord(OWNERS);
