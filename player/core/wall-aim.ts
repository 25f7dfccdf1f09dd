/** The refreshes at which the panels of a wall aim together, as the server last told them. */
import type { Refresh } from '../../shared/protocol/messages.ts';
import type { Time } from './ports.ts';

/**
 * A server that is away changes nothing for so long; then two crystals may have drifted too far apart to aim at one by
 * the other.
 */
const GOOD_FOR_MS = 10 * 60_000;

export class WallAim {
  readonly #time: Pick<Time, 'mono'>;
  #told: { readonly refresh: Refresh; readonly wallId: string; readonly at: number } | null = null;

  constructor(time: Pick<Time, 'mono'>) {
    this.#time = time;
  }

  /**
   * Nothing told (the leading panel restarts, say) leaves what was told before. `wallId` null: the screen hangs in no
   * wall.
   */
  set(refresh: Refresh | undefined, wallId: string | null): void {
    if (refresh && wallId !== null) this.#told = { refresh, wallId, at: this.#time.mono() };
  }

  /** Null when nothing, or too long ago, was told of this wall. */
  get(wallId: string | null): Refresh | null {
    const told = this.#told;
    return told && told.wallId === wallId && this.#time.mono() - told.at < GOOD_FOR_MS ? told.refresh : null;
  }
}
