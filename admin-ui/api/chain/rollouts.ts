import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { WaveState } from '../../../shared/chain/rollouts.ts';
import {
  getStoreRollout,
  getStoreSoftware,
  listRolloutStores,
  listStoreRollouts,
  previewStoreRollout,
  type Wave,
} from '../../../shared/contract/headquarters/rollouts.ts';
import { client } from '../requests/client.ts';
import { pageQueryOf } from '../requests/pages.ts';
import { queryOf, recordQueryOf } from '../requests/query.ts';

export const storeSoftwareQuery = queryOf(['stores', 'software'], getStoreSoftware);

export const ROLLOUTS_PAGE = 20;
export const rolloutsPageQuery = (page: number) => ({
  ...pageQueryOf(['stores', 'rollouts'], listStoreRollouts, { filter: {}, page, size: ROLLOUTS_PAGE }),
  placeholderData: keepPreviousData,
});

export const storeRolloutQuery = (id: string) =>
  recordQueryOf(['stores', 'rollout', id], getStoreRollout, id, 'rollout');

/** Rows per page. */
export const ROLLOUT_STORES_PAGE = 50;
/**
 * Query for the stores of a rollout. The previous answer stays visible until the new answer is loaded, since the
 * numbers change every few seconds.
 */
export const rolloutStoresQuery = (id: string, state: WaveState | undefined, page: number) =>
  queryOptions({
    queryKey: ['stores', 'rollout', id, 'stores', state, page],
    queryFn: async ({ signal }) => {
      const limit = String(ROLLOUT_STORES_PAGE);
      const query = { limit, offset: String(page * ROLLOUT_STORES_PAGE), ...(state && { state }) };
      const { data, total } = await client.request(listRolloutStores, { params: { id }, query, signal });
      return { rows: data, total: total ?? data.length };
    },
    placeholderData: keepPreviousData,
  });

export const rolloutPreviewQuery = (version: string, waves: Wave[]) =>
  queryOptions({
    queryKey: ['stores', 'rollout-preview', version, waves],
    queryFn: ({ signal }) => client.call(previewStoreRollout, { body: { version, waves }, signal }),
    placeholderData: keepPreviousData,
  });
