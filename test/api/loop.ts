/** How long the event loop was held. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as after } from 'node:timers/promises';

/** Once everything that waits for the loop now has had its turn. */
export const nextTurn = (): Promise<void> => new Promise((next) => setImmediate(next));

/** The longest time in milliseconds for which nothing else had its turn while `work` went on. */
export const longestHold = async (work: () => Promise<unknown>): Promise<number> => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await after(2);
  delay.reset();
  await work();
  await after(2);
  delay.disable();
  return delay.max / 1e6;
};
