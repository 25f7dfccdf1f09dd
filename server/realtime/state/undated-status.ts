/**
 * Stores online and offline changes while the clock is untrusted. The changes get their dates when the time is known
 * (live-registry.ts). Changes of the present run are dated to the second, because their age is always known. In case the
 * server stops before that, each flush writes a settings row with the changes, the clock reading, and the earliest
 * possible time.
 */

import { newId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Wheel } from '../wheel.ts';
import type { LiveStore, UndatedRow } from './live.store.ts';

/** Maximum number of stored changes. If the clock is untrusted for weeks, only the newest changes are kept. */
const MAX_CHANGES = 100_000;
/** Number of status changes that get their time in one step. A step blocks the event loop for some ten milliseconds. */
const CHANGES_A_STEP = 500;
/**
 * Interval in milliseconds at which rows without changes are written. If the server crashes, the last row shows how
 * long it ran.
 */
const SIGN_EVERY_MS = 60_000;

/** A status change. `heard`: time of the change in milliseconds of the timer wheel's clock. */
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

export class UndatedStatus {
  readonly #deps: Deps;
  readonly #run = newId();
  /** Rows of the present run, the oldest first. */
  #kept: { readonly row: UndatedRow; readonly count: number }[] = [];
  #signedAt = Number.NEGATIVE_INFINITY;
  #mayHaveRows = true;
  /** Rows that are read when the clock is trusted again, and are then dated step by step. */
  #left: readonly UndatedRow[] | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Ends online intervals of earlier runs. Called at the start of the server within a write transaction. Screens that
   * were online when a run ended are offline since the last row of this run. Returns the ids of all devices in the
   * rows.
   */
  closeEarlier(): string[] {
    const last = new Map<string, { row: UndatedRow; online: Set<string> }>();
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
        this.#deps.store.storeUndated({
          ...row,
          n: row.n + 1,
          changes: [...online].map((id) => ({ id, status: 'offline', ago: 0 })),
        });
    }
    return [...named];
  }

  /**
   * Returns whether a new row would contain nothing new.
   * @param count number of waiting changes
   */
  isKept(count: number): boolean {
    return count === 0 && this.#kept.length > 0 && this.#deps.wheel.now() - this.#signedAt < SIGN_EVERY_MS;
  }

  /**
   * Writes a row. Called within a write transaction.
   * @param online devices that are online now. They are recorded in
   * the first row only, because they may have come online before the clock became untrusted
   */
  storeRow(changes: readonly Noted[], online: readonly string[]): void {
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
    // A row without changes replaces an earlier row without changes.
    const former = this.#kept.at(-1);
    if (former && former.count === 0) this.#kept.pop();
    const n = former ? former.row.n + (former.count === 0 ? 0 : 1) : 0;
    const row: UndatedRow = {
      run: this.#run,
      n,
      now: clock.now(),
      least: clock.least ?? clock.now(),
      heard: now,
      changes: all,
    };
    store.storeUndated(row);
    this.#kept.push({ row, count: all.length });
    this.#signedAt = now;
    this.#mayHaveRows = true;
    this.#left = undefined;
    let count = this.#kept.reduce((sum, each) => sum + each.count, 0);
    while (count > MAX_CHANGES) {
      const oldest = this.#kept.shift()!;
      count -= oldest.count;
      store.deleteUndated(oldest.row);
    }
  }

  /** Whether there may be rows without dates. */
  get isOpen(): boolean {
    return this.#mayHaveRows;
  }

  /**
   * Dates some rows, the oldest first. Called when the time is known.
   * @param attempt runs the write; returns false when
   * the write failed
   */
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
   * @param wrong runs whose clock was ahead of the present time. For these only the earliest possible time is known;
   * the clocks of other runs are trusted
   */
  #settleRow(row: UndatedRow, wrong: ReadonlySet<string>, now: number): void {
    const at =
      row.run === this.#run ? now - this.#deps.wheel.now() + row.heard : wrong.has(row.run) ? row.least : row.now;
    for (const { id, status, ago } of row.changes)
      this.#deps.store.recallStatus(
        { deviceId: id, status, at: Math.floor(Math.min(at - ago, now) / 1000) },
        Math.floor(now / 1000),
      );
    this.#deps.store.deleteUndated(row);
  }
}
