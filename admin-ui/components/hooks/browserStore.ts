/**
 * Key-value storage in the browser. If the browser refuses to store a value (blocked cookies, quota exceeded), the
 * open page keeps the value.
 */
export class BrowserStore {
  readonly #storage: Storage | undefined;
  /** Values that the browser refused to store. */
  readonly #own = new Map<string, string>();

  /** @param open throws, or returns null, if the browser has no storage */
  constructor(open: () => Storage | null) {
    try {
      this.#storage = open() ?? undefined;
    } catch {
      // Without a usable storage of the browser, all values stay in the page.
    }
  }

  getItem(key: string): string | null {
    return this.#own.get(key) ?? this.#storage?.getItem(key) ?? null;
  }

  /** Stores a value. Returns whether the value outlives the page. */
  setItem(key: string, text: string): boolean {
    this.#own.delete(key);
    try {
      this.#storage?.setItem(key, text);
      if (this.#storage) return true;
    } catch {
      // The browser refuses the value, for example because its quota is exceeded, so the value stays in the page.
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

/** Permanent storage, shared by all tabs of this browser. */
export const browserStore = new BrowserStore(() => localStorage);

/** Storage of this tab only. */
export const tabStore = new BrowserStore(() => sessionStorage);
