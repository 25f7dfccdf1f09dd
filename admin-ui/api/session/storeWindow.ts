/**
 * Admin window of a store, opened at headquarters (`/store/<id>/`). Headquarters serves the page, and all API
 * requests go to the store. The user is signed in at headquarters.
 */
import { STORE_LIVE, storeOfWindow, storeWindowPath } from '../../../shared/chain/tunnel.ts';

/** Id of the store at headquarters; undefined in a server's own window. */
export const openedStore: string | undefined = storeOfWindow(location.pathname);

/** Origin of the API for this window. */
export const apiOrigin: string = openedStore === undefined ? '' : storeWindowPath(openedStore);

export const livePath: string =
  openedStore === undefined ? '/api/live' : `${STORE_LIVE}?store=${encodeURIComponent(openedStore)}`;

/** Returns the address of the store's page at headquarters, which asks for sign-in if necessary. */
export const atHeadquarters = (store: string): string => `/#/stores/${encodeURIComponent(store)}`;
