/**
 * Counts for how long things have been lying about while the server ran. It does not go by the time of day: a clock
 * that is set years ahead must not make everything old at once. Hours in which the computer was off do not count, so
 * that nothing goes before somebody could have missed it.
 */
import type { Parts } from '../kernel/parts.ts';
import { putSetting, readSetting } from './settings-rows.ts';

interface Deps extends Pick<Parts, 'db' | 'mono'> {
  readonly key: string;
}

export class RunningAges {
  readonly #deps: Deps;
  #countedAt: number | undefined;

  /** @param deps.key is in the table `settings` @param deps.mono returns milliseconds that never jump */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Adds the time since the last count to the ages of all of these, and forgets others. Returns milliseconds by name.
   */
  count(names: readonly string[]): ReadonlyMap<string, number> {
    const now = this.#deps.mono();
    const passed = this.#countedAt === undefined ? 0 : Math.max(0, now - this.#countedAt);
    this.#countedAt = now;
    const before = this.#read();
    const ages = new Map(names.map((name) => [name, before.has(name) ? before.get(name)! + passed : 0]));
    if (names.length > 0 || before.size > 0) this.#write(ages);
    return ages;
  }

  #read(): Map<string, number> {
    return new Map(Object.entries((readSetting(this.#deps.db.raw, this.#deps.key) ?? {}) as Record<string, number>));
  }

  #write(ages: ReadonlyMap<string, number>): void {
    const { db, key } = this.#deps;
    db.write(() => putSetting(db.raw, key, Object.fromEntries(ages)));
  }
}
