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
