/**
 * Reads the server's configuration from the command line, the environment and the defaults, in this order of
 * precedence. The values are parsed once and trusted after that.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { languages } from '../shared/contract/people/language.ts';
import { HostName } from '../shared/contract/server/server.ts';
import { appDataFolder } from './data-place.ts';

export class ConfigError extends Error {}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const PORT = 'must be a whole number from 0 to 65535';
// A blank text is refused, because it would convert to the number 0, which means any free port.
const port = z.preprocess(
  (value) => (isBlank(value) ? Number.NaN : value),
  z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT),
);
const MEGABYTES = 'must be a number of megabytes above 0, like 4096';
const list = z
  .string()
  .default('')
  .transform((s) =>
    s
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );
const onOff = z.enum(['0', '1', 'true', 'false'], 'must be 0 or 1').transform((v) => v === '1' || v === 'true');
const text = z.string().optional();

/**
 * Returns whether a text is a web address. Also accepts http:, because a sign-in provider on this machine may use
 * it. Any other provider with http: is refused when it is used.
 */
const isWebAddress = (s: string): boolean => /^https?:\/\//i.test(s) && URL.canParse(s);
const webAddress = (like: string) =>
  z.string().trim().refine(isWebAddress, `must be an address like ${like}`).optional();
/** Accepts the same addresses as nodemailer, also without slashes. */
const isMailServer = (s: string): boolean => {
  const address = s.trim().replace(/^(smtps?:)(?!\/\/)/i, '$1//');
  return /^smtps?:/i.test(address) && URL.canParse(address) && new URL(address).hostname !== '';
};
const isHub = (s: string): boolean =>
  /^tls:\/\/[^\s/@?#]{1,300}$/.test(s) && URL.canParse(s) && new URL(s).hostname !== '';
/**
 * Accepts the same addresses as `pg`. With a socket the host may be absent, as in
 * `postgres:///vitrine?host=/run/postgresql`.
 */
const isDatabase = (s: string): boolean =>
  /^postgres(ql)?:\/\/([^\s@/?#]*@)?[^\s@/?#]*\/[^\s/?#]+(\?[^\s#]*)?$/i.test(s) &&
  URL.canParse(s.replace('@/', '@socket/'));
const isAddressOrNetwork = (s: string): boolean => {
  const [address = '', bits, ...more] = s.split('/');
  if (isIP(address) === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32));
};

const addressesOf = (all: readonly string[]): BlockList => {
  const addresses = new BlockList();
  for (const one of all) {
    const [address = '', bits] = one.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) addresses.addAddress(address, family);
    else addresses.addSubnet(address, Number(bits), family);
  }
  return addresses;
};

/** Sections of `docs/operating/configuration.md`, in its order. */
export const SECTIONS = [
  'Network',
  'Data, log and updates',
  'Accounts',
  'Mail',
  'Sign-in providers',
  'Fetching from other hosts',
  'Headquarters',
  'Set by services and tests',
] as const;
type Section = (typeof SECTIONS)[number];

interface Described {
  readonly section: Section;
  /** Description of a setting in one sentence, for `docs/operating/configuration.md`. */
  readonly description: string;
  /** Describes the value that applies when the option is not set. Needed only if the schema has no default. */
  readonly otherwise?: string;
}
const about = <Type extends z.ZodType>(section: Section, schema: Type, description: string, otherwise?: string): Type =>
  schema.meta({ section, description, ...(otherwise !== undefined && { otherwise }) } satisfies Described);

const Schema = z.object({
  port: about('Network', port.default(8710), 'Port for HTTP; 0 picks a free one.'),
  https_port: about(
    'Network',
    port.optional(),
    'Port for HTTPS; 0 for none.',
    'the port after `--port`, 8711; none when that is 0',
  ),
  https: about('Network', onOff.default(true), 'Whether the server also answers over HTTPS.'),
  tls_cert: about(
    'Network',
    text,
    'File (PEM) with a certificate of your own and its chain; needs the key as well.',
    'Vitrine makes and renews one',
  ),
  tls_key: about('Network', text, 'File (PEM) with the private key of that certificate.'),
  tls_names: about('Network', list, 'More names for the certificate that Vitrine makes, separated by commas.'),
  host: about(
    'Network',
    z.string().default('0.0.0.0'),
    'Address to listen on; 0.0.0.0 is every address of the computer.',
  ),
  names: about(
    'Network',
    list.pipe(z.array(HostName)),
    'More names that the server answers to, separated by commas, besides its own and those in its settings.',
  ),
  discovery: about(
    'Network',
    onOff.default(true),
    'Whether the server announces itself by mDNS, so that screens find it.',
  ),
  trusted_proxies: about(
    'Network',
    list
      .refine(
        (all) => all.every(isAddressOrNetwork),
        'must be IP addresses or networks like 10.0.0.5, fd00::5 or 10.0.0.0/24, separated by commas',
      )
      .transform(addressesOf),
    'Addresses and networks of reverse proxies, separated by commas; their `X-Forwarded-For` is believed.',
  ),
  public_url: about(
    'Network',
    webAddress('https://signage.example.com'),
    'Address under which people reach the server, for links in mails.',
    'the host of the request',
  ),
  metrics: about(
    'Network',
    onOff.default(false),
    'Whether `/metrics` is open to the network; to the computer of the server it always is.',
  ),
  data: about(
    'Data, log and updates',
    z
      .string()
      .refine((s) => !isBlank(s), 'must be the path of a folder, like /srv/vitrine')
      .optional(),
    'Folder for database, media, keys, backups and logs.',
    'see [install](install.md#where-the-data-is)',
  ),
  max_upload_mb: about(
    'Data, log and updates',
    z.coerce.number(MEGABYTES).positive(MEGABYTES).default(4096),
    'Largest upload in megabytes.',
  ),
  log_level: about(
    'Data, log and updates',
    z.enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent').default('info'),
    'Least serious lines in the log: `debug`, `info`, `warn`, `error` or `silent`.',
  ),
  setup_code: about(
    'Accounts',
    z
      .string()
      .trim()
      .refine(
        (s) => ['0', '1'].includes(s) || s.length >= 8,
        'must be 1 (the server makes a code), or a text of at least 8 characters',
      )
      .optional(),
    'Code that the first account needs when it is made from another computer: 1 prints a new one, a text of at least 8 characters is the code.',
    'no code',
  ),
  registration: about(
    'Accounts',
    z.enum(['open', 'closed'], 'must be open or closed').default('open'),
    'Whether people may register; the setting in the window wins.',
  ),
  hosted: about(
    'Accounts',
    onOff.default(false),
    'Whether strangers share the server: accounts must verify their address, and screens connect by their code only.',
  ),
  create_org: about(
    'Accounts',
    onOff.default(true),
    'Whether a new account gets an organization of its own when the request does not say.',
  ),
  smtp_url: about(
    'Mail',
    z
      .string()
      .refine(
        isMailServer,
        'must be an address like smtp://user:password@mail.example.com:587, or one that begins with smtps://',
      )
      .optional(),
    'Mail server, like `smtp://user:password@mail.example.com:587`.',
    'the setting in the window',
  ),
  mail_from: about('Mail', text, 'Sender of mails.', 'the setting in the window'),
  language: about(
    'Mail',
    z.enum(languages, `must be one of ${languages.join(', ')}`).optional(),
    `Language of mails to people who chose none (${languages.map((code) => `\`${code}\``).join(', ')}); the setting in the window wins.`,
    'the language of the computer',
  ),
  provider_a_issuer: about(
    'Sign-in providers',
    webAddress('https://login.example.com'),
    'Issuer of an OpenID Connect provider that sends an ID token.',
    'the setting in the window',
  ),
  provider_a_client_id: about('Sign-in providers', text, 'Client id of Vitrine at that provider.'),
  provider_a_owns_addresses: about(
    'Sign-in providers',
    onOff.optional(),
    'Whether that provider gives out addresses of its own alone, so that they are believed without `email_verified`.',
    '0',
  ),
  provider_b_issuer: about(
    'Sign-in providers',
    webAddress('https://login.example.com/{tenant}/v2.0'),
    'Issuer of a provider that sends an access token for its profile address.',
    'the setting in the window',
  ),
  provider_b_client_id: about('Sign-in providers', text, 'Client id of Vitrine at that provider.'),
  provider_b_tenant_id: about('Sign-in providers', text, 'Tenant at that provider.'),
  provider_b_profile_url: about(
    'Sign-in providers',
    webAddress('https://login.example.com/me'),
    'Profile address of that provider.',
  ),
  provider_b_owns_addresses: about(
    'Sign-in providers',
    onOff.optional(),
    'Whether that provider gives out addresses of its own alone.',
    '0',
  ),
  allowed_hosts: about(
    'Fetching from other hosts',
    list,
    'Hosts of the local network that the server may fetch feeds and files from, separated by commas.',
  ),
  weather_url: about(
    'Fetching from other hosts',
    z.url({ protocol: /^https?$/, error: 'must be an address like https://weather.example.com' }).optional(),
    'Address of your own Open-Meteo; a host of the local network must be in `VITRINE_ALLOWED_HOSTS` as well.',
    'the public one',
  ),
  chain_role: about(
    'Headquarters',
    z.enum(['store', 'hq'], 'must be store or hq').default('store'),
    '`hq` makes the server the headquarters of a chain, to which other servers are enrolled.',
  ),
  nats: about(
    'Headquarters',
    z.string().trim().refine(isHub, 'must be an address like tls://hub.example.com:4222').optional(),
    'Address of a nats-server over which stores may connect as well, like `tls://127.0.0.1:4222`.',
    'HTTPS only',
  ),
  postgres: about(
    'Headquarters',
    z
      .string()
      .trim()
      .refine(isDatabase, 'must be an address like postgres://vitrine:password@db.example.com:5432/vitrine')
      .optional(),
    'PostgreSQL database for the plays of all stores; the variable hides its password from other users of the computer.',
    'the data folder',
  ),
  service_note: about(
    'Set by services and tests',
    text,
    'File in which a server that is a service writes its address; the service sets it.',
  ),
  trial_seconds: about(
    'Data, log and updates',
    z.coerce.number('must be a number of seconds above 0').positive('must be a number of seconds above 0').default(600),
    'Seconds that a new version may take until it answers; after that the version before returns.',
  ),
  check_answers: about(
    'Set by services and tests',
    onOff.default(false),
    'Whether answers are checked against their declarations; for tests.',
  ),
});

export type Config = Omit<z.output<typeof Schema>, 'data' | 'https_port' | 'https'> & {
  readonly data: string;
  /** Port of HTTPS; null without HTTPS. */
  readonly https_port: number | null;
};

export const HELP = `Vitrine server

Usage: npm start -- [options]
       node server/main.ts [options]

  --port N         port to listen on (8710; 0 picks a free one)
  --https-port N   port for HTTPS (the one after --port: 8711; 0 for none)
  --no-https       plain HTTP only; screens are told so
  --tls-cert FILE, --tls-key FILE
                   a certificate of your own (PEM) instead of the one that Vitrine makes and renews
  --host ADDRESS   address to listen on (0.0.0.0: all of this machine's)
  --data DIR       folder for database, media, keys, backups and logs
  --role hq        be the headquarters of a chain of stores: other servers are enrolled with it
  --nats ADDRESS   of headquarters: stores may come by a nats-server, too, like tls://127.0.0.1:4222; the file to start it
                   with is written into the folder for data (nats/nats.conf)
  --postgres URL   of headquarters: its stores' plays are in PostgreSQL (15 or newer) instead of the folder for data, like
                   postgres://vitrine@db.example.com/vitrine?sslmode=verify-full; a password is better in the variable, in
                   PGPASSWORD or in ~/.pgpass, since options are seen by all users of a computer
  --no-discovery   do not announce the server on the network (mDNS)
  --help           this text
  --version        the version

Each has an environment variable: VITRINE_PORT, VITRINE_HTTPS_PORT, VITRINE_HTTPS=0, VITRINE_TLS_CERT, VITRINE_TLS_KEY, VITRINE_HOST,
VITRINE_DATA, VITRINE_CHAIN_ROLE=hq, VITRINE_NATS, VITRINE_POSTGRES, VITRINE_DISCOVERY=0. More by environment:
  VITRINE_NAMES                      more names under which the server is opened, separated by commas; its own are known
  VITRINE_TLS_NAMES                  more names for the certificate, separated by commas
  VITRINE_SETUP_CODE=1               whoever makes the first account from another computer needs the code that is printed (or the one given here)
  VITRINE_REGISTRATION=open|closed   VITRINE_HOSTED=1   VITRINE_CREATE_ORG=0   VITRINE_LOG_LEVEL=debug|info|warn|error
  VITRINE_SMTP_URL, VITRINE_MAIL_FROM, VITRINE_PUBLIC_URL, VITRINE_TRUSTED_PROXIES, VITRINE_ALLOWED_HOSTS, VITRINE_MAX_UPLOAD_MB
  VITRINE_LANGUAGE=en|de              of mails to people who chose no language; otherwise the language of this computer
  VITRINE_METRICS=1 opens /metrics (Prometheus) to the network; to this computer it is open anyway
  VITRINE_TRIAL_SECONDS              how long a new version of the server may take until it answers (600); then the one before comes back
  VITRINE_WEATHER_URL
  VITRINE_PROVIDER_A_ISSUER, VITRINE_PROVIDER_A_CLIENT_ID, VITRINE_PROVIDER_B_ISSUER, VITRINE_PROVIDER_B_CLIENT_ID,
  VITRINE_PROVIDER_B_TENANT_ID, VITRINE_PROVIDER_B_PROFILE_URL
  VITRINE_PROVIDER_A_OWNS_ADDRESSES=1, VITRINE_PROVIDER_B_OWNS_ADDRESSES=1 where a provider gives out addresses of its own alone and
                                     does not say that they are verified; other addresses that are not said to be are refused
`;

const httpsPort = (given: number | undefined, port: number): number | null => {
  if (given !== undefined) return given || null;
  // Without a fixed HTTP port there is no HTTPS port: if the system chooses the HTTP port, clients could not guess the
  // HTTPS port.
  return port === 0 || port === 65_535 ? null : port + 1;
};

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve'; readonly config: Config };

/** @throws ConfigError with a sentence that names the invalid option or variable */
export const parseCommandLine = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): Command => {
  let values: {
    [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]['type'] extends 'string' ? string : boolean;
  } & {
    help?: boolean;
    version?: boolean;
  };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        ...OPTIONS,
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    }));
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('\n')[0]} Try --help.`);
  }
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const named = {
    chain_role: values.role,
    https_port: values['https-port'],
    tls_cert: values['tls-cert'],
    tls_key: values['tls-key'],
  };
  return {
    kind: 'serve',
    config: configFrom(
      {
        ...values,
        ...named,
        ...(values['no-https'] && { https: '0' }),
        ...(values['no-discovery'] && { discovery: '0' }),
      },
      env,
    ),
  };
};

/**
 * Options of the command line, without `--help` and `--version`. An option with the prefix `no-` overrides a variable
 * that turns something on.
 */
const OPTIONS = {
  port: { type: 'string' },
  'https-port': { type: 'string' },
  'no-https': { type: 'boolean' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  role: { type: 'string' },
  nats: { type: 'string' },
  postgres: { type: 'string' },
  'no-discovery': { type: 'boolean' },
} as const;

const optionOf = (key: string): string => (key === 'chain_role' ? '--role' : `--${key.replaceAll('_', '-')}`);
const variableOf = (key: string): string => `VITRINE_${key.toUpperCase()}`;

/** Returns the value of an environment variable. An empty variable counts as not set. */
const fromEnvironment = (key: string, env: NodeJS.ProcessEnv): string | undefined => {
  const name = variableOf(key);
  const value = env[name] || undefined;
  if (isBlank(value)) throw new ConfigError(`${name} is set to nothing but blanks: give it a value, or unset it.`);
  return value;
};

/**
 * Returns the configuration. The settings have the names of the variables, without `VITRINE_` and in lower case.
 * `given` takes precedence.
 * @throws ConfigError
 */
export const configFrom = (given: Record<string, unknown>, env: NodeJS.ProcessEnv = process.env): Config => {
  const raw: Record<string, unknown> = {};
  for (const key of Object.keys(Schema.shape)) raw[key] = given[key] ?? fromEnvironment(key, env);
  /**
   * Returns how the person has set a setting: by variable or by option. A setting that is not set is named by its
   * option.
   */
  const namer = (key: string) => (given[key] === undefined && raw[key] !== undefined ? variableOf : optionOf);
  const named = (key: string) => namer(key)(key);
  const parsed = Schema.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new ConfigError(`${named(String(issue.path[0]))} ${issue.message}.`);
  }
  for (const which of ['a', 'b'] as const) {
    const owns = `provider_${which}_owns_addresses` as const;
    const isOfEnvironment = parsed.data[`provider_${which}_issuer`] ?? parsed.data[`provider_${which}_client_id`];
    if (parsed.data[owns] !== undefined && isOfEnvironment === undefined)
      throw new ConfigError(
        `${named(owns)} belongs to ${variableOf(`provider_${which}_issuer`)}: give both, or say it in Settings, Server.`,
      );
  }
  const { https, https_port, tls_cert, tls_key, ...rest } = parsed.data;
  if (rest.nats !== undefined && rest.chain_role !== 'hq')
    throw new ConfigError(`${named('nats')} belongs to --role hq: stores are told by their headquarters.`);
  if (rest.postgres !== undefined && rest.chain_role !== 'hq')
    throw new ConfigError(`${named('postgres')} belongs to --role hq: a store’s plays are in its data folder.`);
  if ((tls_cert === undefined) !== (tls_key === undefined)) {
    const nameOf = namer(tls_cert === undefined ? 'tls_key' : 'tls_cert');
    throw new ConfigError(
      `${nameOf('tls_cert')} and ${nameOf('tls_key')} belong together: give both, or none for a certificate of Vitrine’s own.`,
    );
  }
  if (https && https_port !== undefined && https_port !== 0 && https_port === rest.port)
    throw new ConfigError(
      `${named('https_port')} must be another than ${named('port')}: one speaks HTTPS, the other HTTP.`,
    );
  return {
    ...rest,
    tls_cert,
    tls_key,
    https_port: https ? httpsPort(https_port, rest.port) : null,
    data: rest.data ?? appDataFolder('Vitrine', env),
  };
};

/** A setting as a row of `docs/operating/configuration.md`. */
export interface Setting {
  readonly section: Section;
  readonly variable: string;
  /** Name of the option; null: only a variable sets the value. */
  readonly option: string | null;
  readonly default: string;
  readonly description: string;
}

const shownDefault = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none';
};

/** Returns every setting of the server with its default. */
export const describeSettings = (): readonly Setting[] => {
  const defaults = Schema.parse({}) as Record<string, unknown>;
  return Object.entries(Schema.shape).map(([key, schema]) => {
    const { section, description, otherwise } = schema.meta() as unknown as Described;
    const options = [optionOf(key), `--no-${key}`];
    return {
      section,
      variable: variableOf(key),
      option: options.find((option) => option.slice(2) in OPTIONS) ?? null,
      default: otherwise ?? shownDefault(defaults[key]),
      description,
    };
  });
};
