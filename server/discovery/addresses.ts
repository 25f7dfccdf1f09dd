import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

const isIp4 = (info: NetworkInterfaceInfo): boolean => info.family === 'IPv4';
const isEverywhere = (host: string): boolean => ['0.0.0.0', '::', ''].includes(host);

/**
 * Returns one IPv4 address per interface, including loopback, because a player may run on the same machine.
 * @param host address on which the server listens; if this is a single address, only the address of its interface is
 * returned
 */
export const multicastAddresses = (host: string, interfaces: Interfaces = networkInterfaces()): string[] => {
  const all = Object.values(interfaces).map((infos = []) => infos.filter(isIp4).map((info) => info.address));
  if (isEverywhere(host)) return all.flatMap((addresses) => addresses.slice(0, 1));
  return all.flatMap((addresses) => addresses.filter((address) => address === host));
};

/** Returns whether an address belongs to this machine. */
export const isOwnAddress = (ip: string, interfaces: Interfaces = networkInterfaces()): boolean => {
  // A link-local IPv6 address contains the interface after `%`.
  const [address] = ip.split('%', 1);
  return Object.values(interfaces).some((infos = []) =>
    infos.some((info) => info.address === address || (info.internal && isIP(ip) === 4 && ip.startsWith('127.'))),
  );
};

/**
 * Matches names of network bridges for containers and virtual machines. No devices of the store are on these bridges.
 */
const isVirtual = (name: string): boolean => /^(docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel)/.test(name);
/** Matches an address that the machine assigned to itself because no DHCP server answered. */
const isMakeshift = (address: string): boolean => address.startsWith('169.254.');

/**
 * Returns the addresses under which other devices reach this machine, the likeliest first.
 * @param host address on which the server listens
 */
export const lanAddresses = (host = '0.0.0.0', interfaces: Interfaces = networkInterfaces()): string[] => {
  const found = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos
      .filter((info) => isIp4(info) && !info.internal && (isEverywhere(host) || info.address === host))
      .map(({ address }) => ({ address, rank: Number(isVirtual(name)) * 2 + Number(isMakeshift(address)) })),
  );
  return found.sort((a, b) => a.rank - b.rank).map(({ address }) => address);
};
