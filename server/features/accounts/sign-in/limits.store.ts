import type { Database } from '../../../db/database.ts';
import { eq, lte, sql } from '../../../db/drizzle.ts';
import { limits } from '../../../db/schema.ts';
import { leftOf } from '../../../kernel/time/window.ts';

type LimitRow = typeof limits.$inferSelect;

export class LimitsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(key: string): LimitRow | undefined {
    return this.#db.orm.select().from(limits).where(eq(limits.key, key)).get();
  }

  /**
   * Returns a counter that is still running, with its effective end: at most `length` seconds from now. `isAhead`: the
   * stored end is later, because the clock was ahead when it was stored.
   */
  current(key: string, now: number, length: number): (LimitRow & { readonly isAhead: boolean }) | undefined {
    const row = this.find(key);
    if (!row) return undefined;
    const left = leftOf({ end: row.resets_at, now, length });
    return left > 0 ? { ...row, resets_at: now + left, isAhead: now + left < row.resets_at } : undefined;
  }

  /** Increments the counter. A counter whose period is over starts again at one. */
  bump(key: string, now: number, resetsAt: number): void {
    this.#db.orm
      .insert(limits)
      .values({ key, count: 1, resets_at: resetsAt })
      .onConflictDoUpdate({
        target: limits.key,
        set: {
          count: sql`CASE WHEN ${limits.resets_at} <= ${now} THEN 1 ELSE ${limits.count} + 1 END`,
          resets_at: resetsAt,
        },
      })
      .run();
  }

  setEnd(key: string, resetsAt: number): void {
    this.#db.orm.update(limits).set({ resets_at: resetsAt }).where(eq(limits.key, key)).run();
  }

  delete(key: string): void {
    this.#db.orm.delete(limits).where(eq(limits.key, key)).run();
  }

  deletePast(now: number): void {
    this.#db.orm.delete(limits).where(lte(limits.resets_at, now)).run();
  }
}
