/** Finds numbers of a screen's journal that are missing among its plays. Plays may come in any order. */
import { csvCell } from '../proof/csv.ts';

/**
 * A range of consecutive journal numbers, with the earliest and the latest end of its plays, in epoch milliseconds.
 * Players number plays as they end.
 */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly from_ms: number;
  readonly to_ms: number;
}

/** A range of numbers that no play has (first and last included), and the ends of the plays before and after it. */
export interface MissingNumbers {
  readonly from: number;
  readonly to: number;
  readonly after_ms: number;
  readonly before_ms: number;
}

/**
 * Maximum number of ranges in memory per screen, some hundred kilobytes. With more gaps the oldest ranges are
 * forgotten.
 */
const MAX_STRETCHES = 5_000;

export class JournalNumbers {
  /** Ranges of known numbers in ascending order, with at least one missing number between two ranges. */
  readonly #stretches: Stretch[] = [];

  add(number: number, endedMs: number): void {
    this.join({ from: number, to: number, from_ms: endedMs, to_ms: endedMs });
  }

  /** Adds a range of journal numbers, and joins it with the neighbouring ranges. */
  join(stretch: Stretch): void {
    const all = this.#stretches;
    // Searches from the end, because the numbers nearly always belong to the last range.
    let at = all.length;
    while (at > 0 && all[at - 1]!.from > stretch.from) at--;
    const before = all[at - 1];
    let whole = stretch;
    if (before && stretch.from <= before.to + 1) whole = joined(all[--at]!, stretch);
    else all.splice(at, 0, stretch);
    while (all[at + 1] && all[at + 1]!.from <= whole.to + 1) whole = joined(whole, all.splice(at + 1, 1)[0]!);
    all[at] = whole;
    if (all.length > MAX_STRETCHES) all.shift();
  }

  get stretches(): readonly Stretch[] {
    return this.#stretches;
  }

  /**
   * Returns the gaps between the known ranges. A range with higher numbers but earlier plays comes from a lost journal:
   * the screen has started again at 1, so there is no gap.
   */
  get missing(): MissingNumbers[] {
    return this.#stretches.slice(1).flatMap((after, i) => {
      const before = this.#stretches[i]!;
      if (after.from_ms < before.to_ms) return [];
      return [{ from: before.to + 1, to: after.from - 1, after_ms: before.to_ms, before_ms: after.from_ms }];
    });
  }
}

const joined = (one: Stretch, other: Stretch): Stretch => ({
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
  from_ms: Math.min(one.from_ms, other.from_ms),
  to_ms: Math.max(one.to_ms, other.to_ms),
});

export const MISSING_HEADER = 'Screen,First missing,Last missing,Plays missing,After,Before\n';

/**
 * Returns a line of CSV for each gap.
 * @param names names of the screen and, for a chain, of its store
 */
export const missingLines = (names: readonly string[], { missing }: JournalNumbers): string[] =>
  missing.map(({ from, to, after_ms, before_ms }) => {
    const times = [after_ms, before_ms].map((ms) => new Date(ms).toISOString());
    return `${[...names.map(csvCell), from, to, to - from + 1, ...times].join(',')}\n`;
  });
