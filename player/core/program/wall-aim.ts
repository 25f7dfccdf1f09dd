/** Stores the refresh times that all panels of a wall follow, as last received from the server. */
import type { Refresh } from '../../../shared/protocol/messages.ts';
import type { Time } from '../ports.ts';

/**
 * Validity in milliseconds without a server. After this time two crystals may have drifted too far apart to aim at one
 * refresh.
 */
const GOOD_FOR_MS = 10 * 60_000;

export class WallAim {
  readonly #time: Pick<Time, 'mono'>;
  #told: { readonly refresh: Refresh; readonly wallId: string; readonly at: number } | null = null;

  constructor(time: Pick<Time, 'mono'>) {
    this.#time = time;
  }

  /**
   * Stores the refresh. Undefined (for example while the leading panel restarts) keeps the last value. `wallId` null:
   * the screen is not part of a wall.
   */
  set(refresh: Refresh | undefined, wallId: string | null): void {
    if (refresh && wallId !== null) this.#told = { refresh, wallId, at: this.#time.mono() };
  }

  /** Returns the refresh of this wall; null if no recent value exists. */
  get(wallId: string | null): Refresh | null {
    const told = this.#told;
    return told && told.wallId === wallId && this.#time.mono() - told.at < GOOD_FOR_MS ? told.refresh : null;
  }
}
