import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  type CampaignStore,
  getCampaign,
  getDryRun,
  listCampaignNeeds,
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

/** As many as are read at once; the worst are among them. */
const NEEDS_SHOWN = 20;
/** Those that need a person. */
export const campaignNeedsQuery = pageQueryOf(['campaigns', 'needs'], listCampaignNeeds, {
  filter: {},
  page: 0,
  size: NEEDS_SHOWN,
});

/** As far as a store is, or those that will not be in time. */
export type PhaseFilter = CampaignStore['phase'] | 'late';
/** As many as one looks through. */
export const CAMPAIGN_STORES_PAGE = 50;
export const campaignStoresQuery = (id: string, phase: PhaseFilter | undefined, q: string, page: number) =>
  queryOptions({
    queryKey: ['campaigns', 'stores', id, phase, q, page],
    queryFn: async ({ signal }) => {
      const [limit, offset] = [String(CAMPAIGN_STORES_PAGE), String(page * CAMPAIGN_STORES_PAGE)];
      const query = { limit, offset, ...(phase && { phase }), ...(q && { q }) };
      const { data, total } = await client.request(listCampaignStores, { params: { id }, query, signal });
      return { rows: data, total: total ?? data.length };
    },
    placeholderData: keepPreviousData,
  });

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
