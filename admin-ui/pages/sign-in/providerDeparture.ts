/** Stores the request in this tab while the user is at the sign-in provider. */

import { randomHex } from '../../api/requests/random.ts';
import { tabStore } from '../../components/hooks/browserStore.ts';
import { addressAt, type Departure, departureIn, type Which } from './provider.utils.ts';

const KEY = 'vitrine.provider';

const RANDOM_BYTES = 24;

export const depart = (which: Which, to: { endpoint: string; clientId: string; next: string | undefined }): void => {
  const departure: Departure = {
    which,
    state: randomHex(RANDOM_BYTES),
    nonce: randomHex(RANDOM_BYTES),
    next: to.next,
    at: Date.now(),
  };
  tabStore.setItem(KEY, JSON.stringify(departure));
  location.assign(addressAt(to.endpoint, to.clientId, location.origin, departure));
};

/** Returns the stored request once, so that an answer cannot be used twice. */
export const readDeparture = (): Departure | undefined => {
  const stored = tabStore.getItem(KEY);
  tabStore.removeItem(KEY);
  return departureIn(stored, Date.now());
};
