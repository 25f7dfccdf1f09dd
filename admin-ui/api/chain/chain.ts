import { queryOptions } from '@tanstack/react-query';
import { getChain } from '../../../shared/contract/headquarters/chain.ts';
import { client } from '../requests/client.ts';

/** No announcement says how many plays wait or were delivered, so the query polls while it is shown. */
export const chainQuery = queryOptions({
  queryKey: ['chain'],
  queryFn: ({ signal }) => client.call(getChain, { signal }),
  refetchInterval: 15_000,
});
