/**
 * Runs tasks one at a time in the order of the calls. A failure rejects only its own promise; the next task still runs.
 */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => {});
    return result;
  }
}
