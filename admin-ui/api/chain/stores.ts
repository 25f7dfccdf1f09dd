import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryOf } from '../../../shared/contract/endpoint.ts';
import {
  type CHAIN_SUMS_BY,
  countStores,
  exportChainPlays,
  getStore,
  listStoreIncidents,
  listStorePlaces,
  listStores,
  type Store,
  sumChainPlays,
  totalChainPlays,
} from '../../../shared/contract/headquarters/stores.ts';
import { client } from '../requests/client.ts';
import { download } from '../requests/download.ts';
import { allPages, pageQueryOf } from '../requests/pages.ts';
import { queryOf, recordQueryOf } from '../requests/query.ts';

/** Filter and sort order of the store list, in the form that the server expects. */
export type StoresFilter = {
  readonly [K in 'q' | 'region' | 'tag' | 'line' | 'trouble' | 'place' | 'order']?: string | undefined;
};

/** Rows per page. */
export const STORES_PAGE = 50;

/**
 * Query for one page of the store list. The previous page stays visible until the new page is loaded, so that typing
 * does not make the table flicker.
 */
export const storesPageQuery = (filter: StoresFilter, page: number) => ({
  ...pageQueryOf(['stores', 'page'], listStores, { filter, page, size: STORES_PAGE }),
  placeholderData: keepPreviousData,
});

/** Query for the places of all stores that match a filter. The map shows all of them at once. */
export const storePlacesQuery = ({ order: _, place: __, ...filter }: StoresFilter) => ({
  ...queryOf(['stores', 'places', filter], listStorePlaces, {
    query: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
  }),
  placeholderData: keepPreviousData,
});

export const storeCountsQuery = queryOf(['stores', 'counts'], countStores);

export const storeQuery = (id: string) => recordQueryOf(['stores', 'one', id], getStore, id, 'store');

/** Query for the first few stores that match a search text, to choose a store by name. */
export const storesLikeQuery = (q: string, limit: number) =>
  queryOptions({
    queryKey: ['stores', 'like', q, limit],
    queryFn: ({ signal }) => client.call(listStores, { query: { q, limit: String(limit) }, signal }),
    placeholderData: keepPreviousData,
  });

export type ChainStore = Pick<Store, 'id' | 'name' | 'region' | 'tags' | 'line'>;
/**
 * Names, regions and tags of all stores, to choose a store by name and to count stores before a change is saved. Not
 * cached under `stores`, whose records change every second with the stores' states.
 */
export const chainStoresQuery = queryOptions({
  queryKey: ['chain', 'stores'],
  queryFn: async ({ signal }) =>
    (await allPages(listStores, signal, { order: 'name' })).map(
      ({ id, name, region, tags, line }): ChainStore => ({ id, name, region, tags, line }),
    ),
  staleTime: 60_000,
});

const INCIDENTS_SHOWN = 50;
export const storeIncidentsQuery = (id: string) =>
  queryOf(['stores', 'incidents', id], listStoreIncidents, { params: { id }, query: { limit: `${INCIDENTS_SHOWN}` } });

/**
 * Period and filters of a report about all stores. Days are YYYY-MM-DD in the time zone of headquarters, and both
 * days are included.
 */
export type ChainPlaysOf = { start: string; end: string } & {
  [K in 'region' | 'tag' | 'store_id' | 'campaign_id' | 'content']?: string;
};
export type ChainSumsBy = (typeof CHAIN_SUMS_BY)[number];

/** Polling interval in milliseconds. Plays arrive all the time, so the report polls while it is visible. */
const EVERY_MS = 30_000;
const live = { refetchInterval: EVERY_MS, staleTime: EVERY_MS, placeholderData: keepPreviousData };

/**
 * Query for the totals of a report. Not cached under `stores`, since a new state of a store does not change the
 * totals.
 */
export const chainTotalsQuery = (of: ChainPlaysOf) =>
  queryOptions({
    queryKey: ['reports', 'chain', 'totals', of],
    queryFn: ({ signal }) => client.call(totalChainPlays, { query: of, signal }),
    ...live,
  });

/** Maximum number of rows in the table of the report. The CSV contains all rows. */
export const MAX_SUMS = 1000;
export const chainSumsQuery = (of: ChainPlaysOf, by: ChainSumsBy) =>
  queryOptions({
    queryKey: ['reports', 'chain', 'sums', of, by],
    queryFn: async ({ signal }) => {
      const query = { ...of, by, limit: String(MAX_SUMS) };
      const { data, total } = await client.request(sumChainPlays, { query, signal });
      return { rows: data, total: total ?? data.length };
    },
    ...live,
  });

const ENDINGS = { csv: 'csv', sums: 'csv', missing: 'csv', proof: 'vitrine-chain' } as const;
/**
 * Downloads plays of all stores. `csv`: single plays. `sums`: the table of the report. `proof`: with the signatures
 * of screens, stores and headquarters, for `vitrine verify`. `missing`: the numbers of plays that no store
 * delivered.
 */
export const downloadChainPlays = (
  of: ChainPlaysOf,
  format: NonNullable<QueryOf<typeof exportChainPlays>['format']>,
  by: ChainSumsBy,
): Promise<void> => {
  const name =
    format === 'sums' ? `chain-plays-by-${by}` : format === 'missing' ? 'chain-plays-missing' : 'chain-plays';
  return download(
    client.url(exportChainPlays, {}, { ...of, format, ...(format === 'sums' && { by }) }),
    `${name}-${of.start}-to-${of.end}.${ENDINGS[format]}`,
  );
};
