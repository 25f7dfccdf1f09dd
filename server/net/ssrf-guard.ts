/**
 * Decides which addresses the server may fetch. An address entered by a user must never give access to the local
 * network or to the server itself. The resolved addresses are checked, at every fetch and redirect.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ApiError, badRequest } from '../../shared/contract/errors.ts';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}
/** Returns all addresses of a host name. Rejects when the name has no address. */
export type ResolveHost = (hostname: string) => Promise<readonly Address[]>;

/** Error: the server must not fetch this address, or an address that it resolves or redirects to. */
export class AddressRefused extends ApiError {
  constructor(message: string) {
    super(400, message);
  }
}

/** Error: the name cannot be resolved now, because there is no network or no such host. */
export class HostUnknown extends Error {}

/**
 * Maximum number of DNS lookups at a time. Each lookup occupies a thread of the pool that also reads and writes files,
 * and without a network a lookup takes many seconds.
 */
const LOOKUPS_AT_ONCE = 2;
const LOOKUP_MS = 5_000;

const systemResolve: ResolveHost = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, verbatim: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })));
    });
  });

export class SsrfGuard {
  readonly #allowedHosts: () => readonly string[];
  readonly #resolve: ResolveHost;
  #lookups = 0;
  readonly #queue: (() => void)[] = [];

  /**
   * @param options.allowedHosts returns names or addresses inside the network that an administrator allows; `host` or
   * `host:port`
   */
  constructor(options: { allowedHosts?: () => readonly string[]; resolve?: ResolveHost } = {}) {
    this.#allowedHosts = options.allowedHosts ?? (() => []);
    this.#resolve = options.resolve ?? systemResolve;
  }

  /**
   * Returns the parsed address if its form is allowed. Does not check the addresses that the name resolves to.
   * @throws
   * AddressRefused
   */
  parse(address: string, base?: string): URL {
    let url: URL;
    try {
      // The URL parser converts 0x7f.1, 2130706433, fullwidth digits and similar notations to normal addresses.
      url = new URL(address, base);
    } catch {
      throw badRequest('url: must be an address like https://example.com/picture.jpg');
    }
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new AddressRefused('url: must begin with http:// or https://');
    if (url.username || url.password) throw new AddressRefused('url: must not contain a user name or password');
    return url;
  }

  /**
   * Returns the addresses to connect to. The caller must not resolve the name again.
   * @throws AddressRefused when any
   * address is inside the network
   * @throws HostUnknown
   */
  async addressesOf(url: URL): Promise<readonly Address[]> {
    const host = bare(url.hostname);
    const allowed = this.#isAllowed(url);
    const literal = isIP(host);
    const found = literal ? [{ address: host, family: literal as 4 | 6 }] : await this.#lookUp(host);
    for (const { address } of found) {
      if (isPublic(address)) continue;
      // An allowed host name may resolve to private addresses. An address in any other reserved range must itself be
      // allowed.
      if (allowed && (literal || isPrivate(address))) continue;
      throw new AddressRefused(
        `url: ${literal ? host : `${host} (${address})`} is an address in your own network or a reserved address. An administrator can allow this host (Settings, Server).`,
      );
    }
    return found;
  }

  /**
   * Checks an address that a user has just entered. A name that does not resolve is accepted, because it is checked
   * again when it is fetched.
   * @throws AddressRefused
   */
  async check(address: string): Promise<URL> {
    const url = this.parse(address);
    try {
      await this.addressesOf(url);
    } catch (error) {
      if (!(error instanceof HostUnknown)) throw error;
    }
    return url;
  }

  #isAllowed(url: URL): boolean {
    const host = bare(url.hostname);
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return this.#allowedHosts().some((entry) => {
      const allowed = parseAllowed(entry.trim());
      return allowed.host === host && (allowed.port === undefined || allowed.port === port);
    });
  }

  async #lookUp(host: string): Promise<readonly Address[]> {
    while (this.#lookups >= LOOKUPS_AT_ONCE) await new Promise<void>((go) => this.#queue.push(go));
    this.#lookups++;
    const release = () => {
      this.#lookups--;
      this.#queue.shift()?.();
    };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('timed out')), LOOKUP_MS).unref();
    });
    try {
      // A lookup that timed out still occupies its thread, so its place is released only when the lookup ends.
      const answer = this.#resolve(host).finally(release);
      answer.catch(() => {});
      const found = await Promise.race([answer, late]);
      if (found.length === 0) throw new Error('no address');
      return found;
    } catch {
      throw new HostUnknown(`${host} cannot be found on the network`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Returns the host name without IPv6 brackets and trailing dot. */
const bare = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

const parseAllowed = (entry: string): { host: string; port: string | undefined } => {
  const found = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry);
  return found ? { host: bare(found[1]!), port: found[2] } : { host: bare(entry), port: undefined };
};

const GLOBAL_UNICAST_6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Returns whether an address is certainly public. Unknown ranges count as not public. */
export const isPublic = (address: string): boolean => {
  const parsed = parseIp(address);
  if (!parsed) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST_6);
};

/**
 * Returns whether an address is in a range of local networks. Link-local (cloud metadata), multicast and reserved
 * ranges are excluded.
 */
const isPrivate = (address: string): boolean =>
  ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'].includes(parseIp(address)?.range() ?? '');

/** Parses an address. IPv4 inside IPv6 (mapped, or behind NAT64) counts as the IPv4 address. */
const parseIp = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const plain = address.split('%')[0]!;
  if (!ipaddr.isValid(plain)) return undefined;
  const parsed = ipaddr.parse(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address();
  if (parsed.match(NAT64)) return new ipaddr.IPv4(parsed.toByteArray().slice(12));
  return parsed;
};
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];
