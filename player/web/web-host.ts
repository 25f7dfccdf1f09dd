/**
 * The host of the screen when player and screen run in one page. It gives the screen the state of the core, and an
 * address for every file.
 */

import type { Refresh } from '../../shared/protocol/messages.ts';
import type { Player } from '../core/player.ts';
import type { WidgetData } from '../core/program/widget-data.ts';
import { Serial } from '../core/serial.ts';
import type { ScreenHost, ScreenReport, ScreenState } from '../screen/host/host.ts';
import { openDocument } from './document-frame.ts';
import type { AssetUrls } from './storage/asset-urls.ts';

/**
 * Milliseconds before the page "searching for a server" is shown. The server's address is known and it usually answers
 * at once, so the page would only flash.
 */
const PATIENCE_MS = 2_000;

interface Deps {
  readonly player: Player;
  readonly urls: AssetUrls;
  readonly widgets: WidgetData;
}

export class WebHost implements ScreenHost {
  readonly #deps: Deps;
  readonly #listeners = new Set<(state: ScreenState) => void>();
  readonly #reports = new Serial();
  readonly #states = new Serial();
  #state: ScreenState | null = null;
  #patient = true;
  #timer = 0;
  #pdf: Promise<void> | undefined;
  #undo: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = window.setTimeout(() => {
      this.#patient = false;
      this.notify();
    }, PATIENCE_MS);
    this.#undo = this.#deps.player.subscribe(
      (state) => void this.#states.run(() => this.#take(state)).catch((error) => console.error(error)),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#undo?.();
    this.#listeners.clear();
  }

  subscribe(listener: (state: ScreenState) => void): () => void {
    this.#listeners.add(listener);
    if (this.#state && !this.#withheld) listener(this.#state);
    return () => this.#listeners.delete(listener);
  }

  report(report: ScreenReport): void {
    void this.#reports.run(() => this.#deps.player.report(report)).catch((error) => console.error(error));
  }

  /** Resolves when all reports so far have been handled. */
  reported(): Promise<void> {
    return this.#reports.run(async () => {});
  }

  assetUrl(sha256: string): string {
    return this.#deps.urls.url(sha256);
  }

  async openPage(frame: HTMLIFrameElement, sha256: string): Promise<void> {
    await openDocument(frame, await this.#deps.urls.text(sha256));
  }

  now(): number {
    return this.#deps.player.now();
  }

  wallRefresh(): Refresh | null {
    return this.#deps.player.wallRefresh();
  }

  async widgetData(path: string): Promise<unknown> {
    const text = await this.#deps.widgets.find(path);
    return text === undefined ? null : (JSON.parse(text) as unknown);
  }

  /** Sends the state to the listeners, also after a clock jump, because they sleep until instants of the old clock. */
  notify(): void {
    if (!this.#state || this.#withheld) return;
    for (const listener of this.#listeners) {
      try {
        listener(this.#state);
      } catch (error) {
        console.error(error);
      }
    }
  }

  get #withheld(): boolean {
    return this.#patient && this.#state?.phase === 'searching';
  }

  /**
   * If the server is unreachable, the next change of the state tries again. Until then, opening a PDF reports that its
   * code is missing.
   */
  #readyForPdf(): void {
    this.#pdf ??= import('./pdf-ready.ts')
      .then(({ readyForPdf }) => readyForPdf())
      .catch(() => (this.#pdf = undefined));
  }

  async #take(state: ScreenState): Promise<void> {
    const { urls } = this.#deps;
    if (state.phase === 'playing') {
      const { program, overlay } = state;
      const assets = [...(program?.assets ?? []), ...(overlay?.asset ? [overlay.asset] : [])];
      await urls.follow(`${state.program_id} ${overlay?.asset?.sha256}`, assets);
      if (program?.assets.some(({ mime }) => mime === 'application/pdf')) this.#readyForPdf();
    }
    this.#state = state;
    if (state.phase !== 'searching') this.#patient = false;
    this.notify();
    // The previous content has left the screen by now.
    if (state.phase !== 'playing') urls.clear();
  }
}
