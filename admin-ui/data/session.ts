/**
 * The session's token: kept in the browser, shared by its tabs, gone when the server no longer accepts it. Then it has
 * lapsed: the page stays, and whoever was signed in does so again.
 */

import { browserStore } from '../components/browserStore.ts';

const KEY = 'vitrine.session';
/** Stands in its place when it has lapsed: other tabs are to know that nobody signed out. */
const LAPSED = '';

/** What cannot be sent in a header is no token, whoever put it there. */
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
  /** Keeps it for the page that is loaded next; this one never has it. */
  handOver(next: string): void {
    browserStore.setItem(KEY, next);
  },
  /** Whether it ended by itself, and the page waits for the same person. */
  lapsed: (): boolean => lapsed,
  /** Waits no longer: signing in is a page of its own. */
  giveUp(): void {
    lapsed = false;
    browserStore.removeItem(KEY);
    announce();
  },
  /** Whether the person signed out on purpose: then whoever signs in next need not come back to the same page. */
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
