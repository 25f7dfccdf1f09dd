import type { UseQueryResult } from '@tanstack/react-query';

/**
 * Nothing is known of it yet, and no attempt has failed: what waits for this does not wait for a server that cannot be
 * reached or refuses.
 */
export const isFirstAsked = ({
  isPending,
  failureCount,
}: Pick<UseQueryResult, 'isPending' | 'failureCount'>): boolean => isPending && failureCount === 0;
