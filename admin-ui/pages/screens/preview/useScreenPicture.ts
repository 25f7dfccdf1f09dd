import { useEffect, useRef } from 'react';
import { useSteadyImage } from '../../../api/files/useSteadyImage.ts';
import { requestScreenshot, screenPictureUrl } from '../../../api/screens.ts';
import { serverNow } from '../../../components/hooks/serverClock.ts';

/** Maximum number of parallel screenshot requests from this window, so that API requests find a free connection. */
const PARALLEL = 2;
let asking = 0;
const waiting: (() => void)[] = [];
const turn = async (): Promise<() => void> => {
  if (asking >= PARALLEL) await new Promise<void>((go) => waiting.push(go));
  asking++;
  return () => {
    asking--;
    waiting.shift()?.();
  };
};

type Subject = { id: string; online: boolean; canShoot: boolean; takenAt: number | null };

/**
 * Returns the newest screenshot of the screen. Requests a new one every `everySeconds` while the screen is online
 * and the page is visible.
 */
export const useScreenPicture = ({ id, online, canShoot, takenAt }: Subject, everySeconds: number): string | null => {
  const taken = useRef(takenAt);
  taken.current = takenAt;
  useEffect(() => {
    if (!online || !canShoot) return;
    const abort = new AbortController();
    const refresh = async () => {
      const age = serverNow() / 1000 - (taken.current ?? 0);
      if (document.visibilityState === 'hidden' || age < everySeconds * 0.7) return;
      const done = await turn();
      try {
        if (!abort.signal.aborted) await requestScreenshot(id, abort.signal);
      } catch {
        // A failure needs no action, since the next refresh tries again.
      } finally {
        done();
      }
    };
    void refresh();
    const timer = setInterval(() => void refresh(), everySeconds * 1000);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [id, online, canShoot, everySeconds]);
  return useSteadyImage(screenPictureUrl(id, takenAt));
};
