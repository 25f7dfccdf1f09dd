import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryInputOf } from '../../../shared/contract/endpoint.ts';
import {
  getRemoteCommand,
  listRemoteCommandStores,
  listRemoteCommands,
  type RemoteCommandState,
} from '../../../shared/contract/headquarters/remote-commands.ts';
import { listStores } from '../../../shared/contract/headquarters/stores.ts';
import { client } from '../requests/client.ts';
import { pageQueryOf } from '../requests/pages.ts';
import { recordQueryOf } from '../requests/query.ts';

export const REMOTE_COMMANDS_PAGE = 20;
export const remoteCommandsPageQuery = (page: number) => ({
  ...pageQueryOf(['stores', 'orders'], listRemoteCommands, { filter: {}, page, size: REMOTE_COMMANDS_PAGE }),
  placeholderData: keepPreviousData,
});

export const remoteCommandQuery = (id: string) => recordQueryOf(['stores', 'order', id], getRemoteCommand, id, 'order');

/** Rows per page. */
export const REMOTE_COMMAND_STORES_PAGE = 50;
/**
 * Query for the results of a remote command per store. The previous answer stays visible until the new answer is
 * loaded, since the numbers change every few seconds.
 */
export const remoteCommandStoresQuery = (id: string, state: RemoteCommandState | undefined, page: number) =>
  queryOptions({
    queryKey: ['stores', 'order', id, 'stores', state, page],
    queryFn: async ({ signal }) => {
      const limit = String(REMOTE_COMMAND_STORES_PAGE);
      const query = { limit, offset: String(page * REMOTE_COMMAND_STORES_PAGE), ...(state && { state }) };
      const { data, total } = await client.request(listRemoteCommandStores, { params: { id }, query, signal });
      return { rows: data, total: total ?? data.length };
    },
    placeholderData: keepPreviousData,
  });

/** The largest page of stores that the server returns. */
const MAX_STORES = 1000;
/**
 * Query for the enrolled stores that match a filter. The dialog shows their names and number before it sends a
 * command. The answer is fetched once per dialog and not cached under `stores`, so that the command goes exactly to
 * the stores that the user has seen.
 */
export const enrolledStoresQuery = (filter: Omit<QueryInputOf<typeof listStores>, 'order' | 'limit' | 'offset'>) =>
  queryOptions({
    queryKey: ['orders', 'stores', filter],
    queryFn: async ({ signal }) => {
      const ids: string[] = [];
      let screens = 0;
      for (let offset = 0, total = 1; offset < total; offset += MAX_STORES) {
        const query = { ...filter, order: 'name' as const, limit: String(MAX_STORES), offset: String(offset) };
        const page = await client.request(listStores, { query, signal });
        total = page.total ?? page.data.length;
        for (const { id, line, screens_total } of page.data) {
          if (line === 'new' || line === 'left') continue;
          ids.push(id);
          screens += screens_total ?? 0;
        }
      }
      return { ids, screens };
    },
    staleTime: 0,
    gcTime: 0,
  });
