import { useReachableOrigin } from '../../../api/requests/origin.ts';

/**
 * Returns the address that turns a browser in the network into a screen; undefined if only the address localhost is
 * known.
 */
export const usePlayerAddress = (): string | undefined => {
  const origin = useReachableOrigin();
  return origin === undefined ? undefined : new URL('/player', origin).href;
};
