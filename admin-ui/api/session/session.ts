/**
 * The session's token. The browser stores the token and shares it between tabs. The token is removed when the server
 * no longer accepts it. The session has then lapsed: the page stays, and the user signs in again.
 */

import { browserStore } from '../../components/hooks/browserStore.ts';

const KEY = 'vitrine.session';
/** Value that is stored instead of a lapsed token, so that other tabs know that the user has not signed out. */
const LAPSED = '';

/** Returns a stored token; null for a text that cannot be sent in a header. */
const readable = (stored: string | null): string | null => (stored && /^[!-~]+$/.test(stored) ? stored : null);

type Listener = () => void;
const listeners = new Set<Listener>();
let token: string | null = readable(browserStore.getItem(KEY));
let left = false;
let lapsed = false;

const announce = () => {
  for (const listener of listeners) listener();
};

// Follows the other tabs: signing out in one tab signs out all tabs.
addEventListener('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return;
  const stored = browserStore.getItem(KEY);
  lapsed = stored === LAPSED && (lapsed || token !== null);
  token = readable(stored);
  announce();
});

export const session = {
  token: (): string | null => token,
  begin(next: string): void {
    token = next;
    lapsed = false;
    browserStore.setItem(KEY, next);
    announce();
  },
  /** Stores the token that the next page load uses. This page keeps its own token. */
  handOver(next: string): void {
    browserStore.setItem(KEY, next);
  },
  /** Returns whether the session ended by itself, and the page waits until the same user signs in again. */
  lapsed: (): boolean => lapsed,
  /** Stops waiting for a new sign-in on this page. The sign-in page opens instead. */
  giveUp(): void {
    lapsed = false;
    browserStore.removeItem(KEY);
    announce();
  },
  /** Returns whether the user signed out on purpose. The next sign-in need not return to the same page then. */
  left: (): boolean => left,
  end(how: { onPurpose?: boolean } = {}): void {
    if (token === null) return;
    left = how.onPurpose ?? false;
    lapsed = !left;
    token = null;
    if (left) browserStore.removeItem(KEY);
    else browserStore.setItem(KEY, LAPSED);
    announce();
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
