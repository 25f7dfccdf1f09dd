/**
 * Names of the tunnel protocol: paths and headers. They are in a separate file, so that servers outside of chains load
 * no other code of tunnels.
 */

import type { Visitor } from './wire.ts';

/** Path at which the store opens a connection. Headquarters then sends HTTP/1.1 requests over this connection. */
export const TUNNEL_PATH = '/chain/tunnel';
export const TUNNEL_PROTOCOL = 'vitrine-tunnel';
/** Header with the visitor of each request in a tunnel: JSON of {@link Visitor}, URL-encoded. */
export const VISITOR_HEADER = 'x-vitrine-visitor';
export const visitorHeader = (visitor: Visitor): Record<string, string> => ({
  [VISITOR_HEADER]: encodeURIComponent(JSON.stringify(visitor)),
});

/** Path of a file with a ticket of the store. A browser requests such a file without a visitor header. */
export const TICKETED = /^\/api\/content\/[^/?#]+\/file\?access=[\w.-]+$/;

/** Path of a store's admin window at headquarters: the page, its requests to the store, and its socket. */
export const storeWindowPath = (store: string): string => `/store/${encodeURIComponent(store)}`;
/** Returns the id of the store from the path of a store's admin window; undefined for any other path. */
export const storeOfWindow = (path: string): string | undefined => /^\/store\/([\w-]{1,64})\//.exec(path)?.[1];
export const STORE_LIVE = '/api/store-live';
