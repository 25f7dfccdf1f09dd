/**
 * What a screen's launcher and the windows' program that it has started say to each other (Node's IPC). The launcher is
 * of the version that was installed, the windows may be of any later one: what is here stays, more may be added.
 */
import { z } from 'zod';
import { type Child, hearParent } from './shell.ts';

export const ALIVE_EVERY_MS = 5_000;

/** What a version may ask to be started with: options, never files or addresses. */
const Option = z
  .string()
  .regex(/^--[a-z][a-z0-9-]*(=[^\0]*)?$/)
  .max(200);

/** From the windows' program. One that ends without `ending` has crashed, whatever its exit code. */
export const WindowsSay = z.union([
  /** Its loop turns and its windows answer; said every {@link ALIVE_EVERY_MS}. */
  z.object({ type: z.literal('alive') }),
  /**
   * `quit`: a person wants it gone. `update`: another version lies ready. `busy`: another one has the screen; that is
   * no fault of this one.
   */
  z.object({ type: z.literal('ending'), how: z.enum(['quit', 'update', 'busy']) }),
  /** It is to be started again, from now on with these options too, if there are any. */
  z.object({ type: z.literal('ending'), how: z.literal('again'), args: z.array(Option).max(8) }),
]);
export type WindowsSay = z.infer<typeof WindowsSay>;

export const LauncherSays = z.object({ type: z.literal('stop') });
export type LauncherSays = z.infer<typeof LauncherSays>;

export interface LauncherLink {
  /** Resolves once it is out, or there is nobody to hear it: whoever ends waits for that. */
  say(message: WindowsSay): Promise<void>;
  /** `stop`: it is to end. `gone`: the launcher has ended, and nobody watches any more. */
  hear(listeners: { readonly stop: () => void; readonly gone: () => void }): void;
}

/** @param program Node's `process`; undefined: no launcher has started it */
export const launcherOf = (program: Child): LauncherLink | undefined => {
  if (!program.send) return undefined;
  return {
    say: (message) => new Promise((sent) => void program.send?.(message, () => sent())),
    hear: ({ stop, gone }) => hearParent(program, LauncherSays, stop, gone),
  };
};
