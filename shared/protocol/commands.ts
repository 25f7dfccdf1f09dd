/**
 * Commands of a server to its players. Each is declared here, once; whoever sends, carries out or offers them follows
 * by type.
 */
import { z } from 'zod';

const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

interface Declaration {
  /** What it carries. A player ignores members that it does not know; the server refuses them (CommandBody). */
  readonly payload: z.ZodObject;
  /** A player that can carry it out says so in its hello. */
  readonly capability: string;
  /** Whether a person is asked before it is sent: `many` only when it goes to more than one screen. */
  readonly asksFirst: 'never' | 'many' | 'always';
  /** Somebody has to go to the screen to undo it. */
  readonly isGrave: boolean;
  /** A player that comes back after this many milliseconds does not get it any more. */
  readonly expiresAfterMs: number;
  /** The player's process ends by it: one that finds it begun when it starts has carried it out. */
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
  /** Shows a page; without one, the program again. */
  launch: { ...COMMON, payload: z.object({ url: WebAddress.optional() }), capability: 'launch' },
  /** Without a version: the newest that the server offers. */
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
/** One function for each command. */
export type CommandFunctions<R> = { readonly [K in CommandName]: (payload: CommandPayload<K>) => R };

/** False for a command of a newer server. */
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);
/** Says why a command of this player's can be offered: those of the commands, and what else it has. */
export type Capability = (typeof COMMANDS)[CommandName]['capability'] | 'screenshot' | 'audio' | 'touch' | 'identify';
