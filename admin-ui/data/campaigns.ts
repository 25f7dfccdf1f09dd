import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  type CampaignStore,
  getCampaign,
  getDryRun,
  listCampaignStores,
  listCampaigns,
  listCampaignValues,
  listEditions,
} from '../../shared/contract/campaigns.ts';
import { client } from './client.ts';
import { pageQueryOf } from './pages.ts';
import { queryOf, recordQueryOf } from './query.ts';

export const CAMPAIGNS_PAGE = 50;
export type CampaignsFilter = { readonly [K in 'state' | 'q']?: string | undefined };
/** The one before stays until it has come: what is typed would make the table blink. */
export const campaignsPageQuery = (filter: CampaignsFilter, page: number) => ({
  ...pageQueryOf(['campaigns', 'page'], listCampaigns, { filter, page, size: CAMPAIGNS_PAGE }),
  placeholderData: keepPreviousData,
});

export const campaignQuery = (id: string) => recordQueryOf(['campaigns', 'one', id], getCampaign, id, 'campaign');

/** As many as the server gives at once: more are not gone back to. */
const EDITIONS_SHOWN = 100;
export const campaignEditionsQuery = (id: string) =>
  queryOf(['campaigns', 'editions', id], listEditions, {
    params: { id },
    query: { limit: String(EDITIONS_SHOWN) },
  });

/** As far as a store is, or those that will not be in time. */
export type PhaseFilter = CampaignStore['phase'] | 'late';
const storesQuery = (id: string, phase: PhaseFilter | undefined, q: string, page: number, size: number) =>
  queryOptions({
    queryKey: ['campaigns', 'stores', id, phase, q, page, size],
    queryFn: async ({ signal }) => {
      const query = { limit: String(size), offset: String(page * size), ...(phase && { phase }), ...(q && { q }) };
      const { data, total } = await client.request(listCampaignStores, { params: { id }, query, signal });
      return { rows: data, total: total ?? data.length };
    },
    placeholderData: keepPreviousData,
  });

/** As many as one looks through. */
export const CAMPAIGN_STORES_PAGE = 50;
export const campaignStoresQuery = (id: string, phase: PhaseFilter | undefined, q: string, page: number) =>
  storesQuery(id, phase, q, page, CAMPAIGN_STORES_PAGE);

/** How many will not be in time. */
export const lateStoresQuery = (id: string) => storesQuery(id, 'late', '', 0, 1);

/** Asked again whenever somebody looks: stores get values meanwhile. */
export const campaignValuesQuery = (id: string) => ({
  ...queryOf(['campaigns', 'values', id], listCampaignValues, { params: { id } }),
  refetchOnMount: 'always' as const,
});

const ASKING_MS = 1_500;
/** What stores said that it would change; null: nobody has asked them, or too long ago. */
export const dryRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'dry-run', id],
    queryFn: ({ signal }) => client.call(getDryRun, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'asking' ? ASKING_MS : false),
  });
