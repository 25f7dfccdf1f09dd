/** The refreshes at which the panels of a wall aim together, as the server last told them. */
import type { Refresh } from '../../shared/protocol/messages.ts';
import type { Time } from './ports.ts';

/** A server that is away changes nothing for so long; then two crystals may have drifted too far apart to aim at one by the other. */
const GOOD_FOR_MS = 10 * 60_000;

export class WallAim {
  readonly #time: Pick<Time, 'mono'>;
  #told: { readonly refresh: Refresh; readonly at: number } | null = null;

  constructor(time: Pick<Time, 'mono'>) {
    this.#time = time;
  }

  /** Nothing told (the leading panel restarts, say) leaves what was told before. */
  set(refresh: Refresh | undefined): void {
    if (refresh) this.#told = { refresh, at: this.#time.mono() };
  }

  get(): Refresh | null {
    return this.#told && this.#time.mono() - this.#told.at < GOOD_FOR_MS ? this.#told.refresh : null;
  }
}
