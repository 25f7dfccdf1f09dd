/** Keeps the panel from going to sleep, where browsers let pages ask for it (secure pages only). */
export function keepAwake(): () => void {
  const done = new AbortController();
  const ask = (): void => {
    // The lock ends whenever the page is hidden. With a low battery it is refused.
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', ask, { signal: done.signal });
  ask();
  return () => done.abort();
}
