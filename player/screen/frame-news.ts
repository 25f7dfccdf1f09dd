/**
 * What is known of the page in a frame by whoever controls the browser (agent/frame-watch.ts, desktop/), told to the
 * screen page by an event that only it can make: no frame reaches this window but by messages.
 */
import type { Verdict } from './frame-verdict.ts';

/** Names of frames that are watched. */
export const FRAME_PREFIX = 'vitrine-frame-';
/** Of the event. */
export const FRAME_NEWS = 'vitrine:frame';

export interface FrameNews {
  readonly name: string;
  readonly verdict: Verdict;
}

let frames = 0;
/** No two frames of one page have the same. */
export const newFrameName = (): string => `${FRAME_PREFIX}${++frames}`;

/**
 * What messages about sound are called between this page and its frames; null: nobody watches them. Put there before
 * the first script.
 */
export const soundMessages = (): string | null => ('vitrineWatched' in window ? String(window.vitrineWatched) : null);
export const isWatched = (): boolean => soundMessages() !== null;

export function onFrameNews(name: string, hear: (verdict: Verdict) => void, signal: AbortSignal): void {
  window.addEventListener(
    FRAME_NEWS,
    (event) => {
      const news = (event as CustomEvent<FrameNews>).detail;
      if (news.name === name) hear(news.verdict);
    },
    { signal },
  );
}
