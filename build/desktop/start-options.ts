/**
 * What this start of the desktop program is to be: read from its command line, its installer and what was chosen
 * before.
 */

import type { Role } from '../../shared/desktop/install-values.ts';

/** Words of the command line (server/cli/main.ts) that make this start a command without windows. */
const COMMANDS = new Set([
  'serve',
  'player',
  'backup',
  'restore',
  'verify',
  'export',
  'import',
  'reset-password',
  'new-key',
  'release-key',
  'doctor',
  'install-service',
  'remove-service',
  'service',
  'move-data',
  'set-up',
  'licenses',
  'help',
]);

interface Wishes {
  readonly role?: string | undefined;
  readonly displays?: string | undefined;
  /** Started by the computer, not by a person: no window of the server yet. */
  readonly atLogin: boolean;
}

/** Arguments after the program's own name: the command with its arguments, or undefined when windows are wanted. */
export const commandIn = (args: readonly string[]): readonly string[] | undefined =>
  COMMANDS.has(args[0] ?? '') || args[0] === '--version' || args[0] === '--licenses' ? args : undefined;

/** `--role player` and `--role=player` alike; what is not known is Chromium's. */
export const wishesIn = (args: readonly string[]): Wishes => {
  const wordAfter = (name: string): string | undefined => {
    const at = args.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (at < 0) return undefined;
    return args[at]!.includes('=') ? args[at]!.slice(args[at]!.indexOf('=') + 1) : args[at + 1];
  };
  return { role: wordAfter('role'), displays: wordAfter('displays'), atLogin: args.includes('--at-login') };
};

/** One that is both keeps its first display for the person at it, where there is a second. */
export const defaultDisplays = (role: Role): 'all' | 'others' => (role === 'both' ? 'others' : 'all');

/** The exit code of a start that met what nobody had thought of. */
export const CRASHED_CODE = 70;

/**
 * A server's windows can do without what failed, and somebody sits before them; a screen that nobody watches begins
 * anew. Undefined: not known yet.
 */
export const goesOnAfterError = (role: Role | undefined): boolean => role === 'server';

/**
 * Whatever shows a screen is watched over by a launcher, if it was installed. One that is launched has its launcher.
 */
export const needsLauncher = ({
  role,
  isPackaged,
  isLaunched,
}: {
  readonly role: Role;
  readonly isPackaged: boolean;
  readonly isLaunched: boolean;
}): boolean => role !== 'server' && isPackaged && !isLaunched;

/**
 * Whether a quit that nobody has announced is what a person wants: of a computer with a tray it is. A screen has
 * nothing to quit it by, so it was a signal, or the system's doing: then it comes back.
 */
export const isWantedQuit = (role: Role): boolean => role !== 'player';

/**
 * Only a computer that is nothing but a screen takes new versions in by itself: a server's database knows no way back.
 */
export const takesUpdates = (role: Role): boolean => role === 'player';
