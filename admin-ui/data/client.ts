import { type ClientOptions, createClient } from '../../shared/contract/client.ts';
import { hearServerTime } from '../components/serverClock.ts';
import { worded } from '../i18n/sentences.ts';
import { session } from './session.ts';
import { apiOrigin, atHeadquarters, openedStore } from './storeWindow.ts';
import { windowId } from './windowId.ts';

const options: Omit<ClientOptions, 'origin'> = {
  token: () => session.token() ?? undefined,
  window: windowId,
  // A deletion begun while the window closes (removals.ts) still reaches the server.
  fetch: async (input, init) => {
    const asked = Date.now();
    const answer = await fetch(input, init?.method === 'DELETE' ? { ...init, keepalive: true } : init);
    hearServerTime(answer.headers.get('date'), asked, Date.now());
    return answer;
  },
  onUnauthorized: () => sessionEnded(),
  worded,
};

/** The only way to the API. A 401 on anything that needs a session means that it has ended. */
export const client = createClient({ ...options, origin: apiOrigin });

/** The server that this page is from: of a store's window that is headquarters. */
export const ownServer = createClient({ ...options, origin: '' });

/** Whoever has opened a store signs in where that was done. */
export const sessionEnded = (): void =>
  openedStore === undefined ? session.end() : location.replace(atHeadquarters(openedStore));
