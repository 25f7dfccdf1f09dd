import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../data/me.ts';
import { serverStatusQuery } from '../../data/server.ts';

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/**
 * Where any browser of the network becomes a screen; undefined while nothing but this computer's own address is known.
 */
export const usePlayerAddress = (): string | undefined => {
  const me = useQuery(meQuery);
  const here = isLoopback(location.hostname);
  const status = useQuery({ ...serverStatusQuery, enabled: here && me.data?.is_platform_admin === true });
  const server = here
    ? status.data?.addresses.find((address) => URL.canParse(address) && !isLoopback(new URL(address).hostname))
    : location.origin;
  return server === undefined ? undefined : new URL('/player', server).href;
};
