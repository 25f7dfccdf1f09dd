import { type ClientOptions, createClient } from '../../../shared/contract/client.ts';
import { recordServerTime } from '../../components/hooks/serverClock.ts';
import { worded } from '../../i18n/sentences.ts';
import { session } from '../session/session.ts';
import { apiOrigin, atHeadquarters, openedStore } from '../session/storeWindow.ts';
import { windowId } from './windowId.ts';

const options: Omit<ClientOptions, 'origin'> = {
  token: () => session.token() ?? undefined,
  window: windowId,
  // A deletion that starts while the window closes (removals.ts) still reaches the server.
  fetch: async (input, init) => {
    const asked = Date.now();
    const answer = await fetch(input, init?.method === 'DELETE' ? { ...init, keepalive: true } : init);
    recordServerTime(answer.headers.get('date'), asked, Date.now());
    return answer;
  },
  onUnauthorized: () => sessionEnded(),
  worded,
};

/**
 * All requests to the API use this client. A 401 on a request that needs a session means that the session has ended.
 */
export const client = createClient({ ...options, origin: apiOrigin });

/** Client for the server of this page: in a store's window, that is headquarters. */
export const ownServer = createClient({ ...options, origin: '' });

/** In a store's window, users sign in at headquarters. */
export const sessionEnded = (): void =>
  openedStore === undefined ? session.end() : location.replace(atHeadquarters(openedStore));
