/**
 * Toasts: short messages at the edge of the window. Information that must stay visible belongs on the page instead.
 */

export type ToastContent = {
  readonly tone: 'done' | 'problem' | 'note';
  readonly text: string;
  readonly detail?: string | undefined;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};
type ToastOptions = { timeout?: number; onClose?: () => void };
/** Shows a toast. Returns a function that removes the toast. */
type Show = (content: ToastContent, options: Required<Pick<ToastOptions, 'timeout'>> & ToastOptions) => () => void;

/**
 * Milliseconds for which a toast of each tone stays: long enough to read it and to reach its button. React Aria pauses
 * the time while the toast is hovered or focused.
 */
const TIMEOUT_MS = { done: 6000, note: 8000, problem: 12_000 } as const;
/**
 * Milliseconds for toasts with an undo button: 20 s, the time that WCAG 2.2.1 gives users to request an extension.
 */
const UNDO_MS = 20_000;

/** Toasts that were requested before the code to show them was loaded. */
const waiting: ((show: Show) => void)[] = [];
const listeners = new Set<() => void>();
let shower: Show | undefined;

/** Reports whether toasts wait for the code that shows them. */
export const toastsWait = {
  now: (): boolean => waiting.length > 0,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Shows the waiting toasts, and all later toasts, with this function. */
export const showToastsWith = (show: Show): void => {
  shower = show;
  for (const add of waiting.splice(0)) add(show);
};

export const toast = (content: ToastContent, options: ToastOptions = {}): (() => void) => {
  const timeout = options.timeout ?? (content.action ? UNDO_MS : TIMEOUT_MS[content.tone]);
  let close = () => {
    options.onClose?.();
    add = () => {};
  };
  let add = (show: Show) => {
    close = show(content, { ...options, timeout });
  };
  if (shower) add(shower);
  else {
    waiting.push((show) => add(show));
    for (const listener of listeners) listener();
  }
  return () => close();
};
