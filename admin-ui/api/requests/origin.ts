/**
 * Address of this server for other machines. `location.origin` is only valid for this window: on the server's own
 * computer, it is localhost. test/addresses.test.ts keeps it out of other files.
 */
import { useQuery } from '@tanstack/react-query';
import { getOrigins } from '../../../shared/contract/server/server.ts';
import { openedStore } from '../session/storeWindow.ts';
import { queryOf } from './query.ts';

const originsQuery = { ...queryOf(['server', 'origins'], getOrigins), staleTime: 60_000 };

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');

/** Without a slash at the end; undefined if only this computer's own address is known. */
export const useReachableOrigin = (): string | undefined => {
  // A store's window runs at headquarters, but screens must reach the store.
  const here = openedStore !== undefined || isLoopback(location.hostname);
  const origins = useQuery({ ...originsQuery, enabled: here }).data?.origins;
  return here ? origins?.[0] : location.origin;
};

/** For addresses that users copy or read out: if no other address is known, that of this window is better than none. */
export const useLinkOrigin = (): string => useReachableOrigin() ?? location.origin;
