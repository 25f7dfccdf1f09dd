/** Short messages at the edge of the window. Lasting information belongs on the page. */

export type ToastContent = {
  readonly tone: 'done' | 'problem' | 'note';
  readonly text: string;
  readonly detail?: string | undefined;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};
type ToastOptions = { timeout?: number; onClose?: () => void };
/** Shows a message. Returns a function that removes it. */
type Show = (content: ToastContent, options: Required<Pick<ToastOptions, 'timeout'>> & ToastOptions) => () => void;

/** Long enough to read and to reach the button. React Aria pauses the time while the message is hovered or focused. */
const TIMEOUT_MS = { done: 6000, note: 8000, problem: 12_000 } as const;
/** An undo button stays for as long as WCAG 2.2.1 grants people to ask for more time. */
const UNDO_MS = 20_000;

/** Messages sent before the code to show them was loaded. */
const waiting: ((show: Show) => void)[] = [];
const listeners = new Set<() => void>();
let shower: Show | undefined;

/** Whether messages are waiting. */
export const toastsWait = {
  now: (): boolean => waiting.length > 0,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Shows the waiting messages, and all that follow. */
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
