import { useSyncExternalStore } from 'react';
import { serverNow } from './serverClock.ts';

/** One clock for all "2 minutes ago" of the window. */
const TICK_MS = 5000;
let now = Math.floor(serverNow() / 1000);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Math.floor(serverNow() / 1000);
    for (const each of [...listeners]) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** Epoch seconds by the server's clock, renewed every 5 s. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => {
    // Takes a new time, since nobody has listened for a while.
    if (timer === undefined) now = Math.floor(serverNow() / 1000);
    return now;
  });
