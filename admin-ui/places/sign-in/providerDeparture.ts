/** What this tab remembers while the person is at the identity provider. */
import { addressAt, type Departure, departureIn, type Which } from './provider.utils.ts';

const KEY = 'vitrine.provider';

const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const depart = (which: Which, to: { endpoint: string; clientId: string; next: string | undefined }): void => {
  const departure: Departure = { which, state: random(), nonce: random(), next: to.next, at: Date.now() };
  sessionStorage.setItem(KEY, JSON.stringify(departure));
  location.assign(addressAt(to.endpoint, to.clientId, location.origin, departure));
};

/** Hands it over once, so that no answer can be used again. */
export const takeDeparture = (): Departure | undefined => {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return departureIn(stored, Date.now());
};
