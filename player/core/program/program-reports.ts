/** Reports to the server that a program is ready on the screen, or why the player cannot show the program. */
import type { PlayerMessage } from '../../../shared/protocol/messages.ts';
import type { Seen } from '../screen-side.ts';

interface Deps {
  readonly programs: { readonly id: string | null; readonly placementId: string | null; readonly settled: boolean };
  readonly panel: { readonly on: boolean };
  /** True while the server has accepted the player on this connection. */
  readonly welcomed: () => boolean;
  /** True if a page is expected to connect although no page is connected now. */
  readonly screenDue: () => boolean;
  /** Sends a message now or after the next welcome. A newer message with the same key replaces it. */
  readonly answer: (key: string, message: PlayerMessage) => void;
}

export class ProgramReports {
  readonly #deps: Deps;
  #attached = false;
  /** The program that the page reported as visible, in this run. */
  #onScreen: Seen | null = null;
  #readySaid: string | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Whether the current program is visible. Also true if the panel is off, or if no page is or will be connected,
   * because then no page can report it.
   */
  get isSeen(): boolean {
    const { programs, panel, screenDue } = this.#deps;
    const { id, placementId } = programs;
    if (!panel.on || !(this.#attached || screenDue())) return true;
    const { program_id, placement_id = placementId } = this.#onScreen ?? {};
    return program_id === id && placement_id === placementId;
  }

  /** Sets whether a page follows the state. */
  attached(attached: boolean): void {
    this.#attached = attached;
    this.reportReady();
  }

  /** Sets what the page shows; null: a new page, which has not reported yet. */
  setSeen(seen: Seen | null): void {
    this.#onScreen = seen;
    if (seen) this.reportReady();
  }

  /** The next `reportReady` reports again, because the server may not know it. */
  forgetReady(): void {
    this.#readySaid = null;
  }

  reportReady(): void {
    const { programs, welcomed, answer } = this.#deps;
    const { id, placementId, settled } = programs;
    const name = `${id} ${placementId}`;
    if (!id || name === this.#readySaid || !welcomed() || !settled || !this.isSeen) return;
    this.#readySaid = name;
    answer('ready', { type: 'program.ready', id, ...(placementId !== null && { placement_id: placementId }) });
  }

  /** Sends the failure only while connected. A failure because of a lost connection is no news for the server. */
  reportFailed({ reason, ...failure }: { id: string; reason: string; asset?: string }): void {
    const { welcomed, answer } = this.#deps;
    if (welcomed())
      answer(`failed:${failure.id}`, { type: 'program.failed', ...failure, reason: reason.slice(0, 2_000) });
  }
}
