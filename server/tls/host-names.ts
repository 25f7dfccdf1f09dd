/** Knows under which names and addresses a browser may reach this machine. */

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

/** Returns them without addresses that this machine no longer has; the order does not matter. */
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

/** Returns also what is none of the certificate's business: the full name with `.local`, and the name listened on. */
export const ownNames = (config: NamesConfig, serverId: string, machine: string = hostname()): string[] => {
  const own = machine.toLowerCase().replace(/\.$/, '');
  return [...hostNames(config, serverId, machine), `${own}.local`, config.host.toLowerCase()];
};

/** Returns those that an authority must be allowed to vouch for by name: this machine's bare name, and public ones. */
export const namesToPermit = (names: readonly string[]): string[] =>
  names.filter((name) => !isIP(name) && !mayVouchFor({ names: [] }, name));
