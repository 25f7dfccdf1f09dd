/** Whether this window has sent files yet. What shows them on their way is not loaded before. */
let begun = false;
const listeners = new Set<() => void>();

export const uploading = {
  begun: (): boolean => begun,
  /** Called with the first file. */
  begin: (): void => {
    if (begun) return;
    begun = true;
    for (const listener of [...listeners]) listener();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
