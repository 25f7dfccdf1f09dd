/**
 * A store's own window that headquarters has opened (`/store/<id>/`): the page is headquarters' own, and all that it asks
 * is asked of that store. Who is signed in is signed in at headquarters.
 */
import { STORE_LIVE, storeOfWindow, storeWindowPath } from '../../shared/chain/tunnel.ts';

/** Its id at headquarters; undefined in a server's own window. */
export const openedStore: string | undefined = storeOfWindow(location.pathname);

/** Where the API is of what this window shows. */
export const apiOrigin: string = openedStore === undefined ? '' : storeWindowPath(openedStore);

export const livePath: string =
  openedStore === undefined ? '/api/live' : `${STORE_LIVE}?store=${encodeURIComponent(openedStore)}`;

/** Back to the store's page at headquarters, where one signs in if need be. */
export const atHeadquarters = (store: string): string => `/#/stores/${encodeURIComponent(store)}`;
