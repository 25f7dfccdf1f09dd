/** Collects the names and addresses under which browsers may reach this machine. */

import { isIP, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { lanAddresses } from '../discovery/addresses.ts';
import { hostName } from '../discovery/advertisement.ts';
import { mayVouchFor } from './certificate.ts';

const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

interface NamesConfig {
  readonly host: string;
  readonly public_url?: string | undefined;
  readonly tls_names: readonly string[];
}

/** Returns current names and addresses of this machine, in no particular order. */
export const hostNames = (
  { host, public_url, tls_names }: NamesConfig,
  serverId: string,
  machine: string = hostname(),
): string[] => {
  const own = machine.toLowerCase().replace(/\.$/, '');
  const label = own.split('.')[0]!;
  const published =
    public_url && URL.canParse(public_url) ? [new URL(public_url).hostname.replace(/^\[|\]$/g, '')] : [];
  const all = [
    own,
    label,
    `${label}.local`,
    hostName({ id: serverId }),
    'localhost',
    '127.0.0.1',
    ...lanAddresses(host),
    ...(isIPv6(host) ? [host] : []),
    ...published,
    ...tls_names,
  ];
  return [...new Set(all.map((name) => name.toLowerCase()))].filter((name) => isIP(name) || NAME.test(name));
};

/**
 * Returns all names of this server, including names that are not in the certificate: the full name with `.local`,
 * and the configured host.
 */
export const ownNames = (config: NamesConfig, serverId: string, machine: string = hostname()): string[] => {
  const own = machine.toLowerCase().replace(/\.$/, '');
  return [...hostNames(config, serverId, machine), `${own}.local`, config.host.toLowerCase()];
};

/** Returns the names that an authority must explicitly permit: this machine's bare name, and public names. */
export const namesToPermit = (names: readonly string[]): string[] =>
  names.filter((name) => !isIP(name) && !mayVouchFor({ names: [] }, name));
