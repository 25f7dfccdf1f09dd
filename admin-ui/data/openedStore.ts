import { queryOptions } from '@tanstack/react-query';
import { getStore } from '../../shared/contract/stores.ts';
import { ownServer } from './client.ts';

/** The store whose admin window this is, in headquarters' records. */
export const openedStoreQuery = (id: string) =>
  queryOptions({
    queryKey: ['headquarters', 'store', id],
    queryFn: ({ signal }) => ownServer.call(getStore, { params: { id }, signal }),
    staleTime: 60_000,
  });
