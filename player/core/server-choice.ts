/**
 * Whether a player that belongs to nobody may go to the server it hears. Anybody on the network can call itself one,
 * and be quicker: only who is alone for a while is taken at its word. Where there are several, a person has to say
 * which (own-code.ts).
 */
import type { AddressBook, Time, Undo } from './ports.ts';

/** From the first server heard until it counts as the only one. */
const LISTEN_MS = 20_000;
/** Two are as good as many. */
const MOST_HEARD = 50;

interface Deps {
  readonly addresses: AddressBook;
  readonly time: Time;
  /** The answer is another one now. */
  readonly changed: () => void;
  /** Whoever claims it brings a code that it was given, so that no server is to be taken at its word. */
  readonly hasCode?: boolean;
}

export class ServerChoice {
  readonly #deps: Deps;
  /** All since the start: a neighbour that sends the others' farewells is not alone by that. */
  readonly #heard = new Set<string>();
  #listened = false;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The address book's content, now and whenever it has changed. */
  look(): void {
    if (this.#deps.addresses.given) return;
    const before = this.#heard.size;
    for (const { server, origin } of this.#deps.addresses.seen())
      if (this.#heard.size < MOST_HEARD) this.#heard.add(server ? `${server.id} ${server.fingerprint}` : origin);
    if (this.#heard.size > 0) this.#cancel ??= this.#deps.time.after(LISTEN_MS, () => this.#end());
    if (before < 2 && this.#heard.size >= 2) this.#deps.changed();
  }

  stop(): void {
    this.#cancel?.();
  }

  /** There is one to go to: somebody typed its address, or nobody else was heard. */
  get isClear(): boolean {
    return !this.#deps.hasCode && (this.#deps.addresses.given || (this.#listened && this.#heard.size === 1));
  }

  get isOpen(): boolean {
    return this.#deps.hasCode || (!this.#deps.addresses.given && this.#heard.size > 1);
  }

  #end(): void {
    this.#listened = true;
    if (this.#heard.size === 1) this.#deps.changed();
  }
}
