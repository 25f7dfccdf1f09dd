import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchHit, SearchKind } from '../../shared/contract/search.ts';
import { type Found, searchQuery } from './search.ts';

export interface Finding {
  /** Of each kind that has any, in the order of `kinds`. */
  readonly groups: readonly { readonly kind: SearchKind; readonly hits: readonly SearchHit[] }[];
  readonly state: 'looking' | 'found' | 'failed';
  /** False while it is what was found for the text before. */
  readonly isCurrent: boolean;
  /** Undefined: all of what matches is there. */
  readonly more: { readonly shown: number; readonly total: number } | undefined;
}

/** Rows of all kinds together that a list has: more take longer to draw than a key may. */
const ROWS = 32;
const MOST_OF_ONE = 20;
const NOTHING: Found = { hits: [], total: 0 };

/**
 * What is called as typed: each letter asks the server, and what was found before stays until the answer is there.
 * `mine`: of screens and groups those that one may change alone.
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
