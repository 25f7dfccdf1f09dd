import { queryOptions } from '@tanstack/react-query';
import { getStore } from '../../../shared/contract/headquarters/stores.ts';
import { ownServer } from '../requests/client.ts';

/** Query for the store whose window this is. Headquarters answers the query. */
export const openedStoreQuery = (id: string) =>
  queryOptions({
    queryKey: ['headquarters', 'store', id],
    queryFn: ({ signal }) => ownServer.call(getStore, { params: { id }, signal }),
    staleTime: 60_000,
  });
