/** Reads addresses of servers in the form in which people type them. */

export const DEFAULT_PORT = 8710;

export class WrongAddress extends Error {
  readonly code = 'WRONG_ADDRESS';
}

/** Returns `http://host:port` for typed text: a bare host, with or without a port, or an address with a path. */
export function originOf(typed: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `http://${typed}`);
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname || url.username)
    throw new WrongAddress(`"${typed}" is not the address of a server; try http://192.168.1.10:${DEFAULT_PORT}`);
  // An address with a scheme or a port stays as typed. A typed port 80 stays too, although http addresses normally omit
  // it.
  const given = /:\/\//.test(typed) || /^[^/]*:\d+(?:\/|$)/.test(typed);
  return given ? url.origin : `${url.origin}:${DEFAULT_PORT}`;
}
