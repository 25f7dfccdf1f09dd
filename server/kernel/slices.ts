/** Does long work in slices, between which everybody else has their turn of the event loop. */

/** With what comes on top of it (the commit, one record that takes longer) nobody waits for 50 ms. */
const SLICE_MS = 10;

interface Deps {
  /** The database's: what was written in a slice is on disk before the next. */
  readonly durable: () => Promise<void> | undefined;
  /** Ends the work between two slices. Without it nothing does. */
  readonly signal?: AbortSignal;
}

export class Slices {
  readonly #deps: Deps;
  #began = performance.now();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns what to wait for before the next piece of the work, if anything. Called between any two pieces. */
  next(): Promise<void> | undefined {
    return performance.now() - this.#began < SLICE_MS ? undefined : this.end();
  }

  /** Leaves the loop to others. @throws the signal's reason, or what kept the slice from the disk */
  async end(): Promise<void> {
    await this.#deps.durable();
    // One turn is not enough: the commit is one of the immediates of this one.
    await new Promise(setImmediate);
    this.#deps.signal?.throwIfAborted();
    this.#began = performance.now();
  }
}

/** Yields what is only read, item by item. What is done with each should take far less than a slice. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let began = performance.now();
  for (const item of items) {
    if (performance.now() - began > SLICE_MS) {
      await new Promise(setImmediate);
      began = performance.now();
    }
    yield item;
  }
}

/**
 * Lets reads that cost a millisecond or more have their turn one after the other, with a turn of the event loop for
 * everybody else in between: as many as come at once hold nobody up by more than one of them.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when it is the caller's turn; what it does then, it does at once. */
  next(): Promise<unknown> {
    const mine = this.#last;
    this.#last = mine.then(() => new Promise(setImmediate));
    return mine;
  }
}
