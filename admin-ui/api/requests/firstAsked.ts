import type { UseQueryResult } from '@tanstack/react-query';

/**
 * Returns whether a query is loading for the first time and has not failed yet. Components use this to wait for the
 * first answer, but not for a server that is down.
 */
export const isFirstAsked = ({
  isPending,
  failureCount,
}: Pick<UseQueryResult, 'isPending' | 'failureCount'>): boolean => isPending && failureCount === 0;
