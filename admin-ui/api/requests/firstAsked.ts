import type { UseQueryResult } from '@tanstack/react-query';

/**
 * Returns whether a query is loading for the first time without a failure. Components that wait for this do not wait
 * for a server that is down or refuses.
 */
export const isFirstAsked = ({
  isPending,
  failureCount,
}: Pick<UseQueryResult, 'isPending' | 'failureCount'>): boolean => isPending && failureCount === 0;
