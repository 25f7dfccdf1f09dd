/** Divides long work into slices, between which the event loop does other work. */

/**
 * Length of a slice in milliseconds. Together with the commit and one slow record, a slice blocks the event loop for
 * less than 50 ms.
 */
const SLICE_MS = 10;

interface Deps {
  /** `durable` of the database: the writes of a slice are on disk before the next slice. */
  readonly durable: () => Promise<void> | undefined;
  /** Signal that ends the work between two slices. Without a signal the work runs to its end. */
  readonly signal?: AbortSignal;
}

export class Slices {
  readonly #deps: Deps;
  #began = performance.now();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Ends the slice if it has lasted long enough. Returns a promise to await before the next piece of work; undefined
   * when the slice continues. Must be called between any two pieces.
   */
  next(): Promise<void> | undefined {
    return performance.now() - this.#began < SLICE_MS ? undefined : this.end();
  }

  /** Yields to the event loop. @throws the reason of the signal, or the error of the commit */
  async end(): Promise<void> {
    await this.#deps.durable();
    // Waits for two turns of the event loop, because the commit runs at the end of the first turn.
    await new Promise(setImmediate);
    this.#deps.signal?.throwIfAborted();
    this.#began = performance.now();
  }
}

/** Yields items for read-only work, one by one. The work on each item should take far less than a slice. */
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
 * Queues reads that take a millisecond or more: one at a time, with a turn of the event loop after each. Therefore many
 * concurrent reads block the event loop no longer than one read does.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when it is the caller's turn. The caller then does its read synchronously. */
  next(): Promise<unknown> {
    const mine = this.#last;
    this.#last = mine.then(() => new Promise(setImmediate));
    return mine;
  }
}
