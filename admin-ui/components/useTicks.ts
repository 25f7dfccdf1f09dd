import { useState } from 'react';

/** The same set with or without one. */
export const ticked = (chosen: ReadonlySet<string>, id: string, on: boolean): ReadonlySet<string> => {
  const next = new Set(chosen);
  if (on) next.add(id);
  else next.delete(id);
  return next;
};

/** What is ticked of a list, to begin with nothing. */
export const useTicks = () => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return { chosen, tick: (id: string, on: boolean) => setChosen((now) => ticked(now, id, on)) };
};
