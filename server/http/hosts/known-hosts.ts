/**
 * Checks the host name of each request. An attacker can point a name of theirs at this machine, and the browser then
 * treats the attacker's page and this server as the same origin (DNS rebinding). But the browser still sends the
 * attacker's name in `Host`, so unknown names are refused. Addresses cannot be abused like that, so all addresses are
 * accepted.
 */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';
import { ApiError, badRequest } from '../../../shared/contract/errors.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { recent } from '../../kernel/time/recent.ts';
import { isTrustedPeer } from './client-address.ts';

/**
 * Maximum number of cached values of `Host` that were accepted. Nearly all requests have the same value; different
 * ports cause further values.
 */
const MAX_REMEMBERED = 500;
/**
 * Cache time in milliseconds of the machine's names, which may change at run time. Requests with unknown names must not
 * query the system more often.
 */
const NAMES_MS = 10_000;

interface Deps {
  /** Returns the accepted names in lower case, without a trailing dot. */
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

  /** Clears the cache after the names have changed. */
  forget(): void {
    this.#good.clear();
    this.#names = new Set();
    this.#namesUntil = 0;
  }

  /**
   * Returns the reason to refuse the request; undefined when the request is meant for this server. An absolute target
   * (`http://host/path`) is shortened to its path, so that handlers see paths only.
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

  /** Checks an absolute request target (RFC 9112, 3.2.2), which takes precedence over Host. */
  #ofTarget(req: IncomingMessage): ApiError | undefined {
    const url = req.url ?? '';
    if (url.startsWith('/') || url === '*') return undefined;
    const [, authority, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
    if (authority === undefined) return badRequest('The target must be a path or an address that begins with http://');
    req.url = path?.startsWith('/') ? path : `/${path ?? ''}`;
    return this.#of(authority);
  }

  /** Checks the host names that a trusted proxy forwards. Other peers are ignored. */
  #ofProxy(req: IncomingMessage): ApiError | undefined {
    for (const host of forwardedHosts(req, this.#deps.trustedProxies)) {
      const refusal = this.#of(host);
      if (refusal) return refusal;
    }
    return undefined;
  }
}

/** Returns the host names that clients used to reach the proxies, if the peer is a trusted proxy. */
export const forwardedHosts = (req: IncomingMessage, trustedProxies: BlockList): readonly string[] => {
  const forwarded = req.headers['x-forwarded-host'];
  if (!forwarded || !isTrustedPeer(req, trustedProxies)) return [];
  return String(forwarded)
    .split(',')
    .map((host) => host.trim());
};

/** Returns whether the header occurs twice. Node.js uses the first value, but a proxy might use the second. */
const comesTwice = (rawHeaders: readonly string[]): boolean => {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host' && ++times > 1) return true;
  }
  return false;
};

/**
 * Returns the name in lower case, without port, brackets and trailing dot; undefined if it is neither a name nor an
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
