/**
 * Decides whether a page of this player is expected to connect. A page that was open a moment ago is expected, because
 * it may be reloading or searching for its player.
 */
import type { Time, Undo } from '../../core/ports.ts';
import { RETURNS_WITHIN_MS } from '../screen-server/screen-address.ts';

interface Deps {
  readonly time: Time;
  /**
   * Stores whether a page is open, because the page may outlive the player. Undefined if the player has a window of
   * its own, whose page is always expected.
   */
  readonly kept: { page(page: boolean): Promise<void> } | undefined;
  /** Called when the waiting time for an expected page is over, whether the page came or not. */
  readonly settled: () => void;
}

export class PagePresence {
  readonly #deps: Deps;
  #due = false;
  #paints = false;
  #stopped = false;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get due(): boolean {
    return this.#deps.kept === undefined || this.#due;
  }

  /** Expects a page for a limited time: the page of the previous run at the start, and later a page that was lost. */
  expect(): void {
    this.#due = true;
    this.#cancel?.();
    this.#cancel = this.#deps.time.after(RETURNS_WITHIN_MS, () => {
      this.#due = false;
      this.#deps.settled();
    });
  }

  painted(): void {
    if (!this.#paints) void this.#deps.kept?.page(true);
    this.#paints = true;
  }

  /** Handles a lost page. Ignores connections that end while the player stops, and pages that never painted. */
  attached(attached: boolean): void {
    if (attached || !this.#paints || this.#stopped) return;
    this.#paints = false;
    this.expect();
    void this.#deps.kept?.page(false);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }
}
