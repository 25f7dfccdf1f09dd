/** Does work one after the other, for no more than a few who wait. */
import { tooMany } from '../../shared/contract/errors.ts';

/** Whoever comes after this many is better off trying again. */
const MAX_WAITING = 8;
const AGAIN_AFTER_SECONDS = 10;

export class Turns {
  readonly #busy: string;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param busy is what those are told who come when too many wait */
  constructor(busy: string) {
    this.#busy = busy;
  }

  /** Runs the work when its turn comes. @throws ApiError 429 when too many wait already; whatever `work` throws */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw tooMany(AGAIN_AFTER_SECONDS, this.#busy);
    this.#waiting++;
    const working = this.#last.then(work);
    this.#last = working.catch(() => {});
    try {
      return await working;
    } finally {
      this.#waiting--;
    }
  }
}
