/**
 * Passes a few items individually and merges further ones into one per minute: a failing network switch disconnects two
 * thousand screens, and people should be notified once.
 */

/** Number of items per minute that pass individually. */
export const PASS = 20;
const MINUTE_MS = 60_000;

interface Deps<T> {
  readonly one: (thing: T) => void;
  /** Called at the end of a minute with all items that were merged because they did not pass individually. */
  readonly many: (things: readonly T[]) => void;
}

export class Flood<T> {
  readonly #deps: Deps<T>;
  #passed = 0;
  #held: T[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps<T>) {
    this.#deps = deps;
  }

  add(thing: T): void {
    this.#timer ??= setTimeout(() => this.#turn(), MINUTE_MS).unref();
    if (this.#passed >= PASS) this.#held.push(thing);
    else {
      this.#passed++;
      this.#deps.one(thing);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#passed = 0;
    this.#held = [];
  }

  /**
   * Ends the minute. After a minute with too many items, no item passes individually in the next minute, which counts
   * as the same flood.
   */
  #turn(): void {
    const held = this.#held;
    this.stop();
    if (held.length === 0) return;
    this.#passed = PASS;
    this.#timer = setTimeout(() => this.#turn(), MINUTE_MS).unref();
    this.#deps.many(held);
  }
}
