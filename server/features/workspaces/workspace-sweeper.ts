import { asNecessary } from '../../kernel/disk/necessity.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { WorkspacesStore } from './workspaces.store.ts';

/**
 * Number of rows per step, which takes a few milliseconds. A deleted workspace may leave ten million plays, and other
 * work must not wait.
 */
const ROWS_AT_ONCE = 1000;
const PAUSE_MS = 25;

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly store: WorkspacesStore;
}

/**
 * Deletes the rows that a deleted workspace leaves: plays, their sums and activity, which have no foreign key to the
 * workspace. The list of workspaces to sweep is in the database, so that a restart continues.
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

  /** Deletes a few rows of a deleted workspace. Returns whether rows may be left. */
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
        // After an error, for example a full disk, the sweeper continues at the next start.
      }
    }, PAUSE_MS);
    this.#timer.unref();
  }
}
