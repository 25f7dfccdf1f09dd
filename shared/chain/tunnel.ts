/** Words of a tunnel, by themselves: servers in no chain load nothing else of it. */

/** A connection that the store begins and over which headquarters then asks it, in HTTP/1.1. */
export const TUNNEL_PATH = '/chain/tunnel';
export const TUNNEL_PROTOCOL = 'vitrine-tunnel';
/** Who asks, in each request of a tunnel: JSON of {@link Visitor}, URL-encoded. */
export const VISITOR_HEADER = 'x-vitrine-visitor';

/** A store's own window at headquarters: the page, what it asks the store for, and its socket. */
export const storeWindowPath = (store: string): string => `/store/${encodeURIComponent(store)}`;
export const STORE_LIVE = '/api/store-live';
