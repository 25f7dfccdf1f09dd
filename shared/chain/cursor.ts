/**
 * Cursor: the last play of a store that headquarters has. The cursor alone decides what happens with a segment. A store
 * gives each play number only once (gaps are possible, repetitions are not). A restored database continues in a new
 * epoch.
 */

/** An epoch: the numbers of one database of the store, from `first` up to the start of the next epoch. */
export interface Epoch {
  /** Random id of 32 hexadecimal digits. */
  readonly epoch: string;
  readonly first: number;
}

/**
 * State of headquarters for an epoch: headquarters has every play up to `through`, and their chain ends with the hash
 * `head`.
 */
export interface Cursor {
  readonly epoch: string;
  readonly through: number;
  readonly head: string;
}

/**
 * Range of play numbers that a segment covers, both ends included. A number in this range without a play in the
 * segment was never used, so headquarters does not wait for such a play.
 */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

export type Judgement =
  /** Headquarters already has all plays: the segment was sent again because the answer was lost. */
  | { readonly take: 'nothing' }
  /** Earlier plays are missing: headquarters accepts nothing, and the store continues from `from`. */
  | { readonly take: 'gap'; readonly from: number }
  /** The plays from this number on are new. */
  | { readonly take: 'from'; readonly from: number };

/** @param through cursor: the last number that headquarters has; one less than the first number if there is none */
export const judge = (through: number, { first, last }: Stretch): Judgement => {
  if (last <= through) return { take: 'nothing' };
  if (first > through + 1) return { take: 'gap', from: through + 1 };
  return { take: 'from', from: through + 1 };
};

/**
 * Returns the last number of each epoch; one less than its first number if the epoch is empty. An epoch ends before the
 * first number of every later epoch, because a store may be restored to a state before its last epoch.
 * @param epochs of one database, oldest first
 * @param newest newest play number
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
 * Returns where a store continues sending: the oldest epoch of which headquarters lacks play numbers, and the first
 * missing number.
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

/**
 * Returns how many play numbers headquarters lacks. The number of missing plays may be lower, because some play numbers
 * belong to other workspaces.
 */
export const waiting = (epochs: readonly Epoch[], newest: number, cursors: readonly Cursor[]): number => {
  const lasts = lastsOf(epochs, newest);
  return epochs.reduce((sum, { epoch, first }, i) => {
    const through = Math.max(first - 1, cursors.find((cursor) => cursor.epoch === epoch)?.through ?? 0);
    return sum + Math.max(0, lasts[i]! - through);
  }, 0);
};
