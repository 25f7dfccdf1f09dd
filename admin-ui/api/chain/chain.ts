import { queryOptions } from '@tanstack/react-query';
import { getChain } from '../../../shared/contract/headquarters/chain.ts';
import { client } from '../requests/client.ts';

/**
 * Query for the connection to headquarters. It polls while a page shows it, since the live connection does not
 * announce how many plays wait or were delivered.
 */
export const chainQuery = queryOptions({
  queryKey: ['chain'],
  queryFn: ({ signal }) => client.call(getChain, { signal }),
  refetchInterval: 15_000,
});
