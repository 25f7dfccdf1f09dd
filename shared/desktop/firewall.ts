/** Ports that must be open for Vitrine. The firewall rules of all operating systems are made from this list. */

import type { Role } from './install-values.ts';
import { DEFAULT_PORT } from './server-address.ts';

export interface Opening {
  /** Name of the rule, for systems with named rules. */
  readonly name: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  /**
   * True: only Vitrine's own Node may receive on this port, on systems with such rules. False for ports of a screen: an
   * updated version runs from another folder, and Windows would show a question on the public screen.
   */
  readonly byProgram: boolean;
  readonly roles: readonly Role[];
}

export const OPENINGS: readonly Opening[] = [
  { name: 'Vitrine (HTTP)', port: DEFAULT_PORT, protocol: 'tcp', byProgram: true, roles: ['server', 'both'] },
  { name: 'Vitrine (HTTPS)', port: DEFAULT_PORT + 1, protocol: 'tcp', byProgram: true, roles: ['server', 'both'] },
  // The server answers every search for servers. Screens receive the answers, which are sent to all machines of the
  // network.
  { name: 'Vitrine (mDNS)', port: 5353, protocol: 'udp', byProgram: false, roles: ['server', 'player', 'both'] },
];

export const openingsOf = (role: Role): readonly Opening[] => OPENINGS.filter(({ roles }) => roles.includes(role));

/**
 * Arguments of `netsh` that delete a rule. A new rule does not replace a rule of the same name, so the old rule is
 * deleted first.
 */
export const netshDelete = ({ name }: Opening): readonly string[] => [
  ...'advfirewall firewall delete rule'.split(' '),
  `name=${name}`,
];
/**
 * Arguments of `netsh` that add a rule. The rule does not cover public networks; a person must set a back office that
 * Windows treats as public to private.
 */
export const netshAdd = ({ name, port, protocol, byProgram }: Opening, program: string): readonly string[] => [
  ...'advfirewall firewall add rule'.split(' '),
  `name=${name}`,
  'dir=in',
  'action=allow',
  'profile=private,domain',
  `protocol=${protocol.toUpperCase()}`,
  `localport=${port}`,
  ...(byProgram ? [`program=${program}`] : []),
];

export const UFW_PROFILE = 'Vitrine';
/** Returns the application profile for the folder /etc/ufw/applications.d. */
export const ufwProfile = (role: Role): string => {
  const of = (protocol: string) => openingsOf(role).filter((each) => each.protocol === protocol);
  const ports = ['tcp', 'udp'].flatMap((protocol) =>
    of(protocol).length > 0 ? [`${of(protocol).map(({ port }) => port)}/${protocol}`] : [],
  );
  return `[${UFW_PROFILE}]\ntitle=Vitrine\ndescription=Digital signage for this network\nports=${ports.join('|')}\n`;
};

export const FIREWALLD_SERVICE = 'vitrine';
/** Returns the service file vitrine.xml for firewalld. */
export const firewalldService = (role: Role): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<service>\n  <short>Vitrine</short>\n  <description>Digital signage for this network</description>\n${openingsOf(
    role,
  )
    .map(({ port, protocol }) => `  <port protocol="${protocol}" port="${port}"/>\n`)
    .join('')}</service>\n`;
