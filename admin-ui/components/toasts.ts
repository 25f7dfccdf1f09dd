/** Short messages at the edge of the window. What matters for longer belongs on the page. */
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

export type ToastContent = {
  readonly tone: 'done' | 'problem' | 'note';
  readonly text: string;
  readonly detail?: string | undefined;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};

export const toastQueue = new ToastQueue<ToastContent>({ maxVisibleToasts: 4 });

/** Long enough to read and to reach the button; React Aria stops the clock while it is hovered or focused. */
const TIMEOUT_MS = { done: 6000, note: 8000, problem: 12_000 } as const;
export const UNDO_MS = 8000;

export const toast = (
  content: ToastContent,
  options: { timeout?: number; onClose?: () => void } = {},
): (() => void) => {
  const key = toastQueue.add(content, {
    timeout: options.timeout ?? (content.action ? UNDO_MS : TIMEOUT_MS[content.tone]),
    ...(options.onClose && { onClose: options.onClose }),
  });
  return () => toastQueue.close(key);
};
