import { useReachableOrigin } from '../../data/origin.ts';

/**
 * Where any browser of the network becomes a screen; undefined while nothing but this computer's own address is known.
 */
export const usePlayerAddress = (): string | undefined => {
  const origin = useReachableOrigin();
  return origin === undefined ? undefined : new URL('/player', origin).href;
};
