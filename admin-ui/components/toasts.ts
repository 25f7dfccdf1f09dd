/** Short messages at the edge of the window. What matters for longer belongs on the page. */

export type ToastContent = {
  readonly tone: 'done' | 'problem' | 'note';
  readonly text: string;
  readonly detail?: string | undefined;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};
type ToastOptions = { timeout?: number; onClose?: () => void };
/** Shows a message; the function returned takes it away. */
type Show = (content: ToastContent, options: Required<Pick<ToastOptions, 'timeout'>> & ToastOptions) => () => void;

/** Long enough to read and to reach the button; React Aria stops the clock while it is hovered or focused. */
const TIMEOUT_MS = { done: 6000, note: 8000, problem: 12_000 } as const;
/** What can be taken back is there for as long as WCAG 2.2.1 gives people to say that they need longer. */
const UNDO_MS = 20_000;

/** Said before those who show it were loaded. */
const waiting: ((show: Show) => void)[] = [];
const listeners = new Set<() => void>();
let shower: Show | undefined;

/** Whether something waits to be shown. */
export const toastsWait = {
  now: (): boolean => waiting.length > 0,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Takes over what was said until now, and everything that follows. */
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
