import { queryOptions } from '@tanstack/react-query';
import { listTokens } from '../../shared/contract/tokens.ts';
import { client } from './client.ts';

export const tokensQuery = queryOptions({
  queryKey: ['tokens', 'list'],
  queryFn: ({ signal }) => client.call(listTokens, { signal }),
});
