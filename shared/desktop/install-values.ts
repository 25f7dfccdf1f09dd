/**
 * Values for the installation on many computers: the role, the server, and the code that claims the screen. Installers,
 * the command line, the environment and the file that installers write all use this list.
 */
import { z } from 'zod';
import { LETTERS, plainCode } from '../protocol/pairing-code.ts';
import { originOf } from './server-address.ts';

export const ROLES = ['server', 'player', 'both'] as const;
export type Role = (typeof ROLES)[number];

export interface InstallValues {
  readonly role?: Role | undefined;
  /** For a screen: origin of its server; absent: the screen searches the network. */
  readonly server?: string | undefined;
  /** For a screen: code with which people claim the screen. It replaces the code that the screen would show. */
  readonly code?: string | undefined;
}
type Name = keyof InstallValues;

const LONGEST = 200;
const CODE = new RegExp(`^[${LETTERS}]{6,12}$`);
const isAddress = (text: string): boolean => {
  try {
    return originOf(text) !== '';
  } catch {
    return false;
  }
};

const text = z.string().trim().max(LONGEST);
/** `must`: text that follows "must be" in the error about an invalid value, for example "role must be …". */
const VALUES = {
  role: { variable: 'VITRINE_ROLE', must: 'server, player or both', schema: z.enum(ROLES) },
  server: {
    variable: 'VITRINE_SERVER',
    must: 'the address of a server, like 192.168.1.10 or http://192.168.1.10:8710',
    schema: text.refine(isAddress).transform(originOf),
  },
  code: {
    variable: 'VITRINE_CODE',
    must: `6 to 12 of the letters and digits ${LETTERS}, which do not look alike`,
    schema: text.transform(plainCode).refine((code) => CODE.test(code)),
  },
} as const;

/**
 * Values in the order of the help. A value has one name in each source: `--role`, `VITRINE_ROLE`, debconf's
 * `vitrine/role`, `role` in the file.
 */
export const INSTALL_VALUES = (['role', 'server', 'code'] as const).map((name) => {
  const { variable, must } = VALUES[name];
  return { name, variable, must };
});

export interface ReadValues {
  readonly values: InstallValues;
  /**
   * One error sentence for each invalid value, with the name of the value. The program then asks or waits for the
   * value, but never guesses it.
   */
  readonly wrong: readonly string[];
}

/** @param from name of the source in sentences: `in /etc/vitrine/install.json`, `on the command line` */
export const readValues = (given: Readonly<Record<string, unknown>>, from: string): ReadValues => {
  const values: Partial<Record<Name, unknown>> = {};
  const wrong: string[] = [];
  for (const { name, must } of INSTALL_VALUES) {
    const value = given[name];
    // Installers pass absent values as empty values.
    if (value === undefined || value === null || value === '') continue;
    const read = VALUES[name].schema.safeParse(value);
    if (read.success) values[name] = read.data;
    else wrong.push(`${name} ${from} must be ${must}, not ${JSON.stringify(value)?.slice(0, LONGEST)}.`);
  }
  return { values: values as InstallValues, wrong };
};

export const valuesInEnvironment = (env: Readonly<Record<string, string | undefined>>): ReadValues =>
  readValues(
    Object.fromEntries(INSTALL_VALUES.map(({ name, variable }) => [name, env[variable]])),
    'in the environment',
  );

/**
 * Reads the values in an installer's command line, `/S --role=player --server="…" /D=C:\…`. Other options belong to the
 * installer.
 */
export const valuesInLine = (line: string): ReadValues =>
  readValues(Object.fromEntries(INSTALL_VALUES.map(({ name }) => [name, wordIn(line, name)])), 'on the command line');
/** Returns the value of an option in any of the forms `--server=…`, `--server="…"` and `"--server=…"`. */
const wordIn = (line: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)(?:"--${name}=([^"]*)"|--${name}="([^"]*)"|--${name}=(\\S*))`, 'i')
    .exec(line)
    ?.slice(1)
    .find((word) => word !== undefined);
export const deletesData = (line: string): boolean => /(?:^|\s)--delete-data(?=\s|$)/i.test(line);

/** @param contents contents of `install.json`; undefined: the file is missing */
export const valuesInFile = (contents: string | undefined, file: string): ReadValues => {
  if (contents === undefined) return { values: {}, wrong: [] };
  let json: unknown;
  try {
    // Removes the byte order mark that editors on Windows write before the first character.
    json = JSON.parse(contents.replace(/^\uFEFF/, ''));
  } catch {
    json = undefined;
  }
  const object = z.record(z.string(), z.unknown()).safeParse(json);
  return object.success
    ? readValues(object.data, `in ${file}`)
    : { values: {}, wrong: [`${file} cannot be read: it must hold JSON like {"role": "player"}.`] };
};

/** Merges several sources: returns each value from the first source that contains it. */
export const firstSaid = (sources: readonly ReadValues[]): ReadValues => ({
  values: Object.assign({}, ...sources.toReversed().map(({ values }) => values)) as InstallValues,
  wrong: sources.flatMap(({ wrong }) => wrong),
});

export const fileOf = ({ role, server, code }: InstallValues): string =>
  `${JSON.stringify({ role, server, code }, null, 2)}\n`;

/** Returns the environment variables for started programs. A variable that is set already keeps its value. */
export const variablesOf = (values: InstallValues): Readonly<Record<string, string>> =>
  Object.fromEntries(
    INSTALL_VALUES.flatMap(({ name, variable }) =>
      name !== 'role' && values[name] !== undefined ? [[variable, values[name]]] : [],
    ),
  );

/**
 * Returns the path of the values file on the operating system.
 * @param env environment; on Windows it names the folder for such files
 */
export const installFile = (platform: string, env: Readonly<Record<string, string | undefined>>): string => {
  if (platform === 'win32') return `${env['ProgramData'] || 'C:\\ProgramData'}\\Vitrine\\install.json`;
  return platform === 'darwin' ? '/Library/Application Support/Vitrine/install.json' : '/etc/vitrine/install.json';
};
