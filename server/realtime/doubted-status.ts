/**
 * Changes of status that are heard while nobody knows what time it is. They are dated once it is known (live-book):
 * those of this run of the server to the second, since how long ago they were is always known. The server may stop or
 * die before that, so they are written down with what the clock said and with what time it was at least: one row of the
 * settings for each flush.
 */
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { DoubtedRow, LiveStore } from './live.store.ts';
import type { Wheel } from './wheel.ts';

/** Of a doubt of weeks the newest are kept. */
const MAX_CHANGES = 100_000;
/** Dated in one go: some ten milliseconds. */
const CHANGES_A_STEP = 500;
/** When nothing changes: how exactly it is known until when a server that dies was there. */
const SIGN_EVERY_MS = 60_000;

/** A change of status, and when it was heard by the wheel's clock. */
export interface Noted {
  readonly deviceId: string;
  readonly status: 'online' | 'offline';
  readonly heard: number;
}

interface Deps {
  readonly store: LiveStore;
  readonly clock: Clock;
  readonly wheel: Wheel;
}

export class DoubtedStatus {
  readonly #deps: Deps;
  readonly #run = newId();
  /** Of this run, the oldest first. */
  #kept: { readonly row: DoubtedRow; readonly count: number }[] = [];
  #signedAt = Number.NEGATIVE_INFINITY;
  #mayHaveRows = true;
  /** Read once, and then dated step by step. */
  #left: readonly DoubtedRow[] | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * At the start, within a write: screens that were online when an earlier run ended are offline since its last sign of
   * life. Returns all that are named.
   */
  closeEarlier(): string[] {
    const last = new Map<string, { row: DoubtedRow; online: Set<string> }>();
    const named = new Set<string>();
    for (const row of this.#deps.store.doubted()) {
      const { online } = last.get(row.run) ?? { online: new Set<string>() };
      for (const { id, status } of row.changes) {
        named.add(id);
        if (status === 'online') online.add(id);
        else online.delete(id);
      }
      last.set(row.run, { row, online });
    }
    for (const { row, online } of last.values()) {
      if (online.size > 0)
        this.#deps.store.keepDoubted({
          ...row,
          n: row.n + 1,
          changes: [...online].map((id) => ({ id, status: 'offline', ago: 0 })),
        });
    }
    return [...named];
  }

  /** Nothing new needs to be written. @param count how many changes wait */
  isKept(count: number): boolean {
    return count === 0 && this.#kept.length > 0 && this.#deps.wheel.now() - this.#signedAt < SIGN_EVERY_MS;
  }

  /**
   * Within a write.
   * @param online who is so now; said once, so that whoever was before the doubt is known to be in it
   */
  keep(changes: readonly Noted[], online: readonly string[]): void {
    const { wheel, clock, store } = this.#deps;
    const now = wheel.now();
    const changed = new Set(changes.map(({ deviceId }) => deviceId));
    const before =
      this.#kept.length === 0
        ? online.filter((id) => !changed.has(id)).map((id) => ({ id, status: 'online' as const, ago: 0 }))
        : [];
    const all = [
      ...before,
      ...changes.map(({ deviceId, status, heard }) => ({ id: deviceId, status, ago: now - heard })),
    ];
    // A sign of life takes the place of the one before.
    const former = this.#kept.at(-1);
    if (former && former.count === 0) this.#kept.pop();
    const n = former ? former.row.n + (former.count === 0 ? 0 : 1) : 0;
    const row: DoubtedRow = {
      run: this.#run,
      n,
      now: clock.now(),
      least: clock.least ?? clock.now(),
      heard: now,
      changes: all,
    };
    store.keepDoubted(row);
    this.#kept.push({ row, count: all.length });
    this.#signedAt = now;
    this.#mayHaveRows = true;
    this.#left = undefined;
    let count = this.#kept.reduce((sum, each) => sum + each.count, 0);
    while (count > MAX_CHANGES) {
      const oldest = this.#kept.shift()!;
      count -= oldest.count;
      store.dropDoubted(oldest.row);
    }
  }

  /** There may be some to be dated. */
  get isOpen(): boolean {
    return this.#mayHaveRows;
  }

  /** Once the time is sure: some of them, the oldest first. @param attempt writes; false: it failed */
  settle(attempt: (work: () => void) => boolean): void {
    this.#left ??= this.#deps.store.doubted();
    const left = this.#left;
    const now = this.#deps.clock.now();
    let [count, n] = [0, 0];
    for (; n < left.length && count < CHANGES_A_STEP; n++) count += left[n]!.changes.length;
    const step = left.slice(0, n);
    const wrong = new Set(left.filter((row) => row.now > now).map(({ run }) => run));
    this.#left = undefined;
    if (step.length > 0 && !attempt(() => step.forEach((row) => void this.#settleRow(row, wrong, now)))) return;
    this.#left = left.slice(n);
    if (this.#left.length > 0) return;
    this.#left = undefined;
    this.#mayHaveRows = false;
    this.#kept = [];
  }

  /**
   * @param wrong runs whose clock was ahead of what it is now: of them only the earliest time is known; the clocks of
   * the others are believed
   */
  #settleRow(row: DoubtedRow, wrong: ReadonlySet<string>, now: number): void {
    const at =
      row.run === this.#run ? now - this.#deps.wheel.now() + row.heard : wrong.has(row.run) ? row.least : row.now;
    for (const { id, status, ago } of row.changes)
      this.#deps.store.recallStatus(
        { deviceId: id, status, at: Math.floor(Math.min(at - ago, now) / 1000) },
        Math.floor(now / 1000),
      );
    this.#deps.store.dropDoubted(row);
  }
}
