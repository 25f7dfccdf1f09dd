/**
 * Drafts: unsaved work that is kept in the browser, so that it survives an ended session, a server restart or a
 * closed tab. Drafts are separate by user, workspace and form, and limited in number, size and age.
 */
import type { BrowserStore } from '../../components/hooks/browserStore.ts';

export interface Kept {
  /** Time of the last change to the draft, in epoch milliseconds. */
  readonly at: number;
  /** ETag of the record version on which the draft is based; null if there is none or it is unknown. */
  readonly base: string | null;
  readonly value: unknown;
}

interface Deps {
  readonly storage: Pick<BrowserStore, 'getItem' | 'setItem' | 'removeItem' | 'keys'>;
  /** @default the browser's clock */
  readonly now?: () => number;
}

const PREFIX = 'vitrine.draft.';
/** Maximum length of a draft in characters of JSON. A larger draft is not stored. */
const MAX_LENGTH = 200_000;
/** Maximum number of drafts. Above this number, the oldest drafts are removed. */
const MAX_DRAFTS = 30;
const DAY_MS = 86_400_000;
/** Drafts that are older than this are not offered, in milliseconds. */
const MAX_AGE_MS = 14 * DAY_MS;

/** Matches names of fields that contain secrets. Secrets must not be stored in the browser. */
const SECRET = /passw|secret|token|credential|api_?key|^code$|^pin$/i;

/** Matches a URL that contains a password. */
const SECRET_ADDRESS = /:\/\/[^/\s@]*:[^/\s@]+@/;

/**
 * Returns whether a value contains a secret at any depth: a text field with the name of a secret, or a URL with a
 * password.
 */
export const holdsSecret = (value: unknown): boolean => {
  if (typeof value === 'string') return SECRET_ADDRESS.test(value);
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(
      ([name, inside]) => (SECRET.test(name) && typeof inside === 'string' && inside !== '') || holdsSecret(inside),
    )
  );
};

export class Drafts {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns the stored draft; undefined if the draft is too old or unreadable. */
  find(key: string): Kept | undefined {
    const kept = this.#read(PREFIX + key);
    if (kept && this.#now() - kept.at > MAX_AGE_MS) return void this.drop(key);
    return kept;
  }

  /**
   * Stores the draft in place of the earlier draft. A draft with a secret or a draft that is too large is not
   * stored.
   */
  store(key: string, { base, value }: Pick<Kept, 'base' | 'value'>): void {
    this.drop(key);
    if (holdsSecret(value)) return;
    const text = JSON.stringify({ at: this.#now(), base, value } satisfies Kept);
    if (text.length > MAX_LENGTH) return;
    this.#makeRoom(MAX_DRAFTS - 1);
    this.#deps.storage.setItem(PREFIX + key, text);
  }

  drop(key: string): void {
    this.#deps.storage.removeItem(PREFIX + key);
  }

  #makeRoom(most: number): void {
    const { storage } = this.#deps;
    const drafts = storage
      .keys()
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => ({ key, at: this.#read(key)?.at ?? 0 }))
      .sort((a, b) => b.at - a.at);
    for (const { key } of drafts.slice(most)) storage.removeItem(key);
    for (const { key, at } of drafts.slice(0, most)) if (this.#now() - at > MAX_AGE_MS) storage.removeItem(key);
  }

  #read(key: string): Kept | undefined {
    const text = this.#deps.storage.getItem(key);
    if (text === null) return undefined;
    try {
      const kept: unknown = JSON.parse(text);
      return isKept(kept) ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  #now(): number {
    return (this.#deps.now ?? Date.now)();
  }
}

const isKept = (kept: unknown): kept is Kept =>
  typeof kept === 'object' &&
  kept !== null &&
  'value' in kept &&
  'at' in kept &&
  typeof kept.at === 'number' &&
  'base' in kept &&
  (kept.base === null || typeof kept.base === 'string');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

const isAlike = (a: unknown, b: unknown): boolean => a == null || b == null || kindOf(a) === kindOf(b);

/**
 * Returns a stored draft whose missing fields are filled from `value`. Returns undefined if the shape of the draft
 * differs, since such a draft would break the page.
 */
export const fitting = <T>(value: T, kept: unknown): T | undefined => {
  if (!isRecord(value)) return kept !== null && isAlike(value, kept) ? (kept as T) : undefined;
  if (!isRecord(kept)) return undefined;
  const fits = Object.entries(value).every(([name, now]) => isAlike(now, kept[name]));
  return fits ? ({ ...value, ...kept } as T) : undefined;
};
