import { infiniteQueryOptions } from '@tanstack/react-query';
import { type BinKind, listBin, listPlaces, listRelated, type RecordKind } from '../../shared/contract/content/bin.ts';
import { client } from './requests/client.ts';
import { queryOf } from './requests/query.ts';

const PAGE = 100;

/** Deleted and replaced records, newest first. */
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

/** Other entries that belong to an entry. Fetched before it is restored. */
export const relatedQuery = (id: string) => ({
  ...queryOf(['bin', 'related', id], listRelated, { params: { id } }),
  gcTime: 0,
  staleTime: 0,
});

/** Present uses of a record. Fetched before it is deleted. */
export const placesQuery = (kind: RecordKind, id: string) => ({
  ...queryOf(['bin', 'places', kind, id], listPlaces, { params: { id }, query: { kind } }),
  gcTime: 0,
});
