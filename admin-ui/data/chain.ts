import { queryOptions } from '@tanstack/react-query';
import { getChain } from '../../shared/contract/chain.ts';
import { client } from './client.ts';

/** Nothing announces each play that waits or is delivered: asked again while somebody looks. */
export const chainQuery = queryOptions({
  queryKey: ['chain'],
  queryFn: ({ signal }) => client.call(getChain, { signal }),
  refetchInterval: 15_000,
});
