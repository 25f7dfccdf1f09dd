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
/**
 * Query for one page of the campaign list. The previous page stays visible until the new page is loaded, so that
 * typing does not make the table flicker.
 */
export const campaignsPageQuery = (filter: CampaignsFilter, page: number) => ({
  ...pageQueryOf(['campaigns', 'page'], listCampaigns, { filter, page, size: CAMPAIGNS_PAGE }),
  placeholderData: keepPreviousData,
});

export const campaignQuery = (id: string) => recordQueryOf(['campaigns', 'one', id], getCampaign, id, 'campaign');

/**
 * Maximum number of editions (versions of a campaign) that are fetched. Older editions cannot be restored in the
 * window.
 */
const EDITIONS_SHOWN = 100;
export const campaignEditionsQuery = (id: string) =>
  queryOf(['campaigns', 'editions', id], listEditions, {
    params: { id },
    query: { limit: String(EDITIONS_SHOWN) },
  });

/**
 * Maximum number of campaigns in the list of campaigns that need attention. Campaigns that wait for this user's
 * approval come first, then campaigns with the most late stores.
 */
const NEEDS_SHOWN = 20;
/** Query for the campaigns that need attention. */
export const campaignNeedsQuery = pageQueryOf(['campaigns', 'needs'], listCampaignNeeds, {
  filter: {},
  page: 0,
  size: NEEDS_SHOWN,
});

/** Filter for the stores of a campaign: one phase, or `late` for stores that will not be ready in time. */
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

/**
 * Query for the values (such as a price) that a campaign shows in each store. Fetched on each visit of the page, since
 * stores change their values.
 */
export const campaignValuesQuery = (id: string) => ({
  ...queryOf(['campaigns', 'values', id], listCampaignValues, { params: { id } }),
  refetchOnMount: 'always' as const,
});

const ASKING_MS = 1_500;
/**
 * Query for the preview that the stores compute for a campaign; null if no preview was requested or the last preview
 * has expired.
 */
export const dryRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'dry-run', id],
    queryFn: ({ signal }) => client.call(getDryRun, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'asking' ? ASKING_MS : false),
  });
