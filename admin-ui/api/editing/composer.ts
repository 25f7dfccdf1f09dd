/** Opens the message dialog from anywhere in the window. The frame shows it. */
import { useSyncExternalStore } from 'react';
import type { MessageTarget } from '../../../shared/contract/screens/messages.ts';

/** Target of a message, with its name; '' for all. */
export type ChosenTarget = { readonly kind: MessageTarget['kind']; readonly id: string; readonly name: string };
export const EVERYWHERE: ChosenTarget = { kind: 'all', id: '', name: '' };

/** Initial targets; null while the dialog is closed. */
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
  /** @param targets if empty, the message goes to all screens until the user chooses */
  open: (targets: readonly ChosenTarget[] = []): void => set(targets),
  close: (): void => set(null),
};

export const useComposer = () => useSyncExternalStore(subscribe, () => open);
