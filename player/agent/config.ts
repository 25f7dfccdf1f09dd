/** Reads the configuration once at the start. Flags override VITRINE_ variables, and variables override defaults. */
import { homedir, hostname } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readValues } from '../../shared/desktop/install-values.ts';
import { originOf } from '../../shared/desktop/server-address.ts';

export interface PlayerConfig {
  /** Origin of the server; null: the player searches for a server on the LAN. */
  readonly server: string | null;
  /** Code that is required to claim the player; absent: the screen shows a code. */
  readonly code?: string;
  readonly data: string;
  readonly window: boolean;
  readonly headless: boolean;
  readonly name: string;
  readonly browserFlags: readonly string[];
  /** Maximum total size of asset files in bytes. */
  readonly quotaBytes: number;
}

export class WrongUse extends Error {
  readonly code = 'WRONG_USE';
}

export const HELP = `Vitrine player: shows what the server in this network plans.

  --server URL   server to use (default: found on the network)      VITRINE_SERVER
  --code CODE    what is typed in to claim it, instead of a code on it  VITRINE_CODE
  --data DIR     where the player keeps everything                  VITRINE_PLAYER_DATA
  --name NAME    what it calls itself until it is claimed           VITRINE_PLAYER_NAME
  --no-window    no browser; open the printed address yourself      VITRINE_NO_WINDOW=1
  --headless     browser without a window (for tests)               VITRINE_HEADLESS=1
  --version      print the version
  --help         print this

  VITRINE_BROWSER         browser to use (default: Chromium, Chrome or Edge)
  VITRINE_BROWSER_FLAGS   more flags for it, separated by spaces
  VITRINE_PLAYER_QUOTA    megabytes of files kept at most (default 20480)
`;

const DEFAULT_QUOTA_MB = 20_480;

/** All settings of the player, as listed in `docs/operating/configuration.md`. `HELP` has the short form. */
export const PLAYER_SETTINGS = [
  {
    variable: 'VITRINE_SERVER',
    option: '--server',
    default: 'found on the network',
    description: 'Server to use, like `http://192.168.1.10:8710`.',
  },
  {
    variable: 'VITRINE_CODE',
    option: '--code',
    default: 'the screen shows a code',
    description: 'Code that somebody types in the window to connect the screen.',
  },
  {
    variable: 'VITRINE_PLAYER_DATA',
    option: '--data',
    default: 'a folder of the user',
    description: 'Folder for program, files, journal and keys.',
  },
  {
    variable: 'VITRINE_PLAYER_NAME',
    option: '--name',
    default: 'the name of the computer',
    description: 'Name of the screen until somebody connects it.',
  },
  {
    variable: 'VITRINE_NO_WINDOW',
    option: '--no-window',
    default: '0',
    description: 'Whether the player only prints the address of its page and opens no browser.',
  },
  {
    variable: 'VITRINE_HEADLESS',
    option: '--headless',
    default: '0',
    description: 'Whether the browser has no window; for tests.',
  },
  {
    variable: 'VITRINE_BROWSER',
    option: null,
    default: 'Chromium, Chrome or Edge',
    description: 'Browser to use: a path, or a name on the `PATH`.',
  },
  {
    variable: 'VITRINE_BROWSER_FLAGS',
    option: null,
    default: 'none',
    description: 'More flags for the browser, separated by spaces.',
  },
  {
    variable: 'VITRINE_PLAYER_QUOTA',
    option: null,
    default: String(DEFAULT_QUOTA_MB),
    description: 'Most megabytes of files that the player stores.',
  },
] as const;

type Env = Readonly<Record<string, string | undefined>>;
type Asked = { readonly show: 'help' | 'version' } | { readonly config: PlayerConfig };

export function readConfig(args: readonly string[], env: Env, platform: NodeJS.Platform = process.platform): Asked {
  const values = parse(args);
  if (values.help) return { show: 'help' };
  if (values.version) return { show: 'version' };
  const server = values.server ?? env.VITRINE_SERVER;
  const { values: store, wrong } = readValues(
    { code: values.code ?? env.VITRINE_CODE },
    values.code === undefined ? 'in VITRINE_CODE' : 'on the command line',
  );
  if (wrong[0]) throw new WrongUse(wrong[0]);
  const name = (values.name ?? (env.VITRINE_PLAYER_NAME || hostname())).trim();
  if (name.length < 1 || name.length > 200) throw new WrongUse('--name must have 1 to 200 characters');
  return {
    config: {
      server: server ? originOf(server) : null,
      ...(store.code !== undefined && { code: store.code }),
      data: resolve(values.data ?? (env.VITRINE_PLAYER_DATA || defaultData(env, platform))),
      window: !(values['no-window'] ?? isOn(env.VITRINE_NO_WINDOW)),
      headless: values.headless ?? isOn(env.VITRINE_HEADLESS),
      name,
      browserFlags: (env.VITRINE_BROWSER_FLAGS ?? '').split(/\s+/).filter((flag) => flag !== ''),
      quotaBytes: quotaOf(env.VITRINE_PLAYER_QUOTA) * 1_048_576,
    },
  };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      server: { type: 'string' },
      code: { type: 'string' },
      data: { type: 'string' },
      name: { type: 'string' },
      'no-window': { type: 'boolean' },
      headless: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    } as const;
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new WrongUse(`${(error as Error).message.split('. ')[0]}. See --help.`);
  }
}

const isOn = (value: string | undefined): boolean => value !== undefined && /^(1|true|yes|on)$/i.test(value);

function quotaOf(value: string | undefined): number {
  if (!value) return DEFAULT_QUOTA_MB;
  const megabytes = Number(value);
  if (!Number.isInteger(megabytes) || megabytes < 1)
    throw new WrongUse('VITRINE_PLAYER_QUOTA must be a whole number of megabytes');
  return megabytes;
}

function defaultData(env: Env, platform: NodeJS.Platform): string {
  const name = 'Vitrine Player';
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), name);
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', name);
  const base = env.XDG_DATA_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), '.local', 'share'), name);
}
