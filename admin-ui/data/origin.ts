/**
 * Where other machines reach this server. `location.origin` is where this window does: on the server's own computer
 * that is localhost, which means another computer everywhere else. test/addresses.test.ts keeps it out of the rest.
 */
import { useQuery } from '@tanstack/react-query';
import { getOrigins } from '../../shared/contract/server.ts';
import { queryOf } from './query.ts';
import { openedStore } from './storeWindow.ts';

const originsQuery = { ...queryOf(['server', 'origins'], getOrigins), staleTime: 60_000 };

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');

/** Without a slash at the end; undefined while, or where, nothing but this computer's own address is known. */
export const useReachableOrigin = (): string | undefined => {
  // The window of a store is at headquarters; screens are to reach the store.
  const here = openedStore !== undefined || isLoopback(location.hostname);
  const origins = useQuery({ ...originsQuery, enabled: here }).data?.origins;
  return here ? origins?.[0] : location.origin;
};

/** For what is copied or read out: where no other address is known, that of this window is better than none. */
export const useLinkOrigin = (): string => useReachableOrigin() ?? location.origin;
