import { useState } from 'react';

/** Returns the set of ids with some ids added or removed. */
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

/** Hook for the ticked rows of a list; no row is ticked at first. */
export const useTicks = () => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const tick = (some: readonly { readonly id: string }[], on: boolean) => setChosen((now) => ticked(now, some, on));
  return { chosen, tick };
};
