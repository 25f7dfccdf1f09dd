/**
 * Messages between the desktop shell and its child programs (server, agent), over the private channel between the two
 * processes (Node's IPC). Without a shell there is no channel and no message.
 */
import { z } from 'zod';

/** A message from the shell to its programs. */
export const ShellSays = z.discriminatedUnion('type', [
  /** The program must end in order, that is, save its data first. Windows has no signal for this. */
  z.object({ type: z.literal('stop') }),
  /** To the agent, every few seconds. The agent answers with `alive`; otherwise the agent hangs. */
  z.object({ type: z.literal('alive') }),
  /** To the agent: the requested picture, JPEG in base64. */
  z.object({ type: z.literal('picture'), id: z.number().int(), data: z.string().nullable() }),
  /** To the agent: the state of all panels of this computer, which can only be switched together. */
  z.object({ type: z.literal('panel'), id: z.number().int(), on: z.boolean() }),
  /** To the agent: an incident of its window or of an earlier agent, to be reported to its server. */
  z.object({ type: z.literal('befell'), sentence: z.string() }),
]);
export type ShellSays = z.infer<typeof ShellSays>;

/** Messages from a program to the shell. */
export const ProgramSays = z.discriminatedUnion('type', [
  /** The server listens on its port at these addresses, the most likely address for other machines first. */
  z.object({ type: z.literal('serving'), port: z.number().int(), addresses: z.array(z.string()) }),
  /** The server reports how many of its screens are online. Sent after each change. */
  z.object({ type: z.literal('screens'), online: z.number().int(), total: z.number().int() }),
  /** The address of the agent's screen page. */
  z.object({ type: z.literal('screen'), url: z.string() }),
  /** The agent's answer to `alive`. */
  z.object({ type: z.literal('alive') }),
  /** The agent requests a picture of its window. */
  z.object({ type: z.literal('shoot'), id: z.number().int() }),
  /** The agent wants its panel to be on or off. */
  z.object({ type: z.literal('panel'), id: z.number().int(), on: z.boolean() }),
]);
export type ProgramSays = z.infer<typeof ProgramSays>;

/** Node's `process` in a program that another of our processes started. */
export interface Child {
  readonly send?: ((message: unknown, sent: () => void) => unknown) | undefined;
  readonly channel?: { unref(): void } | null | undefined;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

export interface Shell {
  send(message: ProgramSays): void;
  /**
   * Calls the listener for each message of the shell. If the shell ends, the listener gets `stop`, because no program
   * continues without its windows.
   */
  listen(listener: (message: ShellSays) => void): void;
}

/** @param program Node's `process`; undefined: not started by a shell */
export const shellOf = (program: Child): Shell | undefined => {
  if (!program.send) return undefined;
  return {
    send: (message) => program.send?.(message, () => {}),
    listen: (listener) => listenToParent(program, ShellSays, listener, () => listener({ type: 'stop' })),
  };
};

/**
 * Calls `listener` for each valid message of the parent process, and `gone` when the parent ends. The channel alone
 * does not keep the process running.
 */
export const listenToParent = <M>(
  program: Child,
  messages: z.ZodType<M>,
  listener: (message: M) => void,
  gone: () => void,
): void => {
  program.on('message', (data) => {
    const message = messages.safeParse(data);
    if (message.success) listener(message.data);
  });
  program.once('disconnect', gone);
  program.channel?.unref();
};
