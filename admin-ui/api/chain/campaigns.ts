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
} from '../../../shared/contract/headquarters/campaigns.ts';
import { client } from '../requests/client.ts';
import { pageQueryOf } from '../requests/pages.ts';
import { queryOf, recordQueryOf } from '../requests/query.ts';

export const CAMPAIGNS_PAGE = 50;
export type CampaignsFilter = { readonly [K in 'state' | 'q']?: string | undefined };
/** The previous page stays until the new one is loaded, so that typing does not make the table flicker. */
export const campaignsPageQuery = (filter: CampaignsFilter, page: number) => ({
  ...pageQueryOf(['campaigns', 'page'], listCampaigns, { filter, page, size: CAMPAIGNS_PAGE }),
  placeholderData: keepPreviousData,
});

export const campaignQuery = (id: string) => recordQueryOf(['campaigns', 'one', id], getCampaign, id, 'campaign');

/** Maximum number of editions that the server returns. Older ones cannot be restored here. */
const EDITIONS_SHOWN = 100;
export const campaignEditionsQuery = (id: string) =>
  queryOf(['campaigns', 'editions', id], listEditions, {
    params: { id },
    query: { limit: String(EDITIONS_SHOWN) },
  });

/** Maximum number of rows in this list. The worst come first. */
const NEEDS_SHOWN = 20;
/** Campaigns that need attention. */
export const campaignNeedsQuery = pageQueryOf(['campaigns', 'needs'], listCampaignNeeds, {
  filter: {},
  page: 0,
  size: NEEDS_SHOWN,
});

/** A phase of a store, or stores that will not be in time. */
export type PhaseFilter = CampaignStore['phase'] | 'late';
/** Rows per page. */
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

/** Fetched again at each view, since the values of stores change. */
export const campaignValuesQuery = (id: string) => ({
  ...queryOf(['campaigns', 'values', id], listCampaignValues, { params: { id } }),
  refetchOnMount: 'always' as const,
});

const ASKING_MS = 1_500;
/** The stores' dry run; null if none was requested, or too long ago. */
export const dryRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'dry-run', id],
    queryFn: ({ signal }) => client.call(getDryRun, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'asking' ? ASKING_MS : false),
  });
