/**
 * Address of this server for other machines. `location.origin` is the address in this browser: on the server's own
 * computer, it is localhost. test/addresses.test.ts forbids `location.origin` in other files.
 */
import { useQuery } from '@tanstack/react-query';
import { getOrigins } from '../../../shared/contract/server/server.ts';
import { openedStore } from '../session/storeWindow.ts';
import { queryOf } from './query.ts';

const originsQuery = { ...queryOf(['server', 'origins'], getOrigins), staleTime: 60_000 };

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');

/** Returns the address without a slash at the end; undefined if only the address localhost is known. */
export const useReachableOrigin = (): string | undefined => {
  // The page of a store's window comes from headquarters, but screens must reach the store's server.
  const here = openedStore !== undefined || isLoopback(location.hostname);
  const origins = useQuery({ ...originsQuery, enabled: here }).data?.origins;
  return here ? origins?.[0] : location.origin;
};

/**
 * Returns an address for links that users copy or read out. Falls back to the address of this page if no other
 * address is known.
 */
export const useLinkOrigin = (): string => useReachableOrigin() ?? location.origin;
