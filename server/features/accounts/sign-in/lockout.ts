import { tooMany } from '../../../../shared/contract/errors.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import type { LimitsStore } from './limits.store.ts';

/** Duration of a lockout, and time after which failures are forgotten. */
const LOCKED_SECONDS = 15 * 60;

interface Deps extends Pick<Parts, 'db' | 'clock'> {
  readonly store: LimitsStore;
  readonly kind: string;
  readonly max: number;
  readonly message: string;
}

/**
 * Limits failed attempts per account. The count is in the database, so that a restart does not reset it. After `max`
 * failures, every attempt gets status 429 for 15 minutes, even a correct one. Changes of the clock do not matter.
 */
export class Lockout {
  readonly #deps: Deps;
  /**
   * Number of attempts in progress per account. They count as failures, because simultaneous attempts must not exceed
   * the limit.
   */
  readonly #underWay = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Refuses an attempt after too many failures.
   * @param refused called within a write transaction for the first refusal of a lockout only, so that refusals cannot
   * fill a log
   * @throws 429 while locked
   */
  check(account: string, refused?: () => void): void {
    const { clock, store, db, max, message } = this.#deps;
    const now = seconds(clock);
    const row = this.#current(account, now);
    const failures = row?.count ?? 0;
    if (row?.isAhead) db.write(() => store.setEnd(row.key, row.resets_at));
    if (row && failures >= max) {
      // The refusal is counted like a failure, so that only the first refusal is reported. The end of the lockout stays
      // the same.
      if (refused && failures === max)
        db.write(() => {
          store.bump(this.#key(account), now, row.resets_at);
          refused();
        });
      throw tooMany(row.resets_at - now, message);
    }
    if (failures + (this.#underWay.get(account) ?? 0) >= max) throw tooMany(1, message);
  }

  isLocked(account: string): boolean {
    return (this.#current(account, seconds(this.#deps.clock))?.count ?? 0) >= this.#deps.max;
  }

  /**
   * Runs an asynchronous check and counts its result.
   * @param refused as for `check`
   * @throws 429 while locked
   */
  async attempt(account: string, isRight: () => Promise<boolean>, refused?: () => void): Promise<boolean> {
    this.check(account, refused);
    this.#underWay.set(account, (this.#underWay.get(account) ?? 0) + 1);
    let right: boolean;
    try {
      right = await isRight();
    } finally {
      const left = this.#underWay.get(account)! - 1;
      if (left > 0) this.#underWay.set(account, left);
      else this.#underWay.delete(account);
    }
    if (right) this.forget(account);
    else this.failed(account);
    return right;
  }

  failed(account: string): void {
    const { clock, db, store } = this.#deps;
    const now = seconds(clock);
    db.write(() => {
      if (!clock.doubtful) store.deletePast(now);
      store.bump(this.#key(account), now, now + LOCKED_SECONDS);
    });
  }

  forget(account: string): void {
    if (this.#deps.store.find(this.#key(account)))
      this.#deps.db.write(() => this.#deps.store.delete(this.#key(account)));
  }

  #current(account: string, now: number) {
    return this.#deps.store.current(this.#key(account), now, LOCKED_SECONDS);
  }

  #key(account: string): string {
    return `${this.#deps.kind}:${account}`;
  }
}
