/**
 * Lets a few pass at once, and gathers what comes beyond that into one for each minute: a switch that fails takes two
 * thousand screens with it, and whoever is told needs to hear that once.
 */

/** So many in a minute pass one by one. */
export const PASS = 20;
const MINUTE_MS = 60_000;

interface Deps<T> {
  readonly one: (thing: T) => void;
  /** Called with all that did not pass, once its minute is over. */
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

  /** The minute is over. After one with too many the next begins with none to pass: it is the same flood. */
  #turn(): void {
    const held = this.#held;
    this.stop();
    if (held.length === 0) return;
    this.#passed = PASS;
    this.#timer = setTimeout(() => this.#turn(), MINUTE_MS).unref();
    this.#deps.many(held);
  }
}
