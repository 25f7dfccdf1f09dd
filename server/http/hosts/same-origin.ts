/**
 * Detects requests from pages of other origins. Browsers let any page open WebSockets and submit forms, so endpoints
 * that accept these must check the origin.
 */
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { forwardedHosts } from './known-hosts.ts';

interface Deps {
  readonly publicUrl: string | undefined;
  readonly trustedProxies: BlockList;
}

export class SameOrigin {
  readonly #published: string | undefined;
  readonly #deps: Deps;

  /** @param deps.publicUrl address of the server for users, for proxies that change the Host header */
  constructor(deps: Deps) {
    this.#published = deps.publicUrl && URL.canParse(deps.publicUrl) ? new URL(deps.publicUrl).host : undefined;
    this.#deps = deps;
  }

  /**
   * Returns false for a request from a page of another origin. Programs other than browsers send no Origin. `Host` was
   * checked before ({@link KnownHosts}).
   */
  includes(req: IncomingMessage): boolean {
    const { origin, host } = req.headers;
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const from = new URL(origin).host;
    return (
      from !== '' &&
      (from === host?.toLowerCase() ||
        from === this.#published ||
        forwardedHosts(req, this.#deps.trustedProxies).includes(from))
    );
  }
}
