/** Notices that a command (`vitrine reset-password`) wrote to the database of a running server, which remembers things of it. */
import type { Bus } from '../kernel/bus.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { UpkeepStore } from './upkeep.store.ts';

const LOOK_EVERY_MS = 1_000;

export class ForeignWrites implements Lifecycle {
  readonly name = 'foreign-writes';
  readonly #d: { store: UpkeepStore; bus: Bus };
  #version = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: { store: UpkeepStore; bus: Bus }) {
    this.#d = deps;
  }

  start(): void {
    this.#version = this.#d.store.foreignVersion();
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const version = this.#d.store.foreignVersion();
    if (version === this.#version) return;
    this.#version = version;
    this.#d.bus.emit('accountsChanged');
  }
}
