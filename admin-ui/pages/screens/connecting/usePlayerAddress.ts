import { useReachableOrigin } from '../../../api/requests/origin.ts';

/**
 * Address that turns a browser on the network into a screen; undefined if only this computer's own address is known.
 */
export const usePlayerAddress = (): string | undefined => {
  const origin = useReachableOrigin();
  return origin === undefined ? undefined : new URL('/player', origin).href;
};
