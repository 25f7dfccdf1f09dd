/** Reads the network interfaces of the machine for discovery and telemetry. */
import { createSocket } from 'node:dgram';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Returns one IPv4 address per interface, including loopback for a server on the same machine. */
export function multicastAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const found = Object.values(interfaces).flatMap(
    (addresses) => addresses?.find((each) => each.family === 'IPv4')?.address ?? [],
  );
  return [...new Set(found)];
}

/**
 * Addresses that are reserved for documentation (RFC 5737, 3849). No machine has such an address, so the route to it is
 * the default route.
 */
const ELSEWHERE = ['192.0.2.1', '2001:db8::1'];

/**
 * Interfaces of containers and virtual machines are not reported. If a bridge carries this machine's own network, its
 * address is found by the route instead.
 */
const VIRTUAL =
  /^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|cali|flannel|podman|kube|vethernet|bridge|tailscale|zt|wg|tun|tap|utun)/i;

export interface Addresses {
  readonly name: string | null;
  readonly ip4: string | null;
  readonly ip6: string | null;
}

/**
 * Returns the address from which this machine reaches a host; null: there is no route. Connecting a datagram socket
 * uses the same routes as a connection and sends nothing. Node's WebSocket does not reveal its local address.
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
 * Returns the addresses at which other machines reach this machine: the address that the server sees; without a server,
 * or with a server on this machine, the address of the default route.
 */
export async function addressesTowards(
  host: string | null,
  interfaces: Interfaces = networkInterfaces(),
  towards = localAddressTowards,
): Promise<Addresses> {
  for (const there of [host, ...ELSEWHERE]) {
    const address = there === null ? null : await towards(there);
    // The route leads to this machine itself, because the server runs here. The player may have found the server at the
    // address of a container bridge.
    const isHere = address === null || address === there || isLoopback(address);
    if (isHere) continue;
    const found = addressesBeside(address, interfaces);
    if (found) return found;
    // An interface that has just come up is in use before Node lists it (libuv lists only running interfaces).
    if (there === host)
      return address.includes(':')
        ? { name: null, ip4: null, ip6: isGlobalIp6(address) ? address : null }
        : { name: null, ip4: address, ip6: null };
  }
  return firstOfItsOwn(interfaces);
}

/** Returns the address itself, and the address of the other family on the same interface. */
function addressesBeside(address: string, interfaces: Interfaces): Addresses | null {
  for (const [name, addresses] of Object.entries(interfaces)) {
    const own = addresses?.find((each) => each.address === address);
    if (addresses && own) return addressesOf(name, [own, ...addresses]);
  }
  return null;
}

/**
 * A network without a default route: returns the first interface that does not belong to containers or virtual
 * machines.
 */
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

/** Returns the interface names in Linux' `/proc/net/wireless`. Its heading lines do not end in a colon. */
export const wirelessIn = (text: string): string[] =>
  [...text.matchAll(/^\s*([^\s:|]+):/gm)].map(([, name]) => name ?? '');

/** Returns whether an address is valid on other machines: neither link-local (fe80::/10) nor loopback. */
export const isGlobalIp6 = (address: string): boolean =>
  !/^fe[89ab]/i.test(address) && address !== '::1' && address !== '::';
