import { infiniteQueryOptions } from '@tanstack/react-query';
import { type BinKind, listBin, listPlaces, listRelated, type RecordKind } from '../../shared/contract/content/bin.ts';
import { client } from './requests/client.ts';
import { queryOf } from './requests/query.ts';

const PAGE = 100;

/** Query for deleted and replaced records, newest first. */
export const binQuery = (kind: BinKind | undefined, q: string) =>
  infiniteQueryOptions({
    queryKey: ['bin', 'list', kind ?? '', q],
    queryFn: async ({ signal, pageParam }) => {
      const { data, total } = await client.request(listBin, {
        query: { kind, q: q || undefined, limit: String(PAGE), offset: String(pageParam) },
        signal,
      });
      return { entries: data, total: total ?? data.length };
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const have = pages.reduce((sum, page) => sum + page.entries.length, 0);
      return have < last.total && last.entries.length > 0 ? have : undefined;
    },
  });

/**
 * Query for the other deleted records that belong to a deleted record. The restore dialog shows them. Never cached.
 */
export const relatedQuery = (id: string) => ({
  ...queryOf(['bin', 'related', id], listRelated, { params: { id } }),
  gcTime: 0,
  staleTime: 0,
});

/** Query for the places where a record is used now. The delete dialog shows them. */
export const placesQuery = (kind: RecordKind, id: string) => ({
  ...queryOf(['bin', 'places', kind, id], listPlaces, { params: { id }, query: { kind } }),
  gcTime: 0,
});
