/** The machine's network interfaces, as discovery and telemetry need them. */
import { createSocket } from 'node:dgram';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** One IPv4 address for each interface that has one, and loopback for a server on this very machine. */
export function multicastAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const found = Object.values(interfaces).flatMap((addresses) => addresses?.find((each) => each.family === 'IPv4')?.address ?? []);
  return [...new Set(found)];
}

/** The address from which this machine reaches a host: connecting a datagram socket asks the routes and sends nothing. */
export function localAddressTowards(host: string): Promise<string | null> {
  const family = host.includes(':') ? 'udp6' : 'udp4';
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

/** The IPv4 and IPv6 address of the interface that has this address; for a server on this very machine, of the first that leads out. */
export function addressesBeside(address: string | null, interfaces: Interfaces = networkInterfaces()): { name: string | null; ip4: string | null; ip6: string | null } {
  const loopback = address === '::1' || address?.startsWith('127.');
  for (const [name, addresses] of Object.entries(interfaces)) {
    if (!addresses?.some((each) => (loopback ? !each.internal : each.address === address))) continue;
    const ip4 = addresses.find((each) => each.family === 'IPv4')?.address ?? null;
    const ip6 = addresses.find((each) => each.family === 'IPv6' && isGlobalIp6(each.address))?.address ?? null;
    return { name, ip4, ip6 };
  }
  return { name: null, ip4: null, ip6: null };
}

/** Neither link-local (fe80::/10) nor loopback: an address that means something on another machine. */
export const isGlobalIp6 = (address: string): boolean => !/^fe[89ab]/i.test(address) && address !== '::1' && address !== '::';
