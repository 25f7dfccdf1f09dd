/** Started and stopped by the composition root: constructors only remember, and `stop` mirrors `start`. */
export interface Lifecycle {
  readonly name: string;
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/**
 * Joins parts that start in order and stop all at once, so that one that must wait for somebody makes nobody else wait.
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
