import { useCallback, useRef, useState } from 'react';

export type Selection<T> = {
  /** The selected records by id, in the state in which they were selected. */
  readonly chosen: ReadonlyMap<string, T>;
  readonly toggle: (index: number, how: { range: boolean }) => void;
  readonly choose: (all: readonly T[]) => void;
  readonly clear: () => void;
};

/**
 * Selection in a long list. `at` returns the record at an index, or undefined if the record is not loaded yet;
 * `load` fetches a range of records.
 */
export const useSelection = <T extends { readonly id: string }>(
  at: (index: number) => T | undefined,
  load: (from: number, to: number) => Promise<readonly T[]>,
): Selection<T> => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  const last = useRef<number>(undefined);
  const look = useRef({ at, load });
  look.current = { at, load };
  const toggle = useCallback((index: number, { range }: { range: boolean }) => {
    const record = look.current.at(index);
    if (!record) return;
    const from = range && last.current !== undefined ? last.current : index;
    last.current = index;
    const [low, high] = [Math.min(from, index), Math.max(from, index)];
    const all = Array.from({ length: high - low + 1 }, (_, i) => look.current.at(low + i));
    const put = (records: readonly T[]) =>
      setChosen((now) => {
        const next = new Map(now);
        const adding = !now.has(record.id);
        for (const one of records) {
          if (adding) next.set(one.id, one);
          else next.delete(one.id);
        }
        return next;
      });
    const there = all.filter((one) => one !== undefined);
    if (there.length === all.length) put(there);
    else void look.current.load(low, high).then(put, () => put(there));
  }, []);
  const choose = useCallback((all: readonly T[]) => setChosen(new Map(all.map((one) => [one.id, one]))), []);
  const clear = useCallback(() => {
    last.current = undefined;
    setChosen(new Map());
  }, []);
  return { chosen, toggle, choose, clear };
};
