import { queryOptions } from '@tanstack/react-query';
import { type SearchHit, type SearchKind, search } from '../../../shared/contract/server/search.ts';
import { client } from './client.ts';

export interface Found {
  readonly hits: readonly SearchHit[];
  /** Total number of matches. */
  readonly total: number;
}

/**
 * Records whose names match, `limit` of each kind; without text the newest.
 * @param mine only those that the user may
 * change
 */
export const searchQuery = (kinds: readonly SearchKind[], text: string, limit: number, mine = false) =>
  queryOptions({
    queryKey: ['search', 'names', kinds.join(), text, limit, mine],
    queryFn: async ({ signal }): Promise<Found> => {
      const query = { q: text, kinds: kinds.join(), limit: String(limit), ...(mine && { mine: 'true' as const }) };
      const { data, total } = await client.request(search, { query, signal });
      return { hits: data, total: total ?? data.length };
    },
    // Each letter makes a new cache key.
    gcTime: 60_000,
  });

/** One record by its id; undefined once it is known to be gone. */
export const hitQuery = (kind: SearchKind, id: string) =>
  queryOptions({
    queryKey: ['search', 'one', kind, id],
    queryFn: async ({ signal }): Promise<SearchHit | null> =>
      (await client.call(search, { query: { kinds: kind, ids: id }, signal }))[0] ?? null,
  });
