/** Finds numbers of a screen's journal that are missing among its plays. Plays may come in any order. */

/** Consecutive numbers, with the earliest and the latest end of their plays, in epoch milliseconds. Players number plays as they end. */
interface Stretch {
  from: number;
  to: number;
  from_ms: number;
  to_ms: number;
}

/** Numbers that no play has, both included, and the ends of the plays around them. */
export interface MissingNumbers {
  readonly from: number;
  readonly to: number;
  readonly after_ms: number;
  readonly before_ms: number;
}

/** Stretches of a screen in memory, some hundred kilobytes. With more gaps the oldest stretches are forgotten. */
const MAX_STRETCHES = 5_000;

export class JournalNumbers {
  /** In order, and apart by at least one number. */
  readonly #stretches: Stretch[] = [];

  add(number: number, endedMs: number): void {
    const all = this.#stretches;
    // Nearly always the last one.
    let at = all.length;
    while (at > 0 && all[at - 1]!.from > number) at--;
    const before = all[at - 1];
    const after = all[at];
    const joinsBefore = before !== undefined && number <= before.to + 1;
    const joinsAfter = after?.from === number + 1;
    if (joinsBefore) widen(before, number, endedMs);
    else if (joinsAfter) widen(after, number, endedMs);
    else all.splice(at, 0, { from: number, to: number, from_ms: endedMs, to_ms: endedMs });
    if (joinsBefore && joinsAfter && before.to + 1 === after.from) {
      widen(before, after.to, after.to_ms);
      before.from_ms = Math.min(before.from_ms, after.from_ms);
      all.splice(at, 1);
    }
    if (all.length > MAX_STRETCHES) all.shift();
  }

  /**
   * A stretch with higher numbers and earlier plays belongs to a lost journal. The screen started again at 1, so nothing
   * is missing between the two stretches.
   */
  get missing(): MissingNumbers[] {
    return this.#stretches.slice(1).flatMap((after, i) => {
      const before = this.#stretches[i]!;
      if (after.from_ms < before.to_ms) return [];
      return [{ from: before.to + 1, to: after.from - 1, after_ms: before.to_ms, before_ms: after.from_ms }];
    });
  }
}

const widen = (stretch: Stretch, number: number, endedMs: number): void => {
  stretch.from = Math.min(stretch.from, number);
  stretch.to = Math.max(stretch.to, number);
  stretch.from_ms = Math.min(stretch.from_ms, endedMs);
  stretch.to_ms = Math.max(stretch.to_ms, endedMs);
};
