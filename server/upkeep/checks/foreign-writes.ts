/**
 * Detects that a command (`vitrine reset-password`) has written to the database of a running server, so that the server
 * clears its caches.
 */
import type { Bus } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { UpkeepStore } from '../upkeep.store.ts';

const LOOK_EVERY_MS = 1_000;

interface Deps {
  readonly store: UpkeepStore;
  readonly bus: Bus;
}

export class ForeignWrites implements Lifecycle {
  readonly name = 'foreign-writes';
  readonly #deps: Deps;
  #version = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#version = this.#deps.store.foreignVersion();
    this.#timer = setInterval(() => this.check(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  check(): void {
    const version = this.#deps.store.foreignVersion();
    if (version === this.#version) return;
    this.#version = version;
    this.#deps.bus.emit('accountsChanged');
  }
}
