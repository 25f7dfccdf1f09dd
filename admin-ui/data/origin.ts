/**
 * Address of this server for other machines. `location.origin` is valid only for this browser window: on the server's
 * own computer, it is localhost. test/addresses.test.ts checks that other files do not use it.
 */
import { useQuery } from '@tanstack/react-query';
import { getOrigins } from '../../shared/contract/server.ts';
import { queryOf } from './query.ts';
import { openedStore } from './storeWindow.ts';

const originsQuery = { ...queryOf(['server', 'origins'], getOrigins), staleTime: 60_000 };

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');

/** Address without a slash at the end; undefined if only this computer's own address is known. */
export const useReachableOrigin = (): string | undefined => {
  // The admin window of a store may run at headquarters, but screens must reach the store.
  const here = openedStore !== undefined || isLoopback(location.hostname);
  const origins = useQuery({ ...originsQuery, enabled: here }).data?.origins;
  return here ? origins?.[0] : location.origin;
};

/**
 * For addresses that users copy or read out: if no other address is known, returns the address of this browser window.
 */
export const useLinkOrigin = (): string => useReachableOrigin() ?? location.origin;
