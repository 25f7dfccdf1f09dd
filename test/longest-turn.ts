/**
 * Measures the longest turn of the event loop, in milliseconds, while `work` runs: by this thread's processor time,
 * which other processes do not affect, and by the clock.
 */
export const longestTurn = async (work: Promise<unknown>): Promise<{ worked: number; lasted: number }> => {
  const turn = { worked: 0, lasted: 0 };
  let before = now();
  let over = false;
  const beat = () => {
    const { worked, lasted } = now();
    turn.worked = Math.max(turn.worked, worked - before.worked);
    turn.lasted = Math.max(turn.lasted, lasted - before.lasted);
    before = { worked, lasted };
    if (!over) setImmediate(beat);
  };
  setImmediate(beat);
  await work.finally(() => {
    over = true;
  });
  return turn;
};
const now = () => {
  const { user, system } = process.threadCpuUsage();
  return { worked: (user + system) / 1000, lasted: performance.now() };
};

export const told = ({ worked, lasted }: { worked: number; lasted: number }) =>
  `${Math.round(worked)} ms of work, ${Math.round(lasted)} ms by the clock`;

const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)]!;
/** Returns the milliseconds that writing to 16 MB of new memory takes: usually 4, on some virtual machines 60. */
const touchesIn = median(
  Array.from({ length: 3 }, () => {
    const before = now().worked;
    Buffer.alloc(16 * 1024 * 1024, 1);
    return now().worked - before;
  }),
);
const USUAL_TOUCH_MS = 6;
/**
 * Longest permitted turn of the event loop in milliseconds: 150 for a slow machine. If memory is slower than usual, the
 * limit grows by the extra time for the 64 MB that a turn may touch.
 */
export const MOST_TURN_MS = 150 + 4 * Math.max(0, touchesIn - USUAL_TOUCH_MS);
