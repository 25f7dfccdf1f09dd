/** Common parts of all `vitrine` commands: arguments, options, output, exit codes. */
import { parseArgs } from 'node:util';
import { appDataFolder } from '../data-place.ts';
import { installedService } from '../service/service-record.ts';

/** Exit codes. A command ends with 3 when a check found a problem (verify, doctor). */
export const Exit = { done: 0, failed: 1, wrongUse: 2, found: 3 } as const;
export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** Error: the command line is wrong. The message says how. */
export class WrongUse extends Error {}
/** Error: the command failed. The message says why and what to do. */
export class CommandFailed extends Error {}

export interface Arguments {
  readonly names: readonly string[];
  text(option: string): string | undefined;
  isSet(option: string): boolean;
  /** Data folder: `--data`, VITRINE_DATA, the folder of this machine's service, or the system's default. */
  readonly data: string;
}

/** Output of a command: sentences for people, or one JSON value. */
export interface Speech {
  readonly json: boolean;
  /** Writes a line to stdout. Writes nothing with `--json`. */
  print(line: string): void;
}

export interface Command {
  readonly name: string;
  /** Usage line, for example `backup [--to FILE] [--data DIR]`. */
  readonly usage: string;
  readonly summary: string;
  /** Text for `--help`, with one option per line. */
  readonly help: string;
  readonly options: Readonly<Record<string, 'text' | 'flag'>>;
  /** Minimum and maximum number of positional arguments. */
  readonly takes: readonly [number, number];
  /** Runs the command. Returns the value for `--json`, and the exit code. */
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
