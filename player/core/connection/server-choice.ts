/**
 * Decides whether an unpaired player may connect to a server that it finds. Any machine on the network can pose as a
 * server and answer first, so a server is accepted only if it stays the only one for a while. If there are several, a
 * person has to choose (own-code.ts).
 */
import type { AddressBook, Time, Undo } from '../ports.ts';

/** Time for which a server must stay the only server that was found. Then the player may connect to it. */
const LISTEN_MS = 20_000;
/** Maximum number of servers that are remembered. Two are enough to know that a person must choose. */
const MOST_HEARD = 50;

interface Deps {
  readonly addresses: AddressBook;
  readonly time: Time;
  /** Called when the result of the choice has changed. */
  readonly changed: () => void;
  /**
   * Whether the player has a preset code. It then does not need to trust any server before the server proves the code.
   */
  readonly hasCode?: boolean;
}

export class ServerChoice {
  readonly #deps: Deps;
  /**
   * All servers found since the start. The list never shrinks, so a server that sends goodbye messages for other
   * servers does not become the only one.
   */
  readonly #heard = new Set<string>();
  #listened = false;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reads the address book. Called at the start and after each change. */
  update(): void {
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

  /**
   * Whether there is exactly one server to connect to: a person entered its address, or no other server was found.
   */
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
