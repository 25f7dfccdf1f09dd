/**
 * Deletions that can be undone: a record is hidden at once, and deleted on the server when the undo time has passed.
 * Closing the window deletes the record at once.
 */

export class Removals {
  /** For each hidden record, the function that deletes the record on the server. */
  readonly #open = new Map<string, () => Promise<void>>();
  readonly #listeners = new Set<() => void>();
  #hidden: ReadonlySet<string> = new Set();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  hidden = (): ReadonlySet<string> => this.#hidden;

  /**
   * Hides the record `key`. `remove` deletes the record permanently. The promise of `remove` must settle when lists
   * no longer contain the record or when the deletion has failed; then the record is no longer hidden. Only the
   * first call of the returned functions has an effect.
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
