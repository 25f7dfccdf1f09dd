import { useEffect, useState } from 'react';
import { useImage } from './useImage.ts';

/** As `useImage`, but the old picture stays until the new one has come: a live picture must not blink. */
export const useSteadyImage = (url: string | null): string | null => {
  const [shown, setShown] = useState<string | null>(null);
  const next = useImage(url);
  // Keeps the old one in use, and so alive, until `shown` moves on.
  const old = useImage(shown);
  useEffect(() => {
    if (next.status === 'ready') setShown(url);
    else if (url === null) setShown(null);
  }, [next.status, url]);
  if (next.status === 'ready') return next.src;
  return old.status === 'ready' ? old.src : null;
};
