/**
 * How far headquarters has a store's plays, and what it does with a segment: the cursor is the only judge. Plays have
 * numbers that a store gives once (they may have gaps, never doubles); a restored database goes on in another epoch.
 */

/** The store's numbers from `first` on; where the next epoch begins this one ends. */
export interface Epoch {
  /** 32 hexadecimal digits, random. */
  readonly epoch: string;
  readonly first: number;
}

/** What headquarters has of an epoch: every play up to `through`, which are chained to `head`. */
export interface Cursor {
  readonly epoch: string;
  readonly through: number;
  readonly head: string;
}

/** Numbers that a segment answers for, both included: whatever of them is not in it there is not. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

export type Judgement =
  /** All of it is there already: it was sent again because the answer was lost. */
  | { readonly take: 'nothing' }
  /** Plays before it are missing: nothing is taken, the store goes on from `from`. */
  | { readonly take: 'gap'; readonly from: number }
  /** The plays from this number on are new. */
  | { readonly take: 'from'; readonly from: number };

/** @param through the cursor: the last number that is there; one less than the first where nothing is */
export const judge = (through: number, { first, last }: Stretch): Judgement => {
  if (last <= through) return { take: 'nothing' };
  if (first > through + 1) return { take: 'gap', from: through + 1 };
  return { take: 'from', from: through + 1 };
};

/**
 * The last number of each epoch, one less than its first where it has none: an epoch ends before the first of any later
 * one, whichever that is, for a store may part from before what it had begun last.
 * @param epochs of one database, oldest first
 * @param newest number of a play that was given
 */
export const lastsOf = (epochs: readonly Epoch[], newest: number): number[] => {
  let end = newest;
  return epochs
    .toReversed()
    .map(({ first }) => {
      const last = Math.max(first - 1, end);
      end = Math.min(end, first - 1);
      return last;
    })
    .toReversed();
};

/**
 * Where a store goes on: the oldest epoch of which headquarters has not all, and the first number it lacks.
 * @param epochs of the store, oldest first
 * @param newest number of a play that the store has given
 * @returns undefined where headquarters has everything
 */
export const goOn = (
  epochs: readonly Epoch[],
  newest: number,
  cursors: readonly Cursor[],
): { readonly epoch: string; readonly first: number; readonly through: number } | undefined => {
  const lasts = lastsOf(epochs, newest);
  for (const [i, { epoch, first }] of epochs.entries()) {
    const last = lasts[i]!;
    const through = Math.max(first - 1, cursors.find((cursor) => cursor.epoch === epoch)?.through ?? 0);
    if (through < last) return { epoch, first: through + 1, through: last };
  }
  return undefined;
};

/** How many numbers headquarters lacks; an upper bound of the plays, since not every number is one of this workspace. */
export const waiting = (epochs: readonly Epoch[], newest: number, cursors: readonly Cursor[]): number => {
  const lasts = lastsOf(epochs, newest);
  return epochs.reduce((sum, { epoch, first }, i) => {
    const through = Math.max(first - 1, cursors.find((cursor) => cursor.epoch === epoch)?.through ?? 0);
    return sum + Math.max(0, lasts[i]! - through);
  }, 0);
};
