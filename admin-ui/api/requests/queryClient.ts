import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../shared/contract/errors.ts';

/**
 * Returns whether a retry may help: for example while a server restarts. Errors that the user must correct are not
 * retried.
 */
export const mayHelp = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    // Sends requests even if the browser reports "offline": in a local network without internet access it can still
    // reach the server.
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (count, error) => count < 3 && mayHelp(error),
      retryDelay: (n) => Math.min(500 * 2 ** n, 4000),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
