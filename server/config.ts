/**
 * Reads the server's configuration from the command line, else the environment, else defaults. Parsed once and trusted
 * after that.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { languages } from '../shared/contract/language.ts';
import { HostName } from '../shared/contract/server.ts';
import { appDataFolder } from './data-place.ts';

export class ConfigError extends Error {}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const PORT = 'must be a whole number from 0 to 65535';
// Blank text would also convert to the number 0, which means any free port.
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

/** Also accepts http: a provider on this machine may use it; any other is refused when it is used. */
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
 * Accepts the same addresses as `pg`; with a socket the host may be missing, as in
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

const Schema = z.object({
  port: port.default(8710),
  /**
   * Port of HTTPS; 0: no HTTPS.
   * @default the port after `port`; none when the system chooses `port`
   */
  https_port: port.optional(),
  https: onOff.default(true),
  /** File (PEM) of a provided certificate with its chain; `tls_key` is its key. */
  tls_cert: text,
  tls_key: text,
  /** Additional names in the server's own certificate: private names, or names known at the first start. */
  tls_names: list,
  host: z.string().default('0.0.0.0'),
  /**
   * Additional names under which the server answers, for the case that nobody can sign in to add one in the settings.
   */
  names: list.pipe(z.array(HostName)),
  /**
   * Code that the first user must enter when registering from another machine: '1' makes the server generate and print
   * a code.
   */
  setup_code: z
    .string()
    .trim()
    .refine(
      (s) => ['0', '1'].includes(s) || s.length >= 8,
      'must be 1 (the server makes a code), or a text of at least 8 characters',
    )
    .optional(),
  data: z
    .string()
    .refine((s) => !isBlank(s), 'must be the path of a folder, like /srv/vitrine')
    .optional(),
  discovery: onOff.default(true),
  /** `store`: serves its screens. `hq`: additionally accepts other servers as its stores. */
  chain_role: z.enum(['store', 'hq'], 'must be store or hq').default('store'),
  /** For headquarters: hub (nats-server) through which stores may connect, in addition to HTTPS. */
  nats: z.string().trim().refine(isHub, 'must be an address like tls://hub.example.com:4222').optional(),
  /** For headquarters: database for the stores’ plays, in place of the data folder. May contain a password. */
  postgres: z
    .string()
    .trim()
    .refine(isDatabase, 'must be an address like postgres://vitrine:password@db.example.com:5432/vitrine')
    .optional(),
  /** Who may register if the stored setting does not say. */
  registration: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  hosted: onOff.default(false),
  create_org: onOff.default(true),
  log_level: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .default('info'),
  trusted_proxies: list
    .refine(
      (all) => all.every(isAddressOrNetwork),
      'must be IP addresses or networks like 10.0.0.5, fd00::5 or 10.0.0.0/24, separated by commas',
    )
    .transform(addressesOf),
  /** Hosts in the LAN that the server may fetch from, in addition to public ones. */
  allowed_hosts: list,
  max_upload_mb: z.coerce.number(MEGABYTES).positive(MEGABYTES).default(4096),
  /**
   * Address of a private Open-Meteo server for forecasts and places. In the LAN its host must be listed in
   * `allowed_hosts`.
   * @default the public servers
   */
  weather_url: z.url({ protocol: /^https?$/, error: 'must be an address like https://weather.example.com' }).optional(),
  smtp_url: z
    .string()
    .refine(
      isMailServer,
      'must be an address like smtp://user:password@mail.example.com:587, or one that begins with smtps://',
    )
    .optional(),
  mail_from: text,
  /**
   * Language of e-mails to people who chose none, if the stored setting does not say. @default language of the machine
   */
  language: z.enum(languages, `must be one of ${languages.join(', ')}`).optional(),
  provider_a_issuer: webAddress('https://login.example.com'),
  provider_a_client_id: text,
  /**
   * The provider issues only its own e-mail addresses, which are trusted although it does not mark them as verified.
   */
  provider_a_owns_addresses: onOff.optional(),
  provider_b_issuer: webAddress('https://login.example.com/{tenant}/v2.0'),
  provider_b_client_id: text,
  provider_b_tenant_id: text,
  provider_b_profile_url: webAddress('https://login.example.com/me'),
  provider_b_owns_addresses: onOff.optional(),
  /** Address of the server for users, for links in e-mails. @default host of the request */
  public_url: webAddress('https://signage.example.com'),
  /** Opens `/metrics` to other machines. */
  metrics: onOff.default(false),
  /** File in which a service writes its address (service/service-note.ts). */
  service_note: text,
  /** Time limit for a new version of the server to become healthy. After that the previous version returns. */
  trial_seconds: z.coerce
    .number('must be a number of seconds above 0')
    .positive('must be a number of seconds above 0')
    .default(600),
  /** For tests: answers are checked against their declarations. */
  check_answers: onOff.default(false),
});

export type Config = Omit<z.output<typeof Schema>, 'data' | 'https_port' | 'https'> & {
  readonly data: string;
  /** Null without HTTPS. */
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
  // If the system chooses the HTTP port, clients could not guess the HTTPS port.
  return port === 0 || port === 65_535 ? null : port + 1;
};

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve'; readonly config: Config };

/** @throws ConfigError with a sentence that names the invalid option or variable */
export const parseCommandLine = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): Command => {
  let values: Partial<
    Record<'port' | 'https-port' | 'tls-cert' | 'tls-key' | 'host' | 'data' | 'role' | 'nats' | 'postgres', string> &
      Record<'no-https' | 'no-discovery' | 'help' | 'version', boolean>
  >;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
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

const optionOf = (key: string): string => (key === 'chain_role' ? '--role' : `--${key.replaceAll('_', '-')}`);
const variableOf = (key: string): string => `VITRINE_${key.toUpperCase()}`;

/** Returns a variable. An empty variable counts as not set. */
const fromEnvironment = (key: string, env: NodeJS.ProcessEnv): string | undefined => {
  const name = variableOf(key);
  const value = env[name] || undefined;
  if (isBlank(value)) throw new ConfigError(`${name} is set to nothing but blanks: give it a value, or unset it.`);
  return value;
};

/**
 * Builds the configuration from settings named like the variables, without `VITRINE_` and in lower case. `given` takes
 * precedence.
 * @throws ConfigError
 */
export const configFrom = (given: Record<string, unknown>, env: NodeJS.ProcessEnv = process.env): Config => {
  const raw: Record<string, unknown> = {};
  for (const key of Object.keys(Schema.shape)) raw[key] = given[key] ?? fromEnvironment(key, env);
  /** Returns how the person has set a setting: variable or option. A setting that is not set is named by its option. */
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
