/**
 * Runs what it is given one after the other, in the order asked. A failure is its caller's and does not hold up the
 * next.
 */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => {});
    return result;
  }
}
