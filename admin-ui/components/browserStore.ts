/**
 * What the browser keeps for the window. Where it refuses (cookies are blocked, there is no more room), the page itself
 * has it for as long as it is open.
 */
export class BrowserStore {
  readonly #storage: Storage | undefined;
  /** What the browser did not take. */
  readonly #own = new Map<string, string>();

  /** @param open throws, or returns null, where the browser gives none */
  constructor(open: () => Storage | null) {
    try {
      this.#storage = open() ?? undefined;
    } catch {
      // All of it stays in the page.
    }
  }

  getItem(key: string): string | null {
    return this.#own.get(key) ?? this.#storage?.getItem(key) ?? null;
  }

  /** Returns whether it outlives the page. */
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

/** Of all tabs of this browser, and for later. */
export const browserStore = new BrowserStore(() => localStorage);

/** Of this tab alone. */
export const tabStore = new BrowserStore(() => sessionStorage);
