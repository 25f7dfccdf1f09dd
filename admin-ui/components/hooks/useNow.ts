import { useSyncExternalStore } from 'react';
import { serverNow } from './serverClock.ts';

/** Interval in milliseconds of the one timer for all relative times in the window ("2 minutes ago"). */
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

/** Returns the present time by the server's clock in epoch seconds, updated every 5 s. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => {
    // Without subscribers no timer runs, so the time is read again here.
    if (timer === undefined) now = Math.floor(serverNow() / 1000);
    return now;
  });
