import { tooMany } from '../../../shared/contract/errors.ts';
import type { MachineClock } from '../../kernel/time/clock.ts';
import { MinuteCounts } from '../../kernel/time/minute-counts.ts';

/** Limits requests per minute, by route and client address. */
export class RateLimits {
  readonly #requests: MinuteCounts;

  constructor(clock: Pick<MachineClock, 'mono'>) {
    this.#requests = new MinuteCounts(clock);
  }

  /** Counts a request. @throws ApiError 429 with Retry-After when the limit of this minute is reached */
  countRequest(route: string, address: string, perMinute: number): void {
    const { count, leftMs } = this.#requests.add(`${route} ${address}`);
    if (count > perMinute) throw tooMany(Math.ceil(leftMs / 1000));
  }
}
