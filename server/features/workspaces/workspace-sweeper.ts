import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { asNecessary } from '../../kernel/necessity.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { WorkspacesStore } from './workspaces.store.ts';

/** Takes some milliseconds; a workspace may leave ten million plays behind, and nothing else may wait for them. */
const ROWS_AT_ONCE = 1000;
const PAUSE_MS = 25;

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly store: WorkspacesStore;
}

/**
 * Deletes what a deleted workspace leaves behind: its plays, their sums and its activity, which only name it. What is
 * to be done is in the database, so that a restart goes on with it.
 */
export class WorkspaceSweeper implements Lifecycle {
  readonly name = 'workspace sweeper';
  readonly #deps: Deps;
  #off: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#off = this.#deps.bus.on('workspaceGone', () => this.#soon());
    if (this.#deps.store.gone().length > 0) this.#soon();
  }

  stop(): void {
    this.#off?.();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** One small step; true while there is more to do. */
  step(): boolean {
    const { store, db } = this.#deps;
    const step = () => {
      const [id, ...rest] = store.gone();
      if (id === undefined) return false;
      if (store.sweep(id, ROWS_AT_ONCE)) return true;
      store.setGone(rest);
      return rest.length > 0;
    };
    return asNecessary(() => db.write(step));
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
