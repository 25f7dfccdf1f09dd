/** Finds the installed program, which contains the launcher, and its folder of user data. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { jsonOrUndefined } from '../core/files/documents.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the path of the program with the windows.
 * @param root folder of the programs below it: `resources/vitrine`
 * (build/desktop/programs.ts)
 * @param env APPIMAGE: an AppImage is mounted at another path with each start, so its file must be started
 */
export const windowsProgramOf = (root: string, platform: NodeJS.Platform, env: Env): string => {
  const resources = join(root, '..');
  if (platform === 'win32') return join(resources, '..', 'Vitrine.exe');
  if (platform === 'darwin') return join(resources, '..', 'MacOS', 'Vitrine');
  return env['APPIMAGE'] && env['APPDIR'] && root.startsWith(env['APPDIR'])
    ? env['APPIMAGE']
    : join(resources, '..', 'vitrine');
};

/** Returns the user data folder of Electron for a program of this name. */
export const userDataOf = (platform: NodeJS.Platform, env: Env): string => {
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Vitrine');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Vitrine');
  const base = env['XDG_CONFIG_HOME'];
  return join(base && isAbsolute(base) ? base : join(homedir(), '.config'), 'Vitrine');
};

export interface LauncherArgs {
  /** Folder for updates and incidents of the program. */
  readonly updates: string | undefined;
  /** Path of a program to start in place of the installed program. */
  readonly program: string | undefined;
  readonly installedOnly: boolean;
  /** Command-line arguments for the program. */
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

/** Returns the arguments for starting the launcher. */
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
 * Returns environment variables with which the started program can start the launcher again if the launcher has
 * crashed.
 * @param command program and arguments
 */
export const launcherEnv = (command: readonly string[]): Readonly<Record<string, string>> => ({
  [LAUNCHER]: JSON.stringify(command),
});
/** @returns an empty list without a launcher */
export const launcherIn = (env: Env): readonly string[] =>
  Command.safeParse(jsonOrUndefined(env[LAUNCHER] ?? '')).data ?? [];
