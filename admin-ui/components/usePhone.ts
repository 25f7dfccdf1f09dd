import { useSyncExternalStore } from 'react';

/** The width at which the rail becomes a bar at the bottom (Shell.css). */
const phone = matchMedia('(max-width: 45rem)');
const subscribe = (listener: () => void) => {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
};

export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => phone.matches);
