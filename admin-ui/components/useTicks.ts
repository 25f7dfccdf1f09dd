import { useState } from 'react';

/** The same set with or without some. */
const ticked = (
  chosen: ReadonlySet<string>,
  some: readonly { readonly id: string }[],
  on: boolean,
): ReadonlySet<string> => {
  const next = new Set(chosen);
  for (const { id } of some) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
};

/** What is ticked of a list, to begin with nothing. */
export const useTicks = () => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const tick = (some: readonly { readonly id: string }[], on: boolean) => setChosen((now) => ticked(now, some, on));
  return { chosen, tick };
};
