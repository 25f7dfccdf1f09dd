/**
 * Cursor: how much of a store's plays headquarters has. The cursor alone decides what happens with a segment. A store
 * gives each play number only once (gaps are possible, repetitions are not); a restored database continues in a new
 * epoch.
 */

/** The store's numbers from `first` on, up to the start of the next epoch. */
export interface Epoch {
  /** 32 hexadecimal digits, random. */
  readonly epoch: string;
  readonly first: number;
}

/** State of headquarters for an epoch: it has every play up to `through`, chained to `head`. */
export interface Cursor {
  readonly epoch: string;
  readonly through: number;
  readonly head: string;
}

/** Range of numbers that a segment covers, both inclusive. Numbers without a play in the segment do not exist. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

export type Judgement =
  /** Headquarters already has all plays: the segment was sent again because the answer was lost. */
  | { readonly take: 'nothing' }
  /** Earlier plays are missing: nothing is taken, and the store continues from `from`. */
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
 * Returns the last number of each epoch; one less than its first number if it is empty. An epoch ends before the first
 * number of every later epoch, because a store may be restored to a state before its last epoch.
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
 * Returns where a store continues: the oldest epoch with missing numbers at headquarters, and the first missing number.
 * @param epochs of the store, oldest first
 * @param newest newest play number of the store
 * @returns undefined if headquarters has everything
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
 * Returns how many numbers headquarters lacks: an upper bound of the plays, because not every number belongs to this
 * workspace.
 */
export const waiting = (epochs: readonly Epoch[], newest: number, cursors: readonly Cursor[]): number => {
  const lasts = lastsOf(epochs, newest);
  return epochs.reduce((sum, { epoch, first }, i) => {
    const through = Math.max(first - 1, cursors.find((cursor) => cursor.epoch === epoch)?.through ?? 0);
    return sum + Math.max(0, lasts[i]! - through);
  }, 0);
};
