import { useEffect, useState } from 'react';
import { useImage } from './useImage.ts';

/** Like `useImage`, but the old picture stays until the new one is loaded, so that a live picture does not flicker. */
export const useSteadyImage = (url: string | null): string | null => {
  const [shown, setShown] = useState<string | null>(null);
  const next = useImage(url);
  // Keeps the old picture in use, and therefore in the cache, until `shown` changes.
  const old = useImage(shown);
  useEffect(() => {
    if (next.status === 'ready') setShown(url);
    else if (url === null) setShown(null);
  }, [next.status, url]);
  if (next.status === 'ready') return next.src;
  return old.status === 'ready' ? old.src : null;
};
