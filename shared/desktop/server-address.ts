/** Addresses of servers as people type them. */

export const DEFAULT_PORT = 8710;

export class WrongAddress extends Error {
  readonly code = 'WRONG_ADDRESS';
}

/** `http://host:port` from what people type: a bare host, with or without a port, an address with a path. */
export function originOf(typed: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `http://${typed}`);
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname || url.username)
    throw new WrongAddress(`"${typed}" is not the address of a server; try http://192.168.1.10:${DEFAULT_PORT}`);
  // As it is written: 80 is a port that somebody names, although it is no part of an http address.
  const given = /:\/\//.test(typed) || /^[^/]*:\d+(?:\/|$)/.test(typed);
  return given ? url.origin : `${url.origin}:${DEFAULT_PORT}`;
}
