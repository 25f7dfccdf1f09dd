/**
 * Stores and times the overlay of the screen. There is one overlay at a time; the newest replaces the previous overlay.
 * Its display time begins when it becomes visible. Until this time is over, the overlay survives restarts.
 */
import { z } from 'zod';
import type { Asset } from '../../../shared/program/program.ts';
import { overlayBeginsBy, PipShow } from '../../../shared/protocol/messages.ts';
import { messageOf } from '../errors.ts';
import { readDocument } from '../files/documents.ts';
import type { Host, Undo } from '../ports.ts';

const NAME = 'overlay';
const Saved = z.object({
  format: z.literal(1),
  show: PipShow.nullable(),
  /**
   * Id of the last overlay that ended. If the server sends this overlay again after a reconnect, the player reports its
   * end again and does not show it twice.
   */
  ended: z.string().nullable(),
  /** End of the display time on the server clock; null: not visible yet, or without an end. */
  ends_at: z.number().nullable().default(null),
});

export interface OverlayResult {
  readonly pip_id: string;
  readonly status: 'shown' | 'failed' | 'cleared';
  readonly error?: string | undefined;
  /** Time since which the overlay is visible, on the server clock. */
  readonly at?: number | undefined;
}

interface Deps extends Pick<Host, 'documents' | 'log' | 'time'> {
  /** Returns the server clock, epoch milliseconds. */
  readonly now: () => number;
  readonly changed: () => void;
  readonly result: (result: OverlayResult) => void;
  /** Resolves once the file is stored and checked. */
  readonly fetch: (asset: Asset, signal: AbortSignal) => Promise<void>;
}

/** An overlay that is still downloading. The current overlay stays until the file is complete. */
interface Coming {
  readonly message: PipShow;
  readonly stop: AbortController;
}

export class Overlay {
  readonly #deps: Deps;
  #show: PipShow | null = null;
  #ended: string | null = null;
  #endsAt: number | null = null;
  #visible = false;
  #coming: Coming | null = null;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const saved = await readDocument(this.#deps, NAME, Saved);
    this.#ended = saved?.ended ?? null;
    this.#show = saved?.show ?? null;
    this.#endsAt = saved?.ends_at ?? null;
    this.#watch();
  }

  stop(): void {
    this.#coming?.stop.abort();
    this.#cancel?.();
  }

  /** Returns the files of the current overlay and of the overlay that is downloading. */
  get assets(): readonly Asset[] {
    return [this.#show?.asset, this.#coming?.message.asset].filter((asset) => asset !== undefined);
  }

  /** Computes the time until the end again, after a clock jump. */
  clockStepped(): void {
    this.#watch();
  }

  /** Returns the current overlay with its expected end in `until`. */
  get current(): PipShow | null {
    const until = this.#until;
    return this.#show && { ...this.#show, ...(until !== undefined && { until }) };
  }

  async show(message: PipShow): Promise<void> {
    const { now, result } = this.#deps;
    const bounded = message.duration > 0 && message.begin_by === undefined && message.until === undefined;
    const show = bounded ? { ...message, begin_by: overlayBeginsBy(now(), message.duration) } : message;
    if (message.pip_id === this.#ended || (beginsBy(show) ?? Number.POSITIVE_INFINITY) <= now())
      return result({ pip_id: message.pip_id, status: 'cleared' });
    if (message.pip_id === this.#coming?.message.pip_id) return;
    if (message.pip_id === this.#show?.pip_id) {
      if (this.#visible) return result({ pip_id: message.pip_id, status: 'shown' });
      if (show.asset === undefined || this.#show.asset !== undefined) return;
    }
    this.#dropComing();
    if (show.asset === undefined) return this.#take(show);
    this.#coming = { message: show, stop: new AbortController() };
    void this.#fetched(this.#coming, show.asset);
  }

  /**
   * Downloads the file of the overlay. If the download fails, for example because the server no longer has the file,
   * the address of the overlay is used instead.
   */
  async #fetched(coming: Coming, asset: Asset): Promise<void> {
    const { fetch, log } = this.#deps;
    let { message } = coming;
    try {
      await fetch(asset, coming.stop.signal);
    } catch (error) {
      if (coming.stop.signal.aborted) return;
      log.warn(`the file of an overlay did not arrive: ${messageOf(error)}`);
      const { asset: _asset, ...rest } = message;
      message = rest;
    }
    if (this.#coming !== coming) return;
    this.#coming = null;
    await this.#take(message);
  }

  #dropComing(): void {
    const pip_id = this.#coming?.message.pip_id;
    this.#coming?.stop.abort();
    this.#coming = null;
    if (pip_id !== undefined) this.#deps.result({ pip_id, status: 'cleared' });
  }

  async #take(show: PipShow): Promise<void> {
    const replaced = this.#show;
    const isOther = replaced !== null && replaced.pip_id !== show.pip_id;
    await this.#set(show, isOther ? replaced.pip_id : this.#ended);
    if (isOther) this.#deps.result({ pip_id: replaced.pip_id, status: 'cleared' });
  }

  /** Removes the overlay with this id; without an id, any overlay. */
  async clear(pipId?: string): Promise<void> {
    const coming = this.#coming?.message.pip_id;
    if (pipId === undefined || pipId === coming) {
      this.#dropComing();
      if (this.#show?.pip_id !== coming && pipId !== undefined) return;
    }
    const showing = this.#show?.pip_id;
    if (showing !== undefined && (pipId === undefined || pipId === showing)) return this.#end(showing);
    if (pipId !== undefined) this.#deps.result({ pip_id: pipId, status: 'cleared' });
  }

  /** Handles a report of the screen. `cleared` also when a person pressed the button of the overlay. */
  async reported({ pip_id, status, error, at }: OverlayResult): Promise<void> {
    if (pip_id !== this.#show?.pip_id) return;
    if (status === 'cleared') return this.#end(pip_id);
    this.#visible = status === 'shown';
    this.#deps.result({
      pip_id,
      status,
      ...(error !== undefined && { error: error.slice(0, 2_000) }),
      ...(at !== undefined && { at }),
    });
    if (status === 'shown') await this.#seen(at ?? this.#deps.now());
  }

  async forget(): Promise<void> {
    this.#coming?.stop.abort();
    this.#coming = null;
    this.#cancel?.();
    this.#show = this.#ended = this.#endsAt = null;
    await this.#deps.documents.remove(NAME);
  }

  async #end(pipId: string): Promise<void> {
    await this.#set(null, pipId);
    this.#deps.result({ pip_id: pipId, status: 'cleared' });
  }

  async #set(show: PipShow | null, ended: string | null): Promise<void> {
    this.#show = show;
    this.#ended = ended;
    this.#endsAt = null;
    this.#visible = false;
    await this.#keep();
  }

  /** Starts the display time, once. A reloaded page shows the overlay for the remaining time. */
  async #seen(at: number): Promise<void> {
    const show = this.#show;
    if (!show || this.#endsAt !== null || show.begin_by === undefined) return;
    this.#endsAt = Math.min(at, this.#deps.now()) + show.duration * 1_000;
    await this.#keep();
  }

  get #until(): number | undefined {
    return this.#endsAt ?? (this.#show ? beginsBy(this.#show) : undefined);
  }

  async #keep(): Promise<void> {
    this.#watch();
    this.#deps.changed();
    const text = JSON.stringify({ format: 1, show: this.#show, ended: this.#ended, ends_at: this.#endsAt });
    await this.#deps.documents
      .write(NAME, text)
      .catch((error) => this.#deps.log.warn('the overlay could not be saved', error));
  }

  #watch(): void {
    this.#cancel?.();
    const [show, until] = [this.#show, this.#until];
    if (!show || until === undefined) return;
    // Checks again after one day at the latest: longer timers overflow, and the clock may be corrected meanwhile.
    const left = Math.min(until - this.#deps.now(), 24 * 3_600_000);
    this.#cancel = this.#deps.time.after(Math.max(0, left), () => {
      if (this.#deps.now() < until) return this.#watch();
      void this.#end(show.pip_id);
    });
  }
}

/**
 * An overlay that is not visible by this time is over. An older server sends only `until`, which counts from the
 * message.
 */
const beginsBy = ({ begin_by, until }: PipShow): number | undefined => begin_by ?? until;
