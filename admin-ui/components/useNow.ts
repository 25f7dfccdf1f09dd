import { useSyncExternalStore } from 'react';

/** One clock for all "2 minutes ago" of the window. */
const TICK_MS = 5000;
let now = Math.floor(Date.now() / 1000);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Math.floor(Date.now() / 1000);
    for (const each of [...listeners]) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** Epoch seconds, renewed every 5 s. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => {
    // Takes a new time, since nobody has listened for a while.
    if (timer === undefined) now = Math.floor(Date.now() / 1000);
    return now;
  });
