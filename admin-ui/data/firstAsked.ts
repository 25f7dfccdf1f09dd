import type { UseQueryResult } from '@tanstack/react-query';

/** Nothing is known of it yet, and no attempt has failed: what waits for this never waits for a server that does not answer. */
export const isFirstAsked = ({ isPending, failureCount }: Pick<UseQueryResult, 'isPending' | 'failureCount'>): boolean => isPending && failureCount === 0;
