/**
 * A store's window, opened at headquarters (`/store/<id>/`): headquarters serves the page, and all its requests go to
 * the store. The user is signed in at headquarters.
 */
import { STORE_LIVE, storeOfWindow, storeWindowPath } from '../../../shared/chain/tunnel.ts';

/** The store's id at headquarters; undefined in a server's own window. */
export const openedStore: string | undefined = storeOfWindow(location.pathname);

/** Origin of the API for this window. */
export const apiOrigin: string = openedStore === undefined ? '' : storeWindowPath(openedStore);

export const livePath: string =
  openedStore === undefined ? '/api/live' : `${STORE_LIVE}?store=${encodeURIComponent(openedStore)}`;

/** Address of the store's page at headquarters, which asks for sign-in if necessary. */
export const atHeadquarters = (store: string): string => `/#/stores/${encodeURIComponent(store)}`;
