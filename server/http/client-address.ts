import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';

const LOOPBACK = new Set(['127.0.0.1', '::1']);

const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);

/**
 * The client's address (resource API, Device.ip_address): the first forwarded-for entry when the peer is a reverse proxy
 * (this machine, or one named in the configuration), else the socket's peer. Anybody else's header is a claim, not an address.
 */
export const clientAddress = (req: IncomingMessage, trustedProxies: BlockList): string => {
  const peer = plain(req.socket.remoteAddress ?? '');
  if (!LOOPBACK.has(peer) && !isIn(trustedProxies, peer)) return peer;
  const forwarded =
    String(req.headers['x-forwarded-for'] ?? '')
      .split(',')[0]
      ?.trim() ?? '';
  return /^[0-9a-fA-F.:]{3,45}$/.test(forwarded) ? plain(forwarded) : peer;
};

/** A socket that is gone already has no address. */
const isIn = (list: BlockList, address: string): boolean => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
