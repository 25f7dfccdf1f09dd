/** Decides what a start of the desktop program does, from its command line, its installer and earlier choices. */

import type { Role } from '../../shared/desktop/install-values.ts';

/** First words of the command line (server/cli/main.ts) that make this start a command without windows. */
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

interface StartOptions {
  readonly role?: string | undefined;
  readonly displays?: string | undefined;
  /** Whether the system started the program instead of a person. The server's window is not opened then. */
  readonly atLogin: boolean;
}

/** Returns the command with its arguments, or undefined when windows are wanted. `args` excludes the program's name. */
export const commandIn = (args: readonly string[]): readonly string[] | undefined =>
  COMMANDS.has(args[0] ?? '') || args[0] === '--version' || args[0] === '--licenses' ? args : undefined;

/** Accepts `--role player` and `--role=player`; unknown options are Chromium's. */
export const readStartOptions = (args: readonly string[]): StartOptions => {
  const wordAfter = (name: string): string | undefined => {
    const at = args.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (at < 0) return undefined;
    return args[at]!.includes('=') ? args[at]!.slice(args[at]!.indexOf('=') + 1) : args[at + 1];
  };
  return { role: wordAfter('role'), displays: wordAfter('displays'), atLogin: args.includes('--at-login') };
};

/** A computer with both roles uses its first display for the person, if there is a second display. */
export const defaultDisplays = (role: Role): 'all' | 'others' => (role === 'both' ? 'others' : 'all');

/** Exit code after an unexpected error. */
export const CRASHED_CODE = 70;

/**
 * A server's windows can continue after an error, and a person sits in front of them; an unattended screen restarts.
 * @param role undefined: not known yet
 */
export const goesOnAfterError = (role: Role | undefined): boolean => role === 'server';

/**
 * Returns whether the program must be started by a launcher: it is an installed program that shows a screen, and no
 * launcher has started it.
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
 * Returns whether a quit without notice counts as wanted by a person. It does on a computer with a tray icon. A screen
 * has no way to quit, so a signal or the system was the cause, and the screen restarts.
 */
export const isWantedQuit = (role: Role): boolean => role !== 'player';

/**
 * Only a computer that is just a screen installs new versions by itself, because a server's database cannot be
 * downgraded.
 */
export const installsUpdates = (role: Role): boolean => role === 'player';
