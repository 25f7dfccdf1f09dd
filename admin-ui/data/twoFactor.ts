import { queryOptions } from '@tanstack/react-query';
import { totpStatus } from '../../shared/contract/auth.ts';
import { client } from './client.ts';

export const twoFactorQuery = queryOptions({
  queryKey: ['me', 'two-factor'],
  queryFn: ({ signal }) => client.call(totpStatus, { signal }),
});
