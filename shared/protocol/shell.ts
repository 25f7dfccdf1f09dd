/**
 * What the desktop shell and the programs beneath it (server, agent) say to each other, over the channel that exists
 * between the two processes and nobody else (Node's IPC). Without a shell there is none, and all of this is silent.
 */
import { z } from 'zod';

/** From the shell. */
export const ShellSays = z.discriminatedUnion('type', [
  /** End in order: Windows has no signal that could be obeyed. */
  z.object({ type: z.literal('stop') }),
  /** To the agent, every few seconds: it answers `alive`, or hangs. */
  z.object({ type: z.literal('alive') }),
  /** To the agent: the picture that it asked for, JPEG in base64. */
  z.object({ type: z.literal('picture'), id: z.number().int(), data: z.string().nullable() }),
  /** To the agent: what all panels of this computer are to be, since they can only be switched together. */
  z.object({ type: z.literal('panel'), id: z.number().int(), on: z.boolean() }),
  /** To the agent: what has befallen its window, or itself, for its server. */
  z.object({ type: z.literal('befell'), sentence: z.string() }),
]);
export type ShellSays = z.infer<typeof ShellSays>;

/** To the shell. */
export const ProgramSays = z.discriminatedUnion('type', [
  /** The server answers at its port, and at these addresses, the likeliest for others first. */
  z.object({ type: z.literal('serving'), port: z.number().int(), addresses: z.array(z.string()) }),
  /** Said by the server whenever it changes. */
  z.object({ type: z.literal('screens'), online: z.number().int(), total: z.number().int() }),
  /** The agent's page of the screen. */
  z.object({ type: z.literal('screen'), url: z.string() }),
  /** The agent's answer to `alive`. */
  z.object({ type: z.literal('alive') }),
  /** The agent asks for a picture of its window. */
  z.object({ type: z.literal('shoot'), id: z.number().int() }),
  /** The agent wants its panel to be on, or off. */
  z.object({ type: z.literal('panel'), id: z.number().int(), on: z.boolean() }),
]);
export type ProgramSays = z.infer<typeof ProgramSays>;

/** Node's `process`, as it is where another process of ours has started it. */
export interface Child {
  readonly send?: ((message: unknown, sent: () => void) => unknown) | undefined;
  readonly channel?: { unref(): void } | null | undefined;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

export interface Shell {
  say(message: ProgramSays): void;
  /** A shell that is gone, however it ended, is heard as `stop`: nothing goes on without its windows. */
  hear(listener: (message: ShellSays) => void): void;
}

/** @param program Node's `process`; undefined: no shell started it */
export const shellOf = (program: Child): Shell | undefined => {
  if (!program.send) return undefined;
  return {
    say: (message) => program.send?.(message, () => {}),
    hear: (listener) => hearParent(program, ShellSays, listener, () => listener({ type: 'stop' })),
  };
};

/** Tells of each message that is as declared, and of the end of who says them. The channel alone keeps nothing running. */
export const hearParent = <M>(
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
