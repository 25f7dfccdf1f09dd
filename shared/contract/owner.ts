/** Whose records of a store are: its own, or headquarters' (held.ts). */
import { queryWord } from './fields.ts';

export const OWNERS = ['store', 'headquarters'] as const;
export type Owner = (typeof OWNERS)[number];
/** Narrows a list down, in a store that belongs to a headquarters; elsewhere everything is the store's own. */
export const queryOwner = queryWord(OWNERS);
