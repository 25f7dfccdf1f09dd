/**
 * Events about pages in frames, from the program that controls the browser (agent/browser/frame-watch.ts, desktop/). They are
 * dispatched on this window, which no frame can do: frames reach this window only by messages.
 */
import type { Verdict } from './frame-verdict.ts';

/** Prefix of the `name` of iframes that the agent checks for errors. */
export const FRAME_PREFIX = 'vitrine-frame-';
export const FRAME_NEWS = 'vitrine:frame';

export interface FrameNews {
  readonly name: string;
  readonly verdict: Verdict;
}

let frames = 0;
export const newFrameName = (): string => `${FRAME_PREFIX}${++frames}`;

/**
 * The type of messages about sound between this page and its frames, set before the first script runs; null: the frames
 * are not watched.
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
