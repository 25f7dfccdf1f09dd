/**
 * The session's token: kept in the browser, shared by its tabs, gone when the server no longer accepts it. Then it has
 * lapsed: the page stays, and whoever was signed in does so again.
 */

const KEY = 'vitrine.session';
/** Stands in its place when it has lapsed: other tabs are to know that nobody signed out. */
const LAPSED = '';

type Listener = () => void;
const listeners = new Set<Listener>();
let token: string | null = localStorage.getItem(KEY) || null;
let left = false;
let lapsed = false;

const announce = () => {
  for (const listener of listeners) listener();
};

// Signing out in one tab signs out the others.
addEventListener('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return;
  const stored = localStorage.getItem(KEY);
  lapsed = stored === LAPSED && (lapsed || token !== null);
  token = stored || null;
  announce();
});

export const session = {
  token: (): string | null => token,
  begin(next: string): void {
    token = next;
    lapsed = false;
    localStorage.setItem(KEY, next);
    announce();
  },
  /** Keeps it for the page that is loaded next; this one never has it. */
  handOver(next: string): void {
    localStorage.setItem(KEY, next);
  },
  /** Whether it ended by itself, and the page waits for the same person. */
  lapsed: (): boolean => lapsed,
  /** Waits no longer: signing in is a page of its own. */
  giveUp(): void {
    lapsed = false;
    localStorage.removeItem(KEY);
    announce();
  },
  /** Whether the person signed out on purpose: then whoever signs in next need not come back to the same page. */
  left: (): boolean => left,
  end(how: { onPurpose?: boolean } = {}): void {
    if (token === null) return;
    left = how.onPurpose ?? false;
    lapsed = !left;
    token = null;
    if (left) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, LAPSED);
    announce();
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
