/**
 * A frame with the page of somebody else, wherever one is shown: opened until there is something to see, silent unless
 * it is to be heard, and given up when it breaks. Where nobody watches the browser's frames (frame-news.ts) only `load`
 * tells of it.
 */

import { after, backoff, pause } from '../backoff.ts';
import { el } from '../dom.ts';
import { messageOf } from '../faults.ts';
import { isWatched, newFrameName, onFrameNews, soundMessages } from '../frame-news.ts';
import type { Verdict } from '../frame-verdict.ts';
import { type FrameKind, refuse, sandboxFor } from './frame-rules.ts';

/** A frame says `load` before it has painted, and before whoever watches it has seen it. */
const PAINT_AFTER_LOAD_MS = 250;
/** A page of which something can be seen gets so long for the rest, which may never end. */
const SETTLE_MS = 2_000;
/** After so long an unwatched page whose address answered (probe.ts) is taken to show something. */
const UNWATCHED_MS = 8_000;
/** A page that stayed where it was is loaded again after 5, 10, 20 … 300 s. */
const AGAIN_BASE_MS = 5_000;
const AGAIN_CEILING_MS = 300_000;

export interface LiveFrameOptions {
  readonly kind: FrameKind;
  /** Needed before the page is opened: a bare browser cannot silence one that it has opened. */
  readonly muted: boolean;
  /** It showed something and then broke: it shows nothing from now on. A sentence for the operator. */
  readonly onBroken: (reason: string) => void;
  /**
   * It would have gone on to what cannot be shown, stayed where it was, and is tried again in the background; null: it
   * has gone on.
   */
  readonly onStale?: (reason: string | null) => void;
  /** Whether anybody answers at its address; rejects with a sentence. Absent: it has none but ours. */
  readonly answers?: () => Promise<void>;
}

export class LiveFrame {
  readonly element = el('iframe', '');
  readonly #options: LiveFrameOptions;
  readonly #ended = new AbortController();
  #verdict: Verdict | null = null;
  #isOpen = false;
  /** Null: its page is put into it by somebody else. */
  #address: string | null = null;
  #isBroken = false;
  #muted: boolean;
  #hear: (() => void) | null = null;
  #again = { timer: 0, attempts: 0 };

  constructor(options: LiveFrameOptions) {
    this.#options = options;
    this.#muted = options.muted;
    this.element.name = newFrameName();
    const { signal } = this.#ended;
    onFrameNews(this.element.name, (verdict) => this.#take(verdict), signal);
    window.addEventListener('message', (event) => this.#answer(event), { signal });
    this.element.addEventListener('load', () => this.#loaded(), { signal });
  }

  /** Resolves when it shows something; rejects with a sentence for the operator. In the document first. */
  async open(address: string): Promise<void> {
    this.#restrict(address);
    const shows = this.#shows();
    this.#address = address;
    this.element.src = address;
    await shows;
    await pause(PAINT_AFTER_LOAD_MS);
    // It may have failed meanwhile.
    if (this.#verdict?.kind === 'failed') throw new Error(this.#verdict.reason);
    this.#isOpen = true;
  }

  /** As `open`, of a page that somebody else puts into the frame. */
  async fill(address: string, put: () => Promise<void>): Promise<void> {
    this.#restrict(address);
    await put();
    this.#isOpen = true;
  }

  /**
   * Loads it once more if its address answers; otherwise the page stays as it is, which is better than the browser's
   * error page.
   */
  async reload(): Promise<void> {
    await this.#options.answers?.();
    if (!this.#ended.signal.aborted && !this.#isBroken && this.#address !== null) this.element.src = this.#address;
  }

  sound(muted: boolean): void {
    const becomesSilent = muted && !this.#muted;
    this.#muted = muted;
    this.#saySound();
    if (isWatched() || !this.#isOpen || this.#address === null) return;
    // In a bare browser what a frame may do changes with its next page.
    this.#restrict(this.#address);
    if (becomesSilent) this.element.src = this.#address;
  }

  /** Silences a page that is about to go, without loading it anew for that. */
  hush(): void {
    this.#muted = true;
    this.#saySound();
  }

  destroy(): void {
    this.#ended.abort();
    clearTimeout(this.#again.timer);
    this.element.removeAttribute('src');
  }

  #restrict(address: string): void {
    const silent = this.#muted && !isWatched();
    refuse(this.element, this.#options.kind, { silent });
    this.element.setAttribute('sandbox', sandboxFor(this.#options.kind, address, location.hostname));
  }

  #shows(): Promise<void> {
    const { signal } = this.#ended;
    return new Promise((resolve, reject) => {
      let isSettling = false;
      const later = (ms: number, cause: 'loaded' | 'settled' | 'late') => after(ms, () => look(cause), signal);
      const look = (cause: 'news' | 'loaded' | 'settled' | 'late'): void => {
        const verdict = this.#verdict;
        if (verdict === null) {
          // Whoever watches has not seen it: then it is of this page's own process, or nobody watches.
          if (cause === 'loaded' || cause === 'late') resolve();
        } else if (verdict.kind === 'failed') reject(new Error(verdict.reason));
        else if (verdict.kind === 'good' || (cause === 'settled' && verdict.kind !== 'waiting')) resolve();
        else if (verdict.kind === 'content' && !isSettling) {
          isSettling = true;
          later(SETTLE_MS, 'settled');
        }
      };
      this.#hear = () => look('news');
      this.element.addEventListener('load', () => later(PAINT_AFTER_LOAD_MS, 'loaded'), { once: true, signal });
      later(UNWATCHED_MS, 'late');
    });
  }

  #take(verdict: Verdict): void {
    const before = this.#verdict;
    this.#verdict = verdict;
    this.#hear?.();
    if (!this.#isOpen) return;
    if (verdict.kind === 'failed') this.#break(verdict.reason);
    else if (verdict.kind === 'stale') this.#stale(verdict.reason);
    else if (verdict.kind === 'good' && before?.kind !== 'good') this.#stale(null);
  }

  #stale(reason: string | null): void {
    clearTimeout(this.#again.timer);
    this.#options.onStale?.(reason);
    if (reason === null) this.#again.attempts = 0;
    else this.#reloadLater();
  }

  #reloadLater(): void {
    this.#again.timer = window.setTimeout(
      () => void this.reload().catch(() => !this.#ended.signal.aborted && this.#reloadLater()),
      backoff(this.#again.attempts++, AGAIN_BASE_MS, AGAIN_CEILING_MS),
    );
  }

  /** A page that goes on to another says so; to the browser's error page, too. */
  #loaded(): void {
    if (!this.#isOpen || isWatched()) return;
    this.#options.answers?.().catch((error: unknown) => !this.#ended.signal.aborted && this.#break(messageOf(error)));
  }

  #break(reason: string): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    // Hides the browser's own error page.
    this.element.style.visibility = 'hidden';
    clearTimeout(this.#again.timer);
    this.#options.onBroken(reason);
  }

  /** Tells a page that has just begun and asks for it whether it may be heard. */
  #answer({ source, data }: MessageEvent<{ readonly type?: unknown } | null>): void {
    if (source === this.element.contentWindow && isWatched() && data?.type === soundMessages()) this.#saySound();
  }

  /** '*' because an opaque origin has no name. What hears it is ours (agent/frame-guard.ts). */
  #saySound(): void {
    const type = soundMessages();
    if (type !== null) this.element.contentWindow?.postMessage({ type, muted: this.#muted }, '*');
  }
}
