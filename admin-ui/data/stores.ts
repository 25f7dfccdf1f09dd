import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryOf } from '../../shared/contract/endpoint.ts';
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
} from '../../shared/contract/stores.ts';
import { client } from './client.ts';
import { download } from './download.ts';
import { allPages, pageQueryOf } from './pages.ts';
import { queryOf, recordQueryOf } from './query.ts';

/** Which stores, and in which order, as the server takes it. */
export type StoresFilter = {
  readonly [K in 'q' | 'region' | 'tag' | 'line' | 'trouble' | 'place' | 'order']?: string | undefined;
};

/** As many as one looks through. */
export const STORES_PAGE = 50;

/** The one before stays until it has come: what is typed would make the table blink. */
export const storesPageQuery = (filter: StoresFilter, page: number) => ({
  ...pageQueryOf(['stores', 'page'], listStores, { filter, page, size: STORES_PAGE }),
  placeholderData: keepPreviousData,
});

/** All of them: a map has no pages. */
export const storePlacesQuery = ({ order: _, place: __, ...filter }: StoresFilter) => ({
  ...queryOf(['stores', 'places', filter], listStorePlaces, {
    query: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
  }),
  placeholderData: keepPreviousData,
});

export const storeCountsQuery = queryOf(['stores', 'counts'], countStores);

export const storeQuery = (id: string) => recordQueryOf(['stores', 'one', id], getStore, id, 'store');

/** A few, to be chosen among by their names. */
export const storesLikeQuery = (q: string, limit: number) =>
  queryOptions({
    queryKey: ['stores', 'like', q, limit],
    queryFn: ({ signal }) => client.call(listStores, { query: { q, limit: String(limit) }, signal }),
    placeholderData: keepPreviousData,
  });

export type ChainStore = Pick<Store, 'id' | 'name' | 'region' | 'tags' | 'line'>;
/**
 * By what stores are chosen, of all of them: to find them by name, and to count before anything is stored. Not under
 * `stores`: how they are changes by the second, which they are hardly ever.
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

/** What a report of the chain is of. Days as YYYY-MM-DD of headquarters' zone, both included. */
export type ChainPlaysOf = { start: string; end: string } & {
  [K in 'region' | 'tag' | 'store_id' | 'campaign_id' | 'content']?: string;
};
export type ChainSumsBy = (typeof CHAIN_SUMS_BY)[number];

/** Plays come all the time: asked again while it is looked at, as reports of one store are. */
const EVERY_MS = 30_000;
const live = { refetchInterval: EVERY_MS, staleTime: EVERY_MS, placeholderData: keepPreviousData };

/** Not under `stores`: a store that says how it is changes no sum. */
export const chainTotalsQuery = (of: ChainPlaysOf) =>
  queryOptions({
    queryKey: ['reports', 'chain', 'totals', of],
    queryFn: ({ signal }) => client.call(totalChainPlays, { query: of, signal }),
    ...live,
  });

/** Nobody reads more rows; the CSV has them all. */
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
 * `csv`: single plays. `sums`: the table. `proof`: with the signatures of screens, stores and headquarters, for `vitrine
 * verify`. `missing`: numbers of plays that no store delivered.
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
