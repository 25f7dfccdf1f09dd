/**
 * The session's token: stored in the browser, shared by its tabs, removed when the server no longer accepts it. The
 * session has then lapsed: the page stays, and the user signs in again.
 */

import { browserStore } from '../../components/hooks/browserStore.ts';

const KEY = 'vitrine.session';
/** Stored instead of a lapsed token, so that other tabs know that nobody signed out. */
const LAPSED = '';

/** A text that cannot be sent in a header is no token, whatever its origin. */
const readable = (stored: string | null): string | null => (stored && /^[!-~]+$/.test(stored) ? stored : null);

type Listener = () => void;
const listeners = new Set<Listener>();
let token: string | null = readable(browserStore.getItem(KEY));
let left = false;
let lapsed = false;

const announce = () => {
  for (const listener of listeners) listener();
};

// Signing out in one tab signs out the others.
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
  /** Stores the token for the next page load. This page does not use it. */
  handOver(next: string): void {
    browserStore.setItem(KEY, next);
  },
  /** Whether the session ended by itself, and the page waits for the same user. */
  lapsed: (): boolean => lapsed,
  /** Stops waiting: signing in is a separate page now. */
  giveUp(): void {
    lapsed = false;
    browserStore.removeItem(KEY);
    announce();
  },
  /** Whether the user signed out on purpose. Then the next sign-in need not return to the same page. */
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
