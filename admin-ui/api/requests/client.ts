import { type ClientOptions, createClient } from '../../../shared/contract/client.ts';
import { recordServerTime } from '../../components/hooks/serverClock.ts';
import { worded } from '../../i18n/sentences.ts';
import { session } from '../session/session.ts';
import { apiOrigin, atHeadquarters, openedStore } from '../session/storeWindow.ts';
import { windowId } from './windowId.ts';

const options: Omit<ClientOptions, 'origin'> = {
  token: () => session.token() ?? undefined,
  window: windowId,
  // `keepalive` sends a deletion to the server even if it starts while the window closes (removals.ts).
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
 * Client for all requests to the API. Status 401 on a request that needs a session means that the session has ended.
 */
export const client = createClient({ ...options, origin: apiOrigin });

/** Client for the server that delivered this page. In a store's window, this server is headquarters. */
export const ownServer = createClient({ ...options, origin: '' });

/** Ends the session of this page. In a store's window, the user signs in again at headquarters. */
export const sessionEnded = (): void =>
  openedStore === undefined ? session.end() : location.replace(atHeadquarters(openedStore));
