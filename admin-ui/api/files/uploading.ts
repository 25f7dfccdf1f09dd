/** Whether this window has uploaded files. The upload tray is loaded only after the first upload. */
let begun = false;
const listeners = new Set<() => void>();

export const uploading = {
  begun: (): boolean => begun,
  /** Called when the first file is uploaded. */
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
