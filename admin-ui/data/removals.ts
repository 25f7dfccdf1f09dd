/**
 * Deleting with a way back: what is deleted is hidden at once, and deleted on the server when the time to undo has
 * passed. Closing the window means yes.
 */

export class Removals {
  /** What deletes each record that is hidden and not yet decided on. */
  readonly #open = new Map<string, () => Promise<void>>();
  readonly #listeners = new Set<() => void>();
  #hidden: ReadonlySet<string> = new Set();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  hidden = (): ReadonlySet<string> => this.#hidden;

  /**
   * Hides what `key` names. `remove` deletes it for good; its promise ends when lists come without it, or it could not
   * be deleted: then it is hidden no longer. Of the functions returned the first called counts.
   */
  begin(key: string, remove: () => Promise<void>): { commit: () => void; undo: () => void } {
    this.#open.set(key, remove);
    this.#set(new Set(this.#hidden).add(key));
    return {
      commit: () => this.#commit(key, remove),
      undo: () => {
        if (this.#open.get(key) !== remove) return;
        this.#open.delete(key);
        this.#show(key);
      },
    };
  }

  commitAll(): void {
    for (const [key, remove] of [...this.#open]) this.#commit(key, remove);
  }

  #commit(key: string, remove: () => Promise<void>): void {
    if (this.#open.get(key) !== remove) return;
    this.#open.delete(key);
    void remove().finally(() => {
      if (!this.#open.has(key)) this.#show(key);
    });
  }

  #show(key: string): void {
    const hidden = new Set(this.#hidden);
    hidden.delete(key);
    this.#set(hidden);
  }

  #set(hidden: ReadonlySet<string>): void {
    this.#hidden = hidden;
    for (const listener of [...this.#listeners]) listener();
  }
}
