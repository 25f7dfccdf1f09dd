/** A part that the composition root starts and stops. Its work begins with `start`; `stop` undoes `start`. */
export interface Lifecycle {
  readonly name: string;
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/**
 * Joins parts into one that starts them in order and stops all of them at once, so that a slow part does not delay the
 * others.
 */
export const together = (name: string, parts: readonly Lifecycle[]): Lifecycle => {
  let started: Lifecycle[] = [];
  const stop = async () => {
    const stopped = await Promise.allSettled(started.splice(0).map(async (part) => part.stop()));
    const failed = stopped.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  };
  return {
    name,
    start: async () => {
      started = [];
      for (const part of parts) {
        try {
          await part.start();
        } catch (error) {
          await stop();
          throw error;
        }
        started.push(part);
      }
    },
    stop,
  };
};
