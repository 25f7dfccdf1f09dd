/**
 * Messages between a screen's launcher and the program with the windows that it started (Node's IPC). The launcher has
 * the installed version, and the other program may have any later version. Therefore existing messages must not change;
 * new messages may be added.
 */
import { z } from 'zod';
import { type Child, listenToParent } from '../shell.ts';

export const ALIVE_EVERY_MS = 5_000;

/** An option that a version may request for its next starts. Only options are allowed, never files or addresses. */
const Option = z
  .string()
  .regex(/^--[a-z][a-z0-9-]*(=[^\0]*)?$/)
  .max(200);

/**
 * Messages from the program with the windows. A program that ends without `ending` has crashed, whatever its exit code.
 */
export const WindowsSay = z.union([
  /** Sign of life: the event loop runs and the windows answer. Sent every {@link ALIVE_EVERY_MS}. */
  z.object({ type: z.literal('alive') }),
  /**
   * The program will end. `quit`: a person closed the program. `update`: another version is ready. `busy`: another
   * program has the screen, which is no fault of this program.
   */
  z.object({ type: z.literal('ending'), how: z.enum(['quit', 'update', 'busy']) }),
  /** Requests a restart, from now on with the given options. */
  z.object({ type: z.literal('ending'), how: z.literal('again'), args: z.array(Option).max(8) }),
]);
export type WindowsSay = z.infer<typeof WindowsSay>;

export const LauncherSays = z.object({ type: z.literal('stop') });
export type LauncherSays = z.infer<typeof LauncherSays>;

export interface LauncherLink {
  /**
   * Sends a message. Resolves once the message is sent, or cannot be sent. A program that ends must wait for this, or
   * the message is lost.
   */
  send(message: WindowsSay): Promise<void>;
  /** `stop`: the program must end. `gone`: the launcher has ended, so nothing watches the program. */
  listen(listeners: { readonly stop: () => void; readonly gone: () => void }): void;
}

/** @param program Node's `process`; undefined: not started by a launcher */
export const launcherOf = (program: Child): LauncherLink | undefined => {
  if (!program.send) return undefined;
  return {
    send: (message) => new Promise((sent) => void program.send?.(message, () => sent())),
    listen: ({ stop, gone }) => listenToParent(program, LauncherSays, stop, gone),
  };
};
