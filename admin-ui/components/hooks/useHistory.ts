import { useState } from 'react';

/** Undo history of a record that is edited as a whole and saved with one button. */
type History<T> = {
  /** Earlier values, the oldest value first. */
  readonly past: readonly T[];
  readonly now: T | undefined;
  readonly future: readonly T[];
  /** ETag of the record version on which the first change is based. */
  readonly base: string | undefined;
  /**
   * Kind of the last change. Consecutive changes of one kind (a drag, repeated keys, typing in one field) are one
   * undo step.
   */
  readonly kind: string | undefined;
};

const STEPS = 200;
const nothing = <T>(): History<T> => ({ past: [], now: undefined, future: [], base: undefined, kind: undefined });

/**
 * A draft of a record that other users may change meanwhile. Without unsaved changes, the draft follows the record.
 * With unsaved changes, another user's save sets `conflict`, and this user decides. Records are compared by their JSON.
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
    /** ETag of the record version on which the changes are based. */
    base: history.base,
    ifMatch: history.now === undefined ? etag : history.base,
    conflict: dirty && history.base !== etag,
    /** @param kind if equal to the previous one, both changes are undone together */
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
    /** Makes the next change a separate undo step, whatever its kind. */
    settle: () => setHistory((was) => (was.kind === undefined ? was : { ...was, kind: undefined })),
    /** Discards all changes, so that the draft follows the stored record again. */
    forget: () => setHistory(nothing<T>()),
    /** Restores changes from an earlier visit, which were made on the version with this ETag. */
    restore: (now: T, base: string | undefined) =>
      setHistory({ past: [record], now, future: [], base, kind: undefined }),
    /** Lets the next save overwrite the other user's version. */
    keepMine: () => setHistory((was) => ({ ...was, base: etag })),
  };
};
export type Draft<T> = ReturnType<typeof useHistory<T>>;
