/**
 * For how many milliseconds one turn of the event loop lasted at most while `work` went on: of this thread's own work,
 * which no other process makes longer, and by the clock.
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
/** How long it takes to touch 16 MB that nobody has touched, in milliseconds: 4 usually, 60 on some virtual machines. */
const touchesIn = median(
  Array.from({ length: 3 }, () => {
    const before = now().worked;
    Buffer.alloc(16 * 1024 * 1024, 1);
    return now().worked - before;
  }),
);
const USUAL_TOUCH_MS = 6;
/**
 * The longest that one turn may last in milliseconds: a seventh of a second on a slow machine, and where memory costs more than usual, as
 * much more as what a turn may touch of it (64 MB) costs there.
 */
export const MOST_TURN_MS = 150 + 4 * Math.max(0, touchesIn - USUAL_TOUCH_MS);
