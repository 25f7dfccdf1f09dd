/** The machine's network interfaces, as discovery and telemetry need them. */
import { createSocket } from 'node:dgram';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** One IPv4 address for each interface that has one, and loopback for a server on this very machine. */
export function multicastAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const found = Object.values(interfaces).flatMap(
    (addresses) => addresses?.find((each) => each.family === 'IPv4')?.address ?? [],
  );
  return [...new Set(found)];
}

/** Documentation addresses (RFC 5737, 3849): nobody has them, so that the way there is the default route. */
const ELSEWHERE = ['192.0.2.1', '2001:db8::1'];

/**
 * What containers and virtual machines are joined by. A bridge that carries this machine's own network is found by the
 * route.
 */
const VIRTUAL =
  /^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|cali|flannel|podman|kube|vethernet|bridge|tailscale|zt|wg|tun|tap|utun)/i;

export interface Addresses {
  readonly name: string | null;
  readonly ip4: string | null;
  readonly ip6: string | null;
}

/**
 * The address from which this machine reaches a host; null: there is no way there. Connecting a datagram socket asks
 * the routes, the very ones that a connection takes, and sends nothing. Node's WebSocket does not tell its own end.
 */
export async function localAddressTowards(host: string): Promise<string | null> {
  const families = host.includes(':') ? (['udp6'] as const) : (['udp4', 'udp6'] as const);
  for (const family of families) {
    const address = await connected(family, host);
    if (address !== null) return address;
  }
  return null;
}

function connected(family: 'udp4' | 'udp6', host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(family);
    const done = (address: string | null) => {
      socket.removeAllListeners('error');
      socket.on('error', () => {});
      resolve(address);
      socket.close();
    };
    socket.on('error', () => done(null));
    socket.connect(9, host, () => done(socket.address().address));
  });
}

/**
 * How others reach this machine: as the server does; for a server on this very machine, or none, as whoever comes by
 * the default route.
 */
export async function addressesTowards(
  host: string | null,
  interfaces: Interfaces = networkInterfaces(),
  towards = localAddressTowards,
): Promise<Addresses> {
  for (const there of [host, ...ELSEWHERE]) {
    const address = there === null ? null : await towards(there);
    // From itself to itself: the server is on this very machine, perhaps found by the address of a container's bridge.
    const isHere = address === null || address === there || isLoopback(address);
    if (isHere) continue;
    const found = addressesBeside(address, interfaces);
    if (found) return found;
    // An interface that has just come up is in use before Node lists it (libuv: those that are running).
    if (there === host)
      return address.includes(':')
        ? { name: null, ip4: null, ip6: isGlobalIp6(address) ? address : null }
        : { name: null, ip4: address, ip6: null };
  }
  return firstOfItsOwn(interfaces);
}

/** The address itself, and the one of the other family on its interface. */
function addressesBeside(address: string, interfaces: Interfaces): Addresses | null {
  for (const [name, addresses] of Object.entries(interfaces)) {
    const own = addresses?.find((each) => each.address === address);
    if (addresses && own) return addressesOf(name, [own, ...addresses]);
  }
  return null;
}

/** A network without a way out of it: whatever is no container's and no virtual machine's. */
function firstOfItsOwn(interfaces: Interfaces): Addresses {
  for (const [name, addresses] of Object.entries(interfaces)) {
    if (!VIRTUAL.test(name) && addresses?.some((each) => !each.internal)) return addressesOf(name, addresses);
  }
  return { name: null, ip4: null, ip6: null };
}

const addressesOf = (name: string, addresses: readonly NetworkInterfaceInfo[]): Addresses => ({
  name,
  ip4: addresses.find((each) => each.family === 'IPv4')?.address ?? null,
  ip6: addresses.find((each) => each.family === 'IPv6' && isGlobalIp6(each.address))?.address ?? null,
});

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/** The names in Linux' `/proc/net/wireless`; its headings end in no colon. */
export const wirelessIn = (text: string): string[] =>
  [...text.matchAll(/^\s*([^\s:|]+):/gm)].map(([, name]) => name ?? '');

/** Neither link-local (fe80::/10) nor loopback: an address that means something on another machine. */
export const isGlobalIp6 = (address: string): boolean =>
  !/^fe[89ab]/i.test(address) && address !== '::1' && address !== '::';
