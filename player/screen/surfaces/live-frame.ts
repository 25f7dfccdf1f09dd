/**
 * A frame with a foreign page: opened until content is visible, silent unless sound is allowed, and given up when it
 * breaks. If the browser's frames are not watched (frame-news.ts), only the `load` event is available.
 */

import { el } from '../dom.ts';
import { isWatched, newFrameName, onFrameNews, soundMessages } from '../frames/frame-news.ts';
import type { Verdict } from '../frames/frame-verdict.ts';
import { after, backoff, pause } from '../host/backoff.ts';
import { messageOf } from '../host/faults.ts';
import { type FrameKind, refuse, sandboxFor } from './frame-rules.ts';

/**
 * Milliseconds to wait after `load`: a frame fires `load` before it has painted, and before the browser's watcher has
 * reported about it.
 */
const PAINT_AFTER_LOAD_MS = 250;
/**
 * Milliseconds that a page which already shows content may take to finish loading. Then it is shown, because it may
 * never finish.
 */
const SETTLE_MS = 2_000;
/** Time in milliseconds after which an unwatched page whose address answered (probe.ts) counts as visible. */
const UNWATCHED_MS = 8_000;
/** Delays after which a page that stayed on its old content is loaded again: 5, 10, 20 … 300 s. */
const AGAIN_BASE_MS = 5_000;
const AGAIN_CEILING_MS = 300_000;

export interface LiveFrameOptions {
  readonly kind: FrameKind;
  /**
   * Whether the page is muted. Needed before the page is opened, because a bare browser cannot silence an open page.
   */
  readonly muted: boolean;
  /**
   * Called with a sentence for the operator when the page showed something and then broke. The page shows nothing from
   * now on.
   */
  readonly onBroken: (reason: string) => void;
  /**
   * Called with the reason when the page tried to navigate to content that cannot be shown and stayed on its old
   * content. The page is retried in the background. Null: the page has continued.
   */
  readonly onStale?: (reason: string | null) => void;
  /** Checks that the address answers; rejects with a sentence for the operator. Absent: the page is our own page. */
  readonly answers?: () => Promise<void>;
}

export class LiveFrame {
  readonly element = el('iframe', '');
  readonly #options: LiveFrameOptions;
  readonly #ended = new AbortController();
  #verdict: Verdict | null = null;
  #isOpen = false;
  /** Address of the open page; null: the host puts the page into the frame. */
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

  /**
   * Resolves when the page shows something; rejects with a sentence for the operator. The frame must be in the
   * document.
   */
  async open(address: string): Promise<void> {
    this.#restrict(address);
    const shows = this.#shows();
    this.#address = address;
    this.element.src = address;
    await shows;
    await pause(PAINT_AFTER_LOAD_MS);
    // The page may have failed during the wait.
    if (this.#verdict?.kind === 'failed') throw new Error(this.#verdict.reason);
    this.#isOpen = true;
  }

  /** Shows a page that the host writes into the frame. Resolves like `open`. */
  async fill(address: string, put: () => Promise<void>): Promise<void> {
    this.#restrict(address);
    await put();
    this.#isOpen = true;
  }

  /**
   * Loads the page again if its address answers. Otherwise the page stays as it is, which is better than the browser's
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
    // In a bare browser, a changed permission of a frame applies only to the next page in it.
    this.#restrict(this.#address);
    if (becomesSilent) this.element.src = this.#address;
  }

  /** Silences a page before it is removed, without reloading it. */
  silence(): void {
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
          // No verdict has arrived for the frame: either no watcher exists, or the page runs in the process of the
          // screen page, where the watcher does not see it.
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

  /** Checks the address again when the page navigated, perhaps to the browser's error page. */
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

  /** Answers a new page that asks whether it may play sound. */
  #answer({ source, data }: MessageEvent<{ readonly type?: unknown } | null>): void {
    if (source === this.element.contentWindow && isWatched() && data?.type === soundMessages()) this.#saySound();
  }

  /**
   * The target origin is '*', because an opaque origin has no name. The receiver is our own script
   * (agent/browser/frame-guard.ts).
   */
  #saySound(): void {
    const type = soundMessages();
    if (type !== null) this.element.contentWindow?.postMessage({ type, muted: this.#muted }, '*');
  }
}
