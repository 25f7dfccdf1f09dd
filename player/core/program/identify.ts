/** Identification of a screen: shows its name and groups until a given time. A restart ends the identification. */
import type { IdentifyPush } from '../../../shared/protocol/messages.ts';
import type { Time, Undo } from '../ports.ts';

export interface Identification {
  /** End of the identification on the server clock, epoch milliseconds. */
  readonly until: number;
  /** Names of the groups of this screen. */
  readonly groups: readonly string[];
}

interface Deps {
  readonly time: Time;
  /** Returns the server clock, epoch milliseconds. */
  readonly now: () => number;
  readonly changed: () => void;
}

export class Identify {
  readonly #deps: Deps;
  #current: Identification | null = null;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get current(): Identification | null {
    return this.#current;
  }

  /** Starts an identification, which replaces the current identification. */
  show({ seconds, groups }: IdentifyPush): void {
    this.#set({ until: this.#deps.now() + seconds * 1_000, groups });
    this.#cancel = this.#deps.time.after(seconds * 1_000, () => this.#set(null));
  }

  stop(): void {
    this.#cancel?.();
  }

  forget(): void {
    this.#cancel?.();
    this.#current = null;
  }

  #set(current: Identification | null): void {
    this.#cancel?.();
    this.#current = current;
    this.#deps.changed();
  }
}
