/** Keeps the panel from going to sleep, where browsers let pages ask for it (secure pages only). */
export function keepAwake(): () => void {
  const done = new AbortController();
  const ask = (): void => {
    // It ends by itself whenever the page is out of sight. Low on battery it is refused, and that is that.
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', ask, { signal: done.signal });
  ask();
  return () => done.abort();
}
