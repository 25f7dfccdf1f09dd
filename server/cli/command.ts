/** What every command of `vitrine` is made of: its words, its options, how it speaks, how it ends. */
import { parseArgs } from 'node:util';
import { appDataFolder } from '../data-place.ts';
import { installedService } from '../service/service-record.ts';

/** Lists the exit codes; 3 means that something was checked and is wrong (verify, doctor). */
export const Exit = { done: 0, failed: 1, wrongUse: 2, found: 3 } as const;
export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** Says that the command line is wrong, and how. */
export class WrongUse extends Error {}
/** Says that it could not be done, why, and what to do. */
export class CommandFailed extends Error {}

export interface Arguments {
  readonly names: readonly string[];
  text(option: string): string | undefined;
  isSet(option: string): boolean;
  /** The data folder: `--data`, VITRINE_DATA, that of the service of this machine, or the system's place for it. */
  readonly data: string;
}

/** Where a command speaks: sentences for people, or one JSON value. */
export interface Speech {
  readonly json: boolean;
  /** Writes to stdout; with `--json` nothing is said before the end. */
  say(line: string): void;
}

export interface Command {
  readonly name: string;
  /** Looks like `backup [--to FILE] [--data DIR]`. */
  readonly usage: string;
  readonly summary: string;
  /** Says more for `--help`, with the options, one a line. */
  readonly help: string;
  readonly options: Readonly<Record<string, 'text' | 'flag'>>;
  /** Gives the least and the most names besides options. */
  readonly takes: readonly [number, number];
  /** Returns what `--json` prints, and how it ends. */
  run(args: Arguments, speech: Speech): Promise<{ readonly result: unknown; readonly exit?: ExitCode }>;
}

export const DATA_HELP =
  '  --data DIR   the data folder (default: VITRINE_DATA, the folder of the service, or the default folder of the system)\n  --json       print one JSON value instead of sentences\n';

/** @throws WrongUse */
export const parseArguments = (
  command: Command,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Arguments & { readonly json: boolean } => {
  const kinds: Record<string, 'text' | 'flag'> = { ...command.options, json: 'flag', data: 'text' };
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { type: kind === 'text' ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as typeof parsed;
  } catch (error) {
    throw new WrongUse(`${(error as Error).message.split('. ')[0]}. See vitrine ${command.name} --help.`);
  }
  const { values, positionals } = parsed;
  const [least, most] = command.takes;
  if (positionals.length < least || positionals.length > most) throw new WrongUse(`Usage: vitrine ${command.usage}`);
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  return {
    names: positionals,
    text,
    isSet: (name) => values[name] === true,
    json: values['json'] === true,
    data: text('data') ?? (env['VITRINE_DATA'] || (installedService()?.data ?? appDataFolder('Vitrine', env))),
  };
};

export const size = (bytes: number): string => {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  return bytes >= 1024 ** 2 ? `${(bytes / 1024 ** 2).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} kB`;
};
