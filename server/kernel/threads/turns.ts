/** Runs work one piece after the other, with a limit on the number of waiting calls. */
import { tooMany } from '../../../shared/contract/errors.ts';

/** Maximum number of waiting calls. Further calls get 429 and should retry. */
const MAX_WAITING = 8;
const AGAIN_AFTER_SECONDS = 10;

export class Turns {
  readonly #busy: string;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param busy message of the error when too many calls wait */
  constructor(busy: string) {
    this.#busy = busy;
  }

  /** Runs the work when its turn comes. @throws ApiError 429 when too many calls wait; any error of `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
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
