import { queryOptions } from '@tanstack/react-query';
import { type SearchHit, type SearchKind, search } from '../../../shared/contract/server/search.ts';
import { client } from './client.ts';

export interface Found {
  readonly hits: readonly SearchHit[];
  /** Number of all records that match, including records that are not returned. */
  readonly total: number;
}

/**
 * Query for records whose names match the text, at most `limit` of each kind. Without text, the newest records.
 * @param mine only records that the user may change
 */
export const searchQuery = (kinds: readonly SearchKind[], text: string, limit: number, mine = false) =>
  queryOptions({
    queryKey: ['search', 'names', kinds.join(), text, limit, mine],
    queryFn: async ({ signal }): Promise<Found> => {
      const query = { q: text, kinds: kinds.join(), limit: String(limit), ...(mine && { mine: 'true' as const }) };
      const { data, total } = await client.request(search, { query, signal });
      return { hits: data, total: total ?? data.length };
    },
    // Each typed letter makes a new cache key, so answers are dropped after a minute.
    gcTime: 60_000,
  });

/** Query for one record by its id; null if the record does not exist. */
export const hitQuery = (kind: SearchKind, id: string) =>
  queryOptions({
    queryKey: ['search', 'one', kind, id],
    queryFn: async ({ signal }): Promise<SearchHit | null> =>
      (await client.call(search, { query: { kinds: kind, ids: id }, signal }))[0] ?? null,
  });
