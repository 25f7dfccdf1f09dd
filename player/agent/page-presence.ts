/**
 * Whether a page that shows this player is due: one that was open a moment ago is being loaded again, or looks for its
 * player.
 */
import type { Time, Undo } from '../core/ports.ts';
import { RETURNS_WITHIN_MS } from './screen-address.ts';

interface Deps {
  readonly time: Time;
  /**
   * Where it is kept that a page is open: it may outlive the player. Undefined: a window of the player's own, which is
   * always due.
   */
  readonly kept: { page(page: boolean): Promise<void> } | undefined;
  /** Called when the time of a page that was due is over, whether it has come or not. */
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

  /** Expects the page, which was open a moment ago. */
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

  /** Ignores the end of connections while the player stops, and pages that never painted. */
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
