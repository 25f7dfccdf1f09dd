/** Makes what is said about this server on the network (design, Discovery; RFC 6763). */
import type { ServiceRecord } from 'bonjour-service/dist/lib/service.js';

export interface Advertisement {
  readonly id: string;
  /** That of the server's key, in hex. */
  readonly fingerprint: string;
  readonly version: string;
  readonly port: number;
  /** The port of HTTPS; null when there is none. */
  readonly tlsPort?: number | null;
  readonly name: string;
  readonly isSetUp: boolean;
  /** Says that another server of this network has the same name: ours gets an addition. */
  readonly isNameTaken: boolean;
}

const TYPE = '_vitrine._tcp.local';
const SERVICES = '_services._dns-sd._udp.local';
/** The most that a DNS label has. */
const MOST_BYTES = 63;

/** In seconds, as RFC 6762, 10 has it: addresses and ports may change soon, the rest does not. */
const TTL = { host: 120, other: 4500 } as const;

const bytes = (text: string): number => Buffer.byteLength(text);

/** Returns the start of `text` that fits, without half a character. */
const fit = (text: string, room: number): string => {
  const characters = [...text];
  while (bytes(characters.join('')) > room) characters.pop();
  return characters.join('').trim();
};

/** Returns the name as it appears in lists. A dot would end the label. */
export const instanceName = ({ name, id, isNameTaken }: Pick<Advertisement, 'name' | 'id' | 'isNameTaken'>): string => {
  const addition = isNameTaken ? ` (${id.slice(0, 4)})` : '';
  const label = fit(name.replaceAll('.', '-').trim() || 'Vitrine', MOST_BYTES - bytes(addition));
  return `${label}${addition}`;
};

export const serviceName = (ad: Advertisement): string => `${instanceName(ad)}.${TYPE}`;

/** Returns a name that is not the machine's: two machines fresh from the box may share one. */
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
 * Says "it is gone": the service's own record with no time to live. The other records may be shared, or time out
 * unasked.
 */
export const goodbyeOf = (ad: Advertisement): ServiceRecord[] => [
  { name: TYPE, type: 'PTR', ttl: 0, data: serviceName(ad) },
];
