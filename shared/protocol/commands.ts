/**
 * Commands of a server to its players. Each command is declared here once. The types of the functions that send,
 * execute and announce commands are derived from this declaration.
 */
import { z } from 'zod';

const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

interface Declaration {
  /** Schema of the command's fields. A player ignores unknown fields; the server refuses them (CommandBody). */
  readonly payload: z.ZodObject;
  /** Capability in the hello of a player that supports the command. */
  readonly capability: string;
  /** Whether a person must confirm the command before it is sent. `many`: only for more than one screen. */
  readonly asksFirst: 'never' | 'many' | 'always';
  /** Whether a person must go to the screen to undo the command. */
  readonly isGrave: boolean;
  /** A player that connects after this many milliseconds does not receive the command anymore. */
  readonly expiresAfterMs: number;
  /**
   * Whether the command ends the player's process. If a player finds at its start that it had begun such a command, it
   * reports the command as done.
   */
  readonly endsPlayer: boolean;
}

const NOTHING = z.object({});
const COMMON = {
  payload: NOTHING,
  asksFirst: 'always',
  isGrave: false,
  expiresAfterMs: 60 * SECOND,
  endsPlayer: false,
} as const;
const WebAddress = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .max(2000, 'must be at most 2000 characters');

export const COMMANDS = {
  screen_on: { ...COMMON, capability: 'screen', asksFirst: 'never' },
  screen_off: { ...COMMON, capability: 'screen', asksFirst: 'many' },
  /** Shows a web page; without an address, shows the program again. */
  launch: { ...COMMON, payload: z.object({ url: WebAddress.optional() }), capability: 'launch' },
  /** Installs a version. Without a version: the newest version that the server offers. */
  update: {
    ...COMMON,
    payload: z.object({
      version: z.string().min(1, 'must not be empty').max(100, 'must be at most 100 characters').optional(),
    }),
    capability: 'update',
    expiresAfterMs: DAY,
  },
  reboot: { ...COMMON, capability: 'reboot', endsPlayer: true },
  shutdown: { ...COMMON, capability: 'shutdown', isGrave: true, endsPlayer: true },
} as const satisfies Record<string, Declaration>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as [CommandName, ...CommandName[]];
export type CommandPayload<K extends CommandName> = z.infer<(typeof COMMANDS)[K]['payload']>;
/** Functions that execute commands, one for each command. */
export type CommandFunctions<R> = { readonly [K in CommandName]: (payload: CommandPayload<K>) => R };

/** Returns whether the name is a known command. False for a command of a newer server. */
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);
/** Name of a function that a player may have, for a command or for something else. */
export type Capability = (typeof COMMANDS)[CommandName]['capability'] | 'screenshot' | 'audio' | 'touch' | 'identify';
