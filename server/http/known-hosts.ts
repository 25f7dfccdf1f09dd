/**
 * Knows under which names this server answers. Whoever owns a name can have it lead to this machine, and to a browser
 * the page behind it and this server are one and the same then (DNS rebinding). But the browser still says that name,
 * and one that is not ours is refused. An address cannot be borrowed like that, so all of them are answered.
 */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';
import { ApiError, badRequest } from '../../shared/contract/errors.ts';
import type { Clock } from '../kernel/clock.ts';
import { recent } from '../kernel/recent.ts';
import { isTrustedPeer } from './client-address.ts';

/**
 * Remembers this many values of `Host` that were found good. Every request has one, and nearly all the same; ports make
 * many of a name.
 */
const MAX_REMEMBERED = 500;
/**
 * A machine may be given another name while it runs, but strangers must not make us ask the system more often for it.
 */
const NAMES_MS = 10_000;

interface Deps {
  /** Returns names in lower case, without a dot at the end. */
  readonly names: () => Iterable<string>;
  readonly trustedProxies: BlockList;
  readonly clock: Clock;
}

export class KnownHosts {
  readonly #deps: Deps;
  readonly #good = recent<string, true>(MAX_REMEMBERED);
  #names: ReadonlySet<string> = new Set();
  #namesUntil = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Forgets the names, because they are others now. */
  forget(): void {
    this.#good.clear();
    this.#names = new Set();
    this.#namesUntil = 0;
  }

  /**
   * Returns why the request is refused, undefined when it is meant for this server. A target that begins with http://
   * is cut down to its path, as if it had come like all others.
   */
  refusal(req: IncomingMessage): ApiError | undefined {
    const { host } = req.headers;
    if (!host || comesTwice(req.rawHeaders)) return badRequest('Name this server once, in the header Host');
    return this.#of(host) ?? this.#ofTarget(req) ?? this.#ofProxy(req);
  }

  #of(host: string): ApiError | undefined {
    if (this.#good.get(host)) return undefined;
    const name = nameIn(host);
    if (name === undefined) return badRequest('Host: must be a name or an address, with or without a port');
    if (!this.#isOurs(name)) return unknownHost(name);
    this.#good.set(host, true);
    return undefined;
  }

  #isOurs(name: string): boolean {
    if (isIP(name) !== 0 || this.#names.has(name)) return true;
    const now = this.#deps.clock.now();
    if (now < this.#namesUntil) return false;
    this.#namesUntil = now + NAMES_MS;
    this.#names = new Set(this.#deps.names());
    return this.#names.has(name);
  }

  /**
   * Checks a whole address that a client gives where others give the path (RFC 9112, 3.2.2); it counts before Host
   * then.
   */
  #ofTarget(req: IncomingMessage): ApiError | undefined {
    const url = req.url ?? '';
    if (url.startsWith('/') || url === '*') return undefined;
    const [, authority, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
    if (authority === undefined) return badRequest('The target must be a path or an address that begins with http://');
    req.url = path?.startsWith('/') ? path : `/${path ?? ''}`;
    return this.#of(authority);
  }

  /** Checks what a proxy of ours says it was called. Nobody else is asked. */
  #ofProxy(req: IncomingMessage): ApiError | undefined {
    for (const host of forwardedHosts(req, this.#deps.trustedProxies)) {
      const refusal = this.#of(host);
      if (refusal) return refusal;
    }
    return undefined;
  }
}

/** Returns the names under which people called the proxies on the way, if those are ours. */
export const forwardedHosts = (req: IncomingMessage, trustedProxies: BlockList): readonly string[] => {
  const forwarded = req.headers['x-forwarded-host'];
  if (!forwarded || !isTrustedPeer(req, trustedProxies)) return [];
  return String(forwarded)
    .split(',')
    .map((host) => host.trim());
};

/** Says whether there are two of the header: Node.js takes the first, another reader might take the second. */
const comesTwice = (rawHeaders: readonly string[]): boolean => {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host' && ++times > 1) return true;
  }
  return false;
};

/**
 * Returns the name in lower case, without port, brackets and the dot of the root; undefined when it is no name and no
 * address.
 */
const nameIn = (host: string): string | undefined => {
  const [, address, name, port = ''] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d{0,5}))?$/i.exec(host) ?? [];
  if (Number(port) > 65_535) return undefined;
  if (address !== undefined) return isIPv6(address) ? address : undefined;
  return name?.toLowerCase().replace(/\.$/, '') || undefined;
};

const unknownHost = (name: string): ApiError =>
  new ApiError(
    421,
    `This server does not answer to the name "${name}". An administrator can add it under Server → Names (PUT /api/server/settings), or set VITRINE_NAMES; open it by its address meanwhile.`,
    { code: 'unknown_host', params: { name } },
  );
