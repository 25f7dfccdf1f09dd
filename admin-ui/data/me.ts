import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getConfig, getMe, totpStatus } from '../../shared/contract/auth.ts';
import { client } from './client.ts';
import { queryOf } from './query.ts';

/** Who is signed in, where, and what they may do there. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => client.call(getMe, { signal }),
  staleTime: 5 * 60_000,
});

/** What the pages before signing in must know. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => client.call(getConfig, { signal }),
  staleTime: 60_000,
});

/** Returns who is signed in, on pages within the shell, which shows none before it knows. */
export const useMe = () => useSuspenseQuery(meQuery).data;

/** False for people who may only look: their pages have no buttons that would be refused. */
export const useCanWrite = (): boolean => useQuery({ ...meQuery, select: (me) => me.can_write }).data ?? false;

export const twoFactorQuery = queryOf(['me', 'two-factor'], totpStatus);
