/** Keeps the panel from sleeping if the browser supports it (secure pages only). */
export function keepAwake(): () => void {
  const done = new AbortController();
  const ask = (): void => {
    // The browser ends the lock whenever the page is hidden, so it is requested again. With a low battery the browser
    // refuses the lock.
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', ask, { signal: done.signal });
  ask();
  return () => done.abort();
}
