/** Creates the mDNS records that announce this server (design, Discovery; RFC 6763). */
import type { ServiceRecord } from 'bonjour-service/dist/lib/service.js';

export interface Advertisement {
  readonly id: string;
  /** Fingerprint of the server's key, in hex. */
  readonly fingerprint: string;
  readonly version: string;
  readonly port: number;
  /** Port of HTTPS; null without HTTPS. */
  readonly tlsPort?: number | null;
  readonly name: string;
  readonly isSetUp: boolean;
  /** Whether another server on the network has the same name. The name of this server then gets a suffix. */
  readonly isNameTaken: boolean;
}

const TYPE = '_vitrine._tcp.local';
const SERVICES = '_services._dns-sd._udp.local';
/** Maximum length of a DNS label in bytes. */
const MOST_BYTES = 63;

/**
 * TTLs in seconds, according to RFC 6762, 10: short for addresses and ports, which may change soon, and long for other
 * records.
 */
const TTL = { host: 120, other: 4500 } as const;

const bytes = (text: string): number => Buffer.byteLength(text);

/** Returns the start of `text` that fits into `room` bytes, without cutting a character. */
const fit = (text: string, room: number): string => {
  const characters = [...text];
  while (bytes(characters.join('')) > room) characters.pop();
  return characters.join('').trim();
};

/** Returns the name of the server as shown in lists. A dot would end the DNS label, so dots are replaced. */
export const instanceName = ({ name, id, isNameTaken }: Pick<Advertisement, 'name' | 'id' | 'isNameTaken'>): string => {
  const addition = isNameTaken ? ` (${id.slice(0, 4)})` : '';
  const label = fit(name.replaceAll('.', '-').trim() || 'Vitrine', MOST_BYTES - bytes(addition));
  return `${label}${addition}`;
};

export const serviceName = (ad: Advertisement): string => `${instanceName(ad)}.${TYPE}`;

/** Returns a host name derived from the id of the server. The machine's own name may not be unique. */
export const hostName = ({ id }: Pick<Advertisement, 'id'>): string =>
  `vitrine-${id.replaceAll('-', '').slice(0, 12)}.local`;

export const txtOf = (ad: Advertisement): string[] => [
  `id=${ad.id}`,
  `ver=${ad.version}`,
  'api=/api',
  `fp=${ad.fingerprint}`,
  `setup=${ad.isSetUp ? 0 : 1}`,
  ...(ad.tlsPort ? [`tls=${ad.tlsPort}`] : []),
];

/** Returns the records for one interface, with the only address that is reachable there. */
export const recordsOf = (ad: Advertisement, address: string): ServiceRecord[] => [
  { name: TYPE, type: 'PTR', ttl: TTL.other, data: serviceName(ad) },
  { name: serviceName(ad), type: 'SRV', ttl: TTL.host, data: { port: ad.port, target: hostName(ad) } },
  { name: serviceName(ad), type: 'TXT', ttl: TTL.other, data: txtOf(ad) },
  { name: SERVICES, type: 'PTR', ttl: TTL.other, data: TYPE },
  { name: hostName(ad), type: 'A', ttl: TTL.host, data: address },
];

/**
 * Returns the goodbye message: the service's PTR record with a TTL of 0. Other records may be shared, or expire by
 * themselves.
 */
export const goodbyeOf = (ad: Advertisement): ServiceRecord[] => [
  { name: TYPE, type: 'PTR', ttl: 0, data: serviceName(ad) },
];
