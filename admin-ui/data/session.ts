/** The session's token: kept in the browser, shared by its tabs, gone when the server no longer accepts it. */

const KEY = 'vitrine.session';

type Listener = () => void;
const listeners = new Set<Listener>();
let token: string | null = localStorage.getItem(KEY);
let left = false;

const announce = () => {
  for (const listener of listeners) listener();
};

// Signing out in one tab signs out the others.
addEventListener('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return;
  token = localStorage.getItem(KEY);
  announce();
});

export const session = {
  token: (): string | null => token,
  begin(next: string): void {
    token = next;
    localStorage.setItem(KEY, next);
    announce();
  },
  /** Whether the person signed out on purpose: then whoever signs in next need not come back to the same page. */
  left: (): boolean => left,
  end(how: { onPurpose?: boolean } = {}): void {
    if (token === null) return;
    left = how.onPurpose ?? false;
    token = null;
    localStorage.removeItem(KEY);
    announce();
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
