/** Opens "a message now" from anywhere in the window; the frame around the pages shows it. */
import { useSyncExternalStore } from 'react';
import type { MessageTarget } from '../../shared/contract/messages.ts';

/** Whom a message is for, with the name that people know; '' for all. */
export type ChosenTarget = { readonly kind: MessageTarget['kind']; readonly id: string; readonly name: string };
export const EVERYWHERE: ChosenTarget = { kind: 'all', id: '', name: '' };

/** Whom it is for to begin with; null: it is closed. */
let open: readonly ChosenTarget[] | null = null;
const listeners = new Set<() => void>();
const set = (next: typeof open): void => {
  open = next;
  for (const listener of [...listeners]) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const composer = {
  /** @param targets of none it is for all screens, until somebody chooses */
  open: (targets: readonly ChosenTarget[] = []): void => set(targets),
  close: (): void => set(null),
};

export const useComposer = () => useSyncExternalStore(subscribe, () => open);
