import { queryOptions } from '@tanstack/react-query';
import { type SearchHit, type SearchKind, search } from '../../shared/contract/search.ts';
import { client } from './client.ts';

export interface Found {
  readonly hits: readonly SearchHit[];
  /** Total number of matches. */
  readonly total: number;
}

/**
 * Records whose names match, at most `limit` of each kind; without text the newest records.
 * @param mine returns only records that the user may change
 */
export const searchQuery = (kinds: readonly SearchKind[], text: string, limit: number, mine = false) =>
  queryOptions({
    queryKey: ['search', 'names', kinds.join(), text, limit, mine],
    queryFn: async ({ signal }): Promise<Found> => {
      const query = { q: text, kinds: kinds.join(), limit: String(limit), ...(mine && { mine: 'true' as const }) };
      const { data, total } = await client.request(search, { query, signal });
      return { hits: data, total: total ?? data.length };
    },
    // Old answers are removed soon, because each typed letter makes a new cache key.
    gcTime: 60_000,
  });

/** One record by its id; undefined once it is known that the record no longer exists. */
export const hitQuery = (kind: SearchKind, id: string) =>
  queryOptions({
    queryKey: ['search', 'one', kind, id],
    queryFn: async ({ signal }): Promise<SearchHit | null> =>
      (await client.call(search, { query: { kinds: kind, ids: id }, signal }))[0] ?? null,
  });
