/**
 * Which screen is this? Until when its name is to be shown, and where it belongs. A restart ends it: nobody stands
 * before it for so long.
 */
import type { IdentifyPush } from '../../shared/protocol/messages.ts';
import type { Time, Undo } from './ports.ts';

export interface Identification {
  /** Server clock. */
  readonly until: number;
  /** Names of its groups. */
  readonly groups: readonly string[];
}

interface Deps {
  readonly time: Time;
  /** Server clock. */
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

  /** The newest wins. */
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
