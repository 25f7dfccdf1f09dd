/** Downloads from the server of this player, over its secure address if it has one. */
import { DownloadFailed, Untrusted } from '../errors.ts';
import type { Get } from '../ports.ts';
import type { Link } from './link.ts';

interface Deps {
  readonly get: Get;
  /** Address of the connected server; null while the player is not connected or not accepted. */
  readonly address: () => Link['address'];
  readonly drop: Link['drop'];
}

/** Returns a `get` that takes a path instead of a URL. @throws DownloadFailed while the player is not connected */
export const createServerGet =
  ({ get, address, drop }: Deps) =>
  (path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): ReturnType<Get> => {
    const to = address();
    if (!to) return Promise.reject(new DownloadFailed('not connected to the server'));
    const { secure } = to;
    if (!secure) return get(`${to.origin}${path}`, headers, signal);
    return get(`${secure.origin}${path}`, headers, signal, { certificate: secure.certificate }).catch(
      (error: unknown) => {
        // An intermediary, or a new certificate of the server. The check before the next connection decides.
        if (error instanceof Untrusted) drop('who answers has another certificate');
        throw error;
      },
    );
  };
