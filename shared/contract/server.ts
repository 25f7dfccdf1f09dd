/** Settings of the whole server. */
import { z } from 'zod';
import { endpointsOf, read, session } from './endpoint.ts';
import { Flag, FlagOut, nameOf, textOf, whole } from './fields.ts';
import { languages } from './language.ts';

const endpoint = endpointsOf('Server');

/** What mDNS, the pairing screen and the sign-in page call the server; DNS-SD instance names end at 63 bytes. */
const ServerName = nameOf(63).refine((s) => new TextEncoder().encode(s).length <= 63, 'must be at most 63 bytes');

/** As browsers send it; letters beyond ASCII in their ASCII form. */
const asSent = (name: string): string => {
  const url = `http://${name}/`;
  return (/[/?#@:\\*\s]/.test(name) || !URL.canParse(url) ? name : new URL(url).hostname).replace(/\.$/, '');
};
/** One name, not a pattern, without a port. */
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
  /** Closed: only invited addresses may register. */
  registration: z.enum(['open', 'closed']),
  /** Names under which people open this server besides the machine's own; any other is refused (421). */
  names: z.array(z.string()),
  /** Of mails to people who chose none. */
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
  summary: 'Where other machines reach this server',
  description:
    'The likeliest first, without a slash at the end: for links and addresses that are shown elsewhere. Empty where it listens to its own machine alone.',
  access: read,
  response: z.object({ origins: z.array(z.string()) }),
});

const line = (max: number) =>
  textOf(max)
    .trim()
    .refine((s) => !/[\r\n]/.test(s), 'must be one line');
/** `{tenant}` in an issuer stands for the tenant's id. Plain http only leads to this machine. */
const providerAddress = line(500).refine((s) => {
  if (s === '') return true;
  const address = s.replace('{tenant}', 'tenant');
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  // It is shown to everybody who comes to sign in.
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
  /** '': no mails are sent. */
  mail_host: line(253).refine((s) => s === '' || /^[A-Za-z0-9_.:-]+$/.test(s), 'must be a host name or an address'),
  mail_port: whole(1, 65_535),
  /** Encrypted from the first byte, after a greeting (the server must offer it), or not at all. */
  mail_security: MailSecurity,
  /** '': without signing in. */
  mail_user: line(300),
  /** Of the mails: `store@example.com` or `Store <store@example.com>`. */
  mail_from: line(300).refine(
    (s) => s === '' || /^[^<>@]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(s),
    'must be empty, or an address like store@example.com',
  ),
  /** A provider is on when both its issuer and its client id are given. */
  provider_a_issuer: providerAddress,
  provider_a_client_id: line(300),
  provider_b_issuer: providerAddress,
  provider_b_client_id: line(300),
  /** When the provider has many: a token of another one is refused. */
  provider_b_tenant_id: line(300),
  /** Where a profile is; '': as the provider says itself. */
  provider_b_profile_url: providerAddress,
  /**
   * Hosts inside the network that the server may fetch remote content, feeds and pictures from; `host` or `host:port`.
   */
  allowed_hosts: z.array(Host).max(100, 'must be at most 100'),
};
/**
 * 1: the provider gives out addresses of its own alone, so that one of which it does not say whether it is verified is
 * believed; 0: such a sign-in is 401. It is 0 again when the issuer or the tenant is changed without it.
 */
const OWNS = ['provider_a_owns_addresses', 'provider_b_owns_addresses'] as const;
const ownsFields = <T extends z.ZodType>(flag: T) =>
  Object.fromEntries(OWNS.map((name) => [name, flag])) as Record<(typeof OWNS)[number], T>;
/** What the environment of the machine can decide; each is one group of members. */
const Fixed = z.enum(['mail', 'mail_from', 'provider_a', 'provider_b']);
export type Fixed = z.infer<typeof Fixed>;

/** Whom the server speaks with, and who may vouch for people. */
export const Connections = z.object({
  ...connectionFields,
  ...ownsFields(FlagOut),
  /** Secrets go in and never come out. */
  mail_password_set: FlagOut,
  /** Decided by the environment of the machine (VITRINE_SMTP_URL, …): changing them is 409. */
  fixed: z.array(Fixed),
  /** Hosts that the environment allows besides (VITRINE_ALLOWED_HOSTS). */
  fixed_hosts: z.array(z.string()),
});
export type Connections = z.infer<typeof Connections>;

/** Members that are absent stay as they are. */
export const ConnectionsChange = z
  .object({ ...connectionFields, ...ownsFields(Flag), mail_password: textOf(300) })
  .partial();
export type ConnectionsChange = z.output<typeof ConnectionsChange>;

export const getConnections = endpoint('GET /api/server/connections', {
  name: 'getConnections',
  summary: 'Mail server, identity providers and hosts that the server may fetch from',
  access: session('platform_admin'),
  response: Connections,
});
export const updateConnections = endpoint('PUT /api/server/connections', {
  name: 'updateConnections',
  summary: 'Change mail server, identity providers and allowed hosts',
  description:
    'Used from then on, without a restart. Members that are absent stay as they are; `mail_password` is kept encrypted and never returned, and forgotten when another `mail_host` is given without it. What the environment of the machine says wins: it is in `fixed`, and changing it is 409.',
  access: session('platform_admin'),
  body: ConnectionsChange,
  response: Connections,
  errors: [409],
});

/** What was tried, in a sentence. */
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
  summary: 'Ask an identity provider whether it is one',
  access: session('platform_admin'),
  body: z.object({ provider: z.enum(['provider_a', 'provider_b']) }),
  response: Tried,
  perMinute: 12,
});
