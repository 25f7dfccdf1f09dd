/**
 * Values that the browser stores for the window. If the browser refuses (blocked cookies, no room), the open page keeps
 * them.
 */
export class BrowserStore {
  readonly #storage: Storage | undefined;
  /** Values that the browser did not accept. */
  readonly #own = new Map<string, string>();

  /** @param open throws, or returns null, if the browser has no storage */
  constructor(open: () => Storage | null) {
    try {
      this.#storage = open() ?? undefined;
    } catch {
      // All values stay in the page.
    }
  }

  getItem(key: string): string | null {
    return this.#own.get(key) ?? this.#storage?.getItem(key) ?? null;
  }

  /** Returns whether the value outlives the page. */
  setItem(key: string, text: string): boolean {
    this.#own.delete(key);
    try {
      this.#storage?.setItem(key, text);
      if (this.#storage) return true;
    } catch {
      // No more room.
    }
    this.#own.set(key, text);
    return false;
  }

  removeItem(key: string): void {
    this.#own.delete(key);
    this.#storage?.removeItem(key);
  }

  keys(): string[] {
    const { length = 0 } = this.#storage ?? {};
    const kept = Array.from({ length }, (_, i) => this.#storage?.key(i) ?? '');
    return [...new Set([...kept, ...this.#own.keys()])];
  }
}

/** Shared by all tabs of this browser, and permanent. */
export const browserStore = new BrowserStore(() => localStorage);

/** Only for this tab. */
export const tabStore = new BrowserStore(() => sessionStorage);
