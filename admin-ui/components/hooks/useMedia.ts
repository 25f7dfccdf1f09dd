import { useSyncExternalStore } from 'react';

const queries = new Map<string, MediaQueryList>();
const queryOf = (text: string): MediaQueryList => {
  const query = queries.get(text) ?? matchMedia(text);
  queries.set(text, query);
  return query;
};
const subscribers = new Map<string, (listener: () => void) => () => void>();
const subscribeTo = (text: string) => {
  const found = subscribers.get(text);
  if (found) return found;
  const subscribe = (listener: () => void) => {
    queryOf(text).addEventListener('change', listener);
    return () => queryOf(text).removeEventListener('change', listener);
  };
  subscribers.set(text, subscribe);
  return subscribe;
};

const useMedia = (text: string): boolean => useSyncExternalStore(subscribeTo(text), () => queryOf(text).matches);

/** Returns whether the window is as narrow as a phone, so that the navigation is a bar at the bottom (Shell.css). */
export const usePhone = (): boolean => useMedia('(max-width: 45rem)');
/** Returns whether the window is too narrow for side panels (playlists.css). */
export const useNarrow = (): boolean => useMedia('(max-width: 60rem)');
/** Returns whether the user prefers reduced motion. */
export const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)');
