import type { Database } from '../../db/database.ts';
import type { Bus } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { asNecessary } from '../../kernel/necessity.ts';
import type { WorkspacesStore } from './workspaces.store.ts';

/** Some milliseconds of work; a workspace may leave ten million plays behind, and nothing else may wait for them. */
const ROWS_AT_ONCE = 1000;
const PAUSE_MS = 25;

/**
 * Deletes what a deleted workspace leaves behind: its plays, their sums and its activity, which only name it. What is to be
 * done is in the database, so that a restart goes on with it.
 */
export class WorkspaceSweeper implements Lifecycle {
  readonly name = 'workspace sweeper';
  readonly #db: Database;
  readonly #store: WorkspacesStore;
  readonly #bus: Bus;
  #off: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: { db: Database; store: WorkspacesStore; bus: Bus }) {
    this.#db = deps.db;
    this.#store = deps.store;
    this.#bus = deps.bus;
  }

  start(): void {
    this.#off = this.#bus.on('workspaceGone', () => this.#soon());
    if (this.#store.gone().length > 0) this.#soon();
  }

  stop(): void {
    this.#off?.();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** One small step; true while there is more to do. */
  step(): boolean {
    const step = () => {
      const [id, ...rest] = this.#store.gone();
      if (id === undefined) return false;
      if (this.#store.sweep(id, ROWS_AT_ONCE)) return true;
      this.#store.setGone(rest);
      return rest.length > 0;
    };
    return asNecessary(() => this.#db.write(step));
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      try {
        if (this.step()) this.#soon();
      } catch {
        // A full disk, say: the next start goes on.
      }
    }, PAUSE_MS);
    this.#timer.unref();
  }
}
