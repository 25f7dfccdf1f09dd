/**
 * Tells pages of other origins. What browsers keep such pages from does not include opening sockets and sending forms,
 * so whoever takes either has to look.
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

  /** @param deps.publicUrl is where people reach the server, when a proxy changes the Host header */
  constructor(deps: Deps) {
    this.#published = deps.publicUrl && URL.canParse(deps.publicUrl) ? new URL(deps.publicUrl).host : undefined;
    this.#deps = deps;
  }

  /**
   * Returns false for a page of another origin. Programs send no Origin. That `Host` is a name of ours was looked at
   * before ({@link KnownHosts}).
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
