/**
 * Finds the client's address behind reverse proxies. Each proxy appends to `X-Forwarded-For` the address from which it
 * received the request; earlier entries are claims of the client. So limits and lockouts use only entries from trusted
 * proxies, which the configuration lists. Even a program on this machine is not trusted by itself.
 */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';

/** Maximum number of entries of `X-Forwarded-For` that are read. No real chain of proxies is longer. */
const MAX_HOPS = 20;

interface Deps {
  readonly trustedProxies: BlockList;
  readonly warn: (sentence: string) => void;
}

export class ClientAddresses {
  readonly #deps: Deps;
  #warned = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns the address for limits, lockouts and the activity log: the nearest address that is not a trusted proxy. */
  of(req: IncomingMessage): string {
    const peer = peerOf(req);
    if (req.headers['x-forwarded-for'] === undefined) return peer;
    if (isIn(this.#deps.trustedProxies, peer)) return nearest(req, peer, this.#deps.trustedProxies);
    if (!this.#warned && isLoopback(peer)) {
      this.#warned = true;
      this.#deps.warn(
        'A proxy on this computer passes requests on, but is not named: all who come through it count as one. Set VITRINE_TRUSTED_PROXIES=127.0.0.1,::1 if it is yours.',
      );
    }
    return peer;
  }

  /**
   * Returns the address to show for a player (resource API, Device.ip_address): the first forwarded-for entry if the
   * peer is a trusted proxy or this machine, else the peer. This address may be forged, so no decision depends on it.
   */
  shownOf(req: IncomingMessage): string {
    const peer = peerOf(req);
    if (!isLoopback(peer) && !isIn(this.#deps.trustedProxies, peer)) return peer;
    return addressIn(String(req.headers['x-forwarded-for'] ?? '').split(',', 1)[0]!) ?? peer;
  }
}

const nearest = (req: IncomingMessage, peer: string, trustedProxies: BlockList): string => {
  const hops = String(req.headers['x-forwarded-for']).split(',');
  let address = peer;
  for (let i = hops.length - 1; i >= 0 && hops.length - i <= MAX_HOPS; i--) {
    const hop = addressIn(hops[i]!);
    // When the proxy has appended a text that is not an address, the last known address is used.
    if (hop === undefined) return address;
    address = hop;
    if (!isIn(trustedProxies, address)) return address;
  }
  return address;
};

/** Returns whether the request came from a program on this machine, without a proxy header. */
export const isFromHere = (req: IncomingMessage): boolean => isLoopback(peerOf(req)) && !isForwarded(req);

export const isTrustedPeer = (req: IncomingMessage, trustedProxies: BlockList): boolean =>
  isIn(trustedProxies, peerOf(req));

const isForwarded = ({ headers }: IncomingMessage): boolean =>
  ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].some(
    (name) => headers[name] !== undefined,
  );

const isLoopback = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));

/** Returns the address of the peer; '' for a closed socket. */
const peerOf = (req: IncomingMessage): string => plain(req.socket.remoteAddress ?? '');

const plain = (address: string): string =>
  address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;

/** Parses an entry of `X-Forwarded-For`. Some proxies add a port, and brackets around IPv6. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim();
  if (text.length > 64) return undefined;
  const [, bracketed, dotted] = /^\[([^\]]+)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text) ?? [];
  const address = plain((bracketed ?? dotted ?? text).toLowerCase());
  return isIP(address) === 0 ? undefined : address;
};

const isIn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
