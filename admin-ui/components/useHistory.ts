import { useState } from 'react';

/** What is edited as a whole, saved at once, and can be taken back step by step. */
type History<T> = {
  /** The earlier values, oldest first. */
  readonly past: readonly T[];
  readonly now: T | undefined;
  readonly future: readonly T[];
  /** The ETag of the version that the first change was made on. */
  readonly base: string | undefined;
  /** Changes of one kind (a drag, keys in a row, typing into one field) are one step. */
  readonly kind: string | undefined;
};

const STEPS = 200;
const nothing = <T>(): History<T> => ({ past: [], now: undefined, future: [], base: undefined, kind: undefined });

/**
 * A draft over a record that others may change meanwhile. While there is nothing to lose it follows them; else
 * `conflict` says so, and the person decides. Records are compared by their JSON.
 */
export const useHistory = <T>(record: T, etag: string | undefined) => {
  const [history, setHistory] = useState<History<T>>(nothing<T>);
  const value = history.now ?? record;
  const dirty = history.now !== undefined && JSON.stringify(history.now) !== JSON.stringify(record);
  return {
    value,
    dirty,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    /** The ETag of the version that the changes were made on. */
    base: history.base,
    ifMatch: history.now === undefined ? etag : history.base,
    conflict: dirty && history.base !== etag,
    /** @param kind the same as the last one's: both are undone together */
    change: (edit: (value: T) => T, kind?: string) =>
      setHistory((was) => {
        const before = was.now ?? record;
        const joined = kind !== undefined && was.kind === kind;
        return {
          past: joined ? was.past : [...was.past, before].slice(-STEPS),
          now: edit(before),
          future: [],
          base: was.now === undefined ? etag : was.base,
          kind,
        };
      }),
    undo: () =>
      setHistory((was) => {
        const before = was.past.at(-1);
        return before === undefined
          ? was
          : {
              ...was,
              past: was.past.slice(0, -1),
              now: before,
              future: [was.now ?? record, ...was.future],
              kind: undefined,
            };
      }),
    redo: () =>
      setHistory((was) => {
        const [next, ...rest] = was.future;
        return next === undefined
          ? was
          : { ...was, past: [...was.past, was.now ?? record], now: next, future: rest, kind: undefined };
      }),
    /** Makes the next change a step of its own. */
    settle: () => setHistory((was) => (was.kind === undefined ? was : { ...was, kind: undefined })),
    /** Goes back to what is stored. */
    forget: () => setHistory(nothing<T>()),
    /** Puts changes in its place that were made before, on the version of that ETag. */
    restore: (now: T, base: string | undefined) =>
      setHistory({ past: [record], now, future: [], base, kind: undefined }),
    /** Makes somebody else's version the one that saving writes over. */
    keepMine: () => setHistory((was) => ({ ...was, base: etag })),
  };
};
export type Draft<T> = ReturnType<typeof useHistory<T>>;
