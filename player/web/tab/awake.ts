/** Keeps the panel awake if the browser supports it (secure pages only). */
export function keepAwake(): () => void {
  const done = new AbortController();
  const ask = (): void => {
    // The lock ends whenever the page is hidden. With a low battery the browser refuses it.
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', ask, { signal: done.signal });
  ask();
  return () => done.abort();
}
