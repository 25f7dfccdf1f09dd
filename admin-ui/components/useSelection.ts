import { useCallback, useRef, useState } from 'react';

export type Selection<T> = {
  /** The records as they were when they were chosen, by id. */
  readonly chosen: ReadonlyMap<string, T>;
  readonly toggle: (index: number, how: { range: boolean }) => void;
  readonly choose: (all: readonly T[]) => void;
  readonly clear: () => void;
};

/** What is chosen of a long list. `at` gives the record of a place; undefined where it is not loaded. */
export const useSelection = <T extends { readonly id: string }>(at: (index: number) => T | undefined): Selection<T> => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  const last = useRef<number>(undefined);
  const look = useRef(at);
  look.current = at;
  const toggle = useCallback((index: number, { range }: { range: boolean }) => {
    const record = look.current(index);
    if (!record) return;
    const from = range && last.current !== undefined ? last.current : index;
    last.current = index;
    setChosen((now) => {
      const next = new Map(now);
      const adding = !now.has(record.id);
      for (let i = Math.min(from, index); i <= Math.max(from, index); i++) {
        const one = look.current(i);
        if (!one) continue;
        if (adding) next.set(one.id, one);
        else next.delete(one.id);
      }
      return next;
    });
  }, []);
  const choose = useCallback((all: readonly T[]) => setChosen(new Map(all.map((one) => [one.id, one]))), []);
  const clear = useCallback(() => {
    last.current = undefined;
    setChosen(new Map());
  }, []);
  return { chosen, toggle, choose, clear };
};
