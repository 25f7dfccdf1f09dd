/** Work that takes long is done in slices, between which everybody else has their turn of the event loop. */

/** With what comes on top of it (the commit, one record that takes longer) nobody waits for 50 ms. */
const SLICE_MS = 10;

interface Deps {
  /** As of the database: what was written in a slice is on disk before the next. */
  readonly durable: () => Promise<void> | undefined;
  /** Ends the work between two slices; absent: nothing does. */
  readonly signal?: AbortSignal;
}

export class Slices {
  readonly #deps: Deps;
  #began = performance.now();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** To be called between any two pieces of the work. Returns what to wait for before the next, if anything. */
  next(): Promise<void> | undefined {
    return performance.now() - this.#began < SLICE_MS ? undefined : this.end();
  }

  /** Leaves the loop to others. @throws the signal's reason, what kept the slice from the disk */
  async end(): Promise<void> {
    await this.#deps.durable();
    // Not yet the others' turn: the commit is one of the immediates of this one.
    await new Promise(setImmediate);
    this.#deps.signal?.throwIfAborted();
    this.#began = performance.now();
  }
}

/** What is only read, item by item; what is done with each should take far less than a slice. */
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
