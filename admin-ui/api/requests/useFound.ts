import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchHit, SearchKind } from '../../../shared/contract/server/search.ts';
import { type Found, searchQuery } from './search.ts';

export interface Finding {
  /** The results, grouped by kind in the order of `kinds`. Kinds without results are left out. */
  readonly groups: readonly { readonly kind: SearchKind; readonly hits: readonly SearchHit[] }[];
  readonly state: 'looking' | 'found' | 'failed';
  /** False while the results still belong to the previous text. */
  readonly isCurrent: boolean;
  /** Number of shown results and of all results. Undefined if all results are shown. */
  readonly more: { readonly shown: number; readonly total: number } | undefined;
}

/** Maximum number of rows of all kinds together. Rendering more rows would delay the next keystroke. */
const ROWS = 32;
const MOST_OF_ONE = 20;
const NOTHING: Found = { hits: [], total: 0 };

/**
 * Finds records whose names match the text. Each typed letter sends a request, and earlier results stay visible
 * until the answer arrives. `mine`: finds only screens and groups that the user may change.
 */
export const useFound = (
  kinds: readonly SearchKind[],
  text: string,
  { limit = Math.min(MOST_OF_ONE, Math.floor(ROWS / kinds.length)), mine = false } = {},
): Finding => {
  const { data, isError, isSuccess, isPlaceholderData } = useQuery({
    ...searchQuery(kinds, text.trim(), limit, mine),
    placeholderData: keepPreviousData,
  });
  const { hits, total } = data ?? NOTHING;
  return {
    groups: kinds
      .map((kind) => ({ kind, hits: hits.filter((hit) => hit.kind === kind) }))
      .filter((group) => group.hits.length > 0),
    state: isError ? 'failed' : isSuccess ? 'found' : 'looking',
    isCurrent: isSuccess && !isPlaceholderData,
    more: total > hits.length ? { shown: hits.length, total } : undefined,
  };
};
