/**
 * Measures ages of things, counting only the time in which the server ran. The time of day does not matter, so that a
 * clock that is set years ahead does not make every thing old. Hours with the computer off do not count, so that
 * nothing is deleted before a person could miss it.
 */
import type { Parts } from '../kernel/parts.ts';
import { putSetting, readSetting } from './settings-rows.ts';

interface Deps extends Pick<Parts, 'db' | 'mono'> {
  readonly key: string;
}

export class RunningAges {
  readonly #deps: Deps;
  #countedAt: number | undefined;

  /** @param deps.key key in the table `settings` @param deps.mono monotonic milliseconds */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Adds the time since the last call to the ages of the given names, and removes all other names. Returns ages in
   * milliseconds by name.
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
