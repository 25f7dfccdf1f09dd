/** Settings of the whole server. */
import { z } from 'zod';
import { endpointsOf, read, session } from '../endpoint.ts';
import { Flag, FlagOut, nameOf, textOf, whole } from '../fields.ts';
import { languages } from '../people/language.ts';

const endpoint = endpointsOf('Server');

/** Name of the server in mDNS, on the pairing screen and on the sign-in page; DNS-SD instance names end at 63 bytes. */
const ServerName = nameOf(63).refine((s) => new TextEncoder().encode(s).length <= 63, 'must be at most 63 bytes');

/** Returns a host name as browsers send it; letters beyond ASCII become their ASCII form. */
const asSent = (name: string): string => {
  const url = `http://${name}/`;
  return (/[/?#@:\\*\s]/.test(name) || !URL.canParse(url) ? name : new URL(url).hostname).replace(/\.$/, '');
};
/** Host name of one server, without a pattern or a port. */
export const HostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'must be at most 253 characters each')
  .transform(asSent)
  .refine(
    (name) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/.test(name),
    'must be names like signage.example.com, without http:// and port',
  );

export const ServerSettings = z.object({
  name: z.string(),
  /** Who may register. `closed`: only invited addresses may register. */
  registration: z.enum(['open', 'closed']),
  /**
   * Additional host names of this server besides the names of the machine. Requests with any other host name are
   * refused (421).
   */
  names: z.array(z.string()),
  /** Language of mails to people who have chosen no language. */
  language: z.enum(languages),
});
export type ServerSettings = z.infer<typeof ServerSettings>;

export const getServerSettings = endpoint('GET /api/server/settings', {
  name: 'getServerSettings',
  summary: 'The server’s settings',
  access: session('platform_admin'),
  response: ServerSettings,
});
export const updateServerSettings = endpoint('PUT /api/server/settings', {
  name: 'updateServerSettings',
  summary: 'Change the server’s settings',
  description: 'Members that are absent stay as they are. What is stored here wins over the environment.',
  access: session('platform_admin'),
  body: z
    .object({
      name: ServerName,
      registration: z.enum(['open', 'closed']),
      names: z.array(HostName).max(100, 'must be at most 100'),
      language: z.enum(languages, `must be one of ${languages.join(', ')}`),
    })
    .partial(),
  response: ServerSettings,
});

export const getOrigins = endpoint('GET /api/server/origins', {
  name: 'getOrigins',
  summary: 'Addresses at which other computers reach this server',
  description:
    'The likeliest first, without a slash at the end: for links and addresses that are shown elsewhere. Empty where it listens to its own machine alone.',
  access: read,
  response: z.object({ origins: z.array(z.string()) }),
});

const line = (max: number) =>
  textOf(max)
    .trim()
    .refine((s) => !/[\r\n]/.test(s), 'must be one line');
/**
 * Address of a sign-in provider. `{tenant}` stands for the id of the tenant. Plain http is allowed only for an address
 * on this machine.
 */
const providerAddress = line(500).refine((s) => {
  if (s === '') return true;
  const address = s.replace('{tenant}', 'tenant');
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  // Everybody on the sign-in page sees the address of the provider.
  if (username || password) return false;
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}, 'must be empty or an address that begins with https://, without a user name or password');
const Host = z
  .string()
  .trim()
  .toLowerCase()
  .max(260, 'must be at most 260 characters')
  .regex(
    /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(:\d{1,5})?$/,
    'must be host names or addresses, each like nas.local or 192.168.1.5:8080',
  );

export const MailSecurity = z.enum(['tls', 'starttls', 'none']);

const connectionFields = {
  /** Address of the mail server; empty: no mails are sent. */
  mail_host: line(253).refine((s) => s === '' || /^[A-Za-z0-9_.:-]+$/.test(s), 'must be a host name or an address'),
  mail_port: whole(1, 65_535),
  /**
   * Security of the connection. `tls`: encrypted from the first byte. `starttls`: encrypted after a greeting, which the
   * server must offer. `none`: not encrypted.
   */
  mail_security: MailSecurity,
  /** User name at the mail server; empty: without sign-in. */
  mail_user: line(300),
  /** Sender of mails: `store@example.com` or `Store <store@example.com>`. */
  mail_from: line(300).refine(
    (s) => s === '' || /^[^<>@]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(s),
    'must be empty, or an address like store@example.com',
  ),
  /** A sign-in provider is on if both its issuer and its client id are set. */
  provider_a_issuer: providerAddress,
  provider_a_client_id: line(300),
  provider_b_issuer: providerAddress,
  provider_b_client_id: line(300),
  /** Tenant of a provider that has many tenants. A token of another tenant is refused. */
  provider_b_tenant_id: line(300),
  /** Address of user profiles; empty: the provider announces it. */
  provider_b_profile_url: providerAddress,
  /**
   * Hosts in the local network from which the server may fetch remote content, feeds and pictures; `host` or
   * `host:port`.
   */
  allowed_hosts: z.array(Host).max(100, 'must be at most 100'),
};
/**
 * Flags for providers that issue addresses only in domains that they control. 1: the server accepts a sign-in whose
 * address has no statement about its verification; 0: the server answers 401. If a change of the issuer or the tenant
 * does not contain the flag, the flag becomes 0.
 */
const OWNS = ['provider_a_owns_addresses', 'provider_b_owns_addresses'] as const;
const ownsFields = <T extends z.ZodType>(flag: T) =>
  Object.fromEntries(OWNS.map((name) => [name, flag])) as Record<(typeof OWNS)[number], T>;
/** Groups of settings that the environment of the machine can set. */
const Fixed = z.enum(['mail', 'mail_from', 'provider_a', 'provider_b']);
export type Fixed = z.infer<typeof Fixed>;

/** Services that the server uses, and providers for sign-in. */
export const Connections = z.object({
  ...connectionFields,
  ...ownsFields(FlagOut),
  /** 1: a password is set. Secrets can be written, but no answer contains them. */
  mail_password_set: FlagOut,
  /** Groups that are set by the environment of the machine (VITRINE_SMTP_URL, …); changing them is 409. */
  fixed: z.array(Fixed),
  /** Hosts that the environment allows in addition (VITRINE_ALLOWED_HOSTS). */
  fixed_hosts: z.array(z.string()),
});
export type Connections = z.infer<typeof Connections>;

/** Changes of the connections. Absent fields stay as they are. */
export const ConnectionsChange = z
  .object({ ...connectionFields, ...ownsFields(Flag), mail_password: textOf(300) })
  .partial();
export type ConnectionsChange = z.output<typeof ConnectionsChange>;

export const getConnections = endpoint('GET /api/server/connections', {
  name: 'getConnections',
  summary: 'Mail server, sign-in providers and hosts that the server may fetch from',
  access: session('platform_admin'),
  response: Connections,
});
export const updateConnections = endpoint('PUT /api/server/connections', {
  name: 'updateConnections',
  summary: 'Change mail server, sign-in providers and allowed hosts',
  description:
    'Used from then on, without a restart. Members that are absent stay as they are; `mail_password` is kept encrypted and never returned, and forgotten when another `mail_host` is given without it. What the environment of the machine says wins: it is in `fixed`, and changing it is 409.',
  access: session('platform_admin'),
  body: ConnectionsChange,
  response: Connections,
  errors: [409],
});

/** Result of a connection test, in a sentence. */
const Tried = z.object({ ok: z.boolean(), text: z.string() });

export const testMail = endpoint('POST /api/server/connections/test-mail', {
  name: 'testMail',
  summary: 'Send a test mail to yourself, once, and say what the mail server answered',
  access: session('platform_admin'),
  response: Tried,
  perMinute: 12,
});
export const testProvider = endpoint('POST /api/server/connections/test-provider', {
  name: 'testProvider',
  summary: 'Check a sign-in provider',
  access: session('platform_admin'),
  body: z.object({ provider: z.enum(['provider_a', 'provider_b']) }),
  response: Tried,
  perMinute: 12,
});
