/** Sockets are outside of what browsers keep pages of other origins from: whoever accepts one has to look. */
import type { IncomingMessage } from 'node:http';

/** Where people reach the server when a proxy changes the Host header. */
export const hostsOf = (publicUrl: string | undefined): ReadonlySet<string> => new Set(publicUrl && URL.canParse(publicUrl) ? [new URL(publicUrl).host] : []);

/** False for a page of another origin. Programs send no Origin. */
export const isSameOrigin = ({ headers: { origin, host } }: IncomingMessage, allowedHosts: ReadonlySet<string>): boolean => {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin).host;
  return from === host || allowedHosts.has(from);
};
