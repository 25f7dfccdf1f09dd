/**
 * Finds out who asks, where reverse proxies stand in between. `X-Forwarded-For` is a list to which each proxy adds, on
 * the right, whom it heard; whatever was there before is the client's own claim. So what is counted and locked out goes
 * by what our own proxies added, and ours are those that the configuration names: anything may run on this machine,
 * too.
 */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';

/** Nobody has this many proxies in a row; an endless list is cut off here. */
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

  /** Returns the address for limits, lockouts and the activity log: the nearest one that is not a proxy of ours. */
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
   * Returns the address to show for a player (resource API, Device.ip_address): the first forwarded-for entry behind a
   * reverse proxy of ours or on this machine, else the socket's peer. It may be made up, so nothing is decided by it.
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
    // The proxy that heard it added something else than an address: the last known one must do.
    if (hop === undefined) return address;
    address = hop;
    if (!isIn(trustedProxies, address)) return address;
  }
  return address;
};

/** Says whether the request came straight from a program on this machine, through no proxy that says so. */
export const isFromHere = (req: IncomingMessage): boolean => isLoopback(peerOf(req)) && !isForwarded(req);

export const isTrustedPeer = (req: IncomingMessage, trustedProxies: BlockList): boolean =>
  isIn(trustedProxies, peerOf(req));

const isForwarded = ({ headers }: IncomingMessage): boolean =>
  ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].some(
    (name) => headers[name] !== undefined,
  );

const isLoopback = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));

/** Returns '' for a socket that is gone already. */
const peerOf = (req: IncomingMessage): string => plain(req.socket.remoteAddress ?? '');

const plain = (address: string): string =>
  address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;

/** Reads an entry of the list. Some proxies add the port, and brackets to be able to. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim();
  if (text.length > 64) return undefined;
  const [, bracketed, dotted] = /^\[([^\]]+)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text) ?? [];
  const address = plain((bracketed ?? dotted ?? text).toLowerCase());
  return isIP(address) === 0 ? undefined : address;
};

const isIn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
