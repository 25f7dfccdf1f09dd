/**
 * The overlay: one at a time, the newest wins; kept over restarts until its time is up, which begins when it can be
 * seen.
 */
import { z } from 'zod';
import type { Asset } from '../../shared/program/program.ts';
import { overlayBeginsBy, PipShow } from '../../shared/protocol/messages.ts';
import { readDocument } from './documents.ts';
import { messageOf } from './errors.ts';
import type { Host, Undo } from './ports.ts';

const NAME = 'overlay';
const Saved = z.object({
  format: z.literal(1),
  show: PipShow.nullable(),
  /**
   * The last one that ended: a server that sends it again after a reconnect is told so, instead of showing it twice.
   */
  ended: z.string().nullable(),
  /**
   * Server clock, when it will have been seen for its time; null: nobody has seen it yet, or it has no end of its own.
   */
  ends_at: z.number().nullable().default(null),
});

export interface OverlayResult {
  readonly pip_id: string;
  readonly status: 'shown' | 'failed' | 'cleared';
  readonly error?: string | undefined;
  /** Since when it can be seen, server clock. */
  readonly at?: number | undefined;
}

interface Deps extends Pick<Host, 'documents' | 'log' | 'time'> {
  /** Server clock. */
  readonly now: () => number;
  readonly changed: () => void;
  readonly result: (result: OverlayResult) => void;
  /** Resolves once the file is held, and checked. */
  readonly fetch: (asset: Asset, signal: AbortSignal) => Promise<void>;
}

/** One whose file is on its way: what shows stays until it is there. */
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

  /** The files that what shows, or is about to, is made of. */
  get assets(): readonly Asset[] {
    return [this.#show?.asset, this.#coming?.message.asset].filter((asset) => asset !== undefined);
  }

  /** The clock has jumped: how long there is to wait is another time now. */
  clockStepped(): void {
    this.#watch();
  }

  /** `until`: when it is over as things stand. */
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

  /** What the server no longer has in this form may still have its address. */
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

  /** Without an id: whatever shows. */
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

  /** The screen says what became of it; `cleared` also when somebody pressed its button. */
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

  /** Its time begins, once: a page that was loaded anew shows it for what is left. */
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
    // Asked again after a day at most: longer timers overflow, and the clock may be corrected meanwhile.
    const left = Math.min(until - this.#deps.now(), 24 * 3_600_000);
    this.#cancel = this.#deps.time.after(Math.max(0, left), () => {
      if (this.#deps.now() < until) return this.#watch();
      void this.#end(show.pip_id);
    });
  }
}

/** Unseen by then it is over. An older server says only until when it lasts, from its message on. */
const beginsBy = ({ begin_by, until }: PipShow): number | undefined => begin_by ?? until;
