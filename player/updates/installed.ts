/** Where the installed program is, of which the launcher is a part, and where its user's things are. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { jsonOrUndefined } from '../core/documents.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The program with the windows. @param root folder of the programs beneath it: `resources/vitrine`
 * (build/desktop/programs.ts)
 * @param env APPIMAGE: it is mounted anew with each start, and its file is what can be started
 */
export const windowsProgramOf = (root: string, platform: NodeJS.Platform, env: Env): string => {
  const resources = join(root, '..');
  if (platform === 'win32') return join(resources, '..', 'Vitrine.exe');
  if (platform === 'darwin') return join(resources, '..', 'MacOS', 'Vitrine');
  return env['APPIMAGE'] && env['APPDIR'] && root.startsWith(env['APPDIR'])
    ? env['APPIMAGE']
    : join(resources, '..', 'vitrine');
};

/** As Electron has it for a program of this name. */
export const userDataOf = (platform: NodeJS.Platform, env: Env): string => {
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Vitrine');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Vitrine');
  const base = env['XDG_CONFIG_HOME'];
  return join(base && isAbsolute(base) ? base : join(homedir(), '.config'), 'Vitrine');
};

export interface LauncherArgs {
  /** Where updates, and what befalls the program, are kept. */
  readonly updates: string | undefined;
  /** Instead of the installed program. */
  readonly program: string | undefined;
  readonly installedOnly: boolean;
  /** For the program. */
  readonly rest: readonly string[];
}

export const launcherArgs = (args: readonly string[]): LauncherArgs => {
  const options = {
    updates: { type: 'string' },
    program: { type: 'string' },
    'installed-only': { type: 'boolean' },
  } as const;
  const { values, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const own = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && token.name in options
        ? [token.index, ...(token.value !== undefined && !token.inlineValue ? [token.index + 1] : [])]
        : [],
    ),
  );
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    updates: text(values.updates),
    program: text(values.program),
    installedOnly: values['installed-only'] === true,
    rest: args.filter((_, i) => !own.has(i)),
  };
};

/** For what starts the launcher. */
export const argsOfLauncher = ({
  updates,
  installedOnly,
  rest,
}: Omit<LauncherArgs, 'program' | 'updates'> & { updates: string }): string[] => [
  `--updates=${updates}`,
  ...(installedOnly ? ['--installed-only'] : []),
  ...rest,
];

const LAUNCHER = 'VITRINE_LAUNCHER';
const Command = z.array(z.string()).min(2);

/**
 * For what the launcher starts, so that it can start the launcher: one that has run into something, and is gone.
 * @param command program and arguments
 */
export const launcherEnv = (command: readonly string[]): Readonly<Record<string, string>> => ({
  [LAUNCHER]: JSON.stringify(command),
});
/** @returns nothing where there is none */
export const launcherIn = (env: Env): readonly string[] =>
  Command.safeParse(jsonOrUndefined(env[LAUNCHER] ?? '')).data ?? [];
