/** Opens the message dialog from any page of the admin window. The frame (Shell.tsx) renders the dialog. */
import { useSyncExternalStore } from 'react';
import type { MessageTarget } from '../../../shared/contract/screens/messages.ts';

/** A target of a message, with its name; the name is '' for all screens. */
export type ChosenTarget = { readonly kind: MessageTarget['kind']; readonly id: string; readonly name: string };
export const EVERYWHERE: ChosenTarget = { kind: 'all', id: '', name: '' };

/** Targets that are selected when the dialog opens; null while the dialog is closed. */
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
