/** Words of a tunnel, by themselves: servers in no chain load nothing else of it. */

import type { Visitor } from './wire.ts';

/** A connection that the store begins and over which headquarters then asks it, in HTTP/1.1. */
export const TUNNEL_PATH = '/chain/tunnel';
export const TUNNEL_PROTOCOL = 'vitrine-tunnel';
/** Who asks, in each request of a tunnel: JSON of {@link Visitor}, URL-encoded. */
export const VISITOR_HEADER = 'x-vitrine-visitor';
export const visitorHeader = (visitor: Visitor): Record<string, string> => ({
  [VISITOR_HEADER]: encodeURIComponent(JSON.stringify(visitor)),
});

/** A file whose address has a ticket of the store's in it, which a browser fetches by itself: nobody says who asks. */
export const TICKETED = /^\/api\/content\/[^/?#]+\/file\?access=[\w.-]+$/;

/** A store's own window at headquarters: the page, what it asks the store for, and its socket. */
export const storeWindowPath = (store: string): string => `/store/${encodeURIComponent(store)}`;
/** The store whose window a page is of, by its path; undefined: of none. */
export const storeOfWindow = (path: string): string | undefined => /^\/store\/([\w-]{1,64})\//.exec(path)?.[1];
export const STORE_LIVE = '/api/store-live';
