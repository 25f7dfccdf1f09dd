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

/** Filter and order of stores, as the server expects them. */
export type StoresFilter = {
  readonly [K in 'q' | 'region' | 'tag' | 'line' | 'trouble' | 'place' | 'order']?: string | undefined;
};

/** Rows per page. */
export const STORES_PAGE = 50;

/** The previous page stays until the new one is loaded, so that typing does not make the table flicker. */
export const storesPageQuery = (filter: StoresFilter, page: number) => ({
  ...pageQueryOf(['stores', 'page'], listStores, { filter, page, size: STORES_PAGE }),
  placeholderData: keepPreviousData,
});

/** All places at once, since a map has no pages. */
export const storePlacesQuery = ({ order: _, place: __, ...filter }: StoresFilter) => ({
  ...queryOf(['stores', 'places', filter], listStorePlaces, {
    query: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
  }),
  placeholderData: keepPreviousData,
});

export const storeCountsQuery = queryOf(['stores', 'counts'], countStores);

export const storeQuery = (id: string) => recordQueryOf(['stores', 'one', id], getStore, id, 'store');

/** A few stores, for choosing by name. */
export const storesLikeQuery = (q: string, limit: number) =>
  queryOptions({
    queryKey: ['stores', 'like', q, limit],
    queryFn: ({ signal }) => client.call(listStores, { query: { q, limit: String(limit) }, signal }),
    placeholderData: keepPreviousData,
  });

export type ChainStore = Pick<Store, 'id' | 'name' | 'region' | 'tags' | 'line'>;
/**
 * Names, regions and tags of all stores, for choosing by name and for counting before a change is stored. Not cached
 * under `stores`, whose records change every second with the stores' states.
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

/** Period and filters of a report of the chain. Days as YYYY-MM-DD of headquarters' zone, both included. */
export type ChainPlaysOf = { start: string; end: string } & {
  [K in 'region' | 'tag' | 'store_id' | 'campaign_id' | 'content']?: string;
};
export type ChainSumsBy = (typeof CHAIN_SUMS_BY)[number];

/** Plays arrive all the time: polls while it is shown, like the reports of one store. */
const EVERY_MS = 30_000;
const live = { refetchInterval: EVERY_MS, staleTime: EVERY_MS, placeholderData: keepPreviousData };

/** Not cached under `stores`: a store's new state changes no sum. */
export const chainTotalsQuery = (of: ChainPlaysOf) =>
  queryOptions({
    queryKey: ['reports', 'chain', 'totals', of],
    queryFn: ({ signal }) => client.call(totalChainPlays, { query: of, signal }),
    ...live,
  });

/** Maximum number of rows in the table. The CSV contains all rows. */
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
 * `csv`: single plays. `sums`: the table. `proof`: with the signatures of screens, stores and headquarters, for
 * `vitrine verify`. `missing`: numbers of plays that no store delivered.
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
