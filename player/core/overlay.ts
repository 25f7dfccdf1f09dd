/** The overlay: one at a time, the newest wins; kept over restarts until its time is up; acknowledged once it is visible. */
import { z } from 'zod';
import { PipShow } from '../../shared/protocol/messages.ts';
import { readDocument } from './documents.ts';
import type { Documents, Log, Time, Undo } from './ports.ts';

const NAME = 'overlay';
const Saved = z.object({
  format: z.literal(1),
  show: PipShow.nullable(),
  /** The last one that ended: a server that sends it again after a reconnect is told so, instead of showing it twice. */
  ended: z.string().nullable(),
});

type Status = 'shown' | 'failed' | 'cleared';
export interface OverlayResult {
  readonly pip_id: string;
  readonly status: Status;
  readonly error?: string;
}

interface Needs {
  readonly documents: Documents;
  readonly time: Time;
  readonly log: Log;
  /** Server clock. */
  readonly now: () => number;
  readonly changed: () => void;
  readonly result: (result: OverlayResult) => void;
}

export class Overlay {
  readonly #needs: Needs;
  #show: PipShow | null = null;
  #ended: string | null = null;
  #visible = false;
  #cancel: Undo | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async start(): Promise<void> {
    const saved = await readDocument(this.#needs, NAME, Saved);
    this.#ended = saved?.ended ?? null;
    this.#show = saved?.show ?? null;
    this.#watch();
  }

  stop(): void {
    this.#cancel?.();
  }

  /** The clock has jumped: how long there is to wait is another time now. */
  clockStepped(): void {
    this.#watch();
  }

  get current(): PipShow | null {
    return this.#show;
  }

  async show(message: PipShow): Promise<void> {
    const { now, result } = this.#needs;
    const until = message.until ?? (message.duration > 0 ? now() + message.duration * 1_000 : undefined);
    if (message.pip_id === this.#ended || (until !== undefined && until <= now())) return result({ pip_id: message.pip_id, status: 'cleared' });
    if (message.pip_id === this.#show?.pip_id) {
      if (this.#visible) result({ pip_id: message.pip_id, status: 'shown' });
      return;
    }
    const replaced = this.#show;
    await this.#set(until === undefined ? message : { ...message, until }, replaced?.pip_id ?? this.#ended);
    if (replaced) result({ pip_id: replaced.pip_id, status: 'cleared' });
  }

  /** Without an id: whatever shows. */
  async clear(pipId?: string): Promise<void> {
    const showing = this.#show?.pip_id;
    if (showing !== undefined && (pipId === undefined || pipId === showing)) return this.#end(showing);
    if (pipId !== undefined) this.#needs.result({ pip_id: pipId, status: 'cleared' });
  }

  /** The screen says what became of it; `cleared` also when somebody pressed its button. */
  async reported({ pip_id, status, error }: { pip_id: string; status: Status; error?: string | undefined }): Promise<void> {
    if (pip_id !== this.#show?.pip_id) return;
    if (status === 'cleared') return this.#end(pip_id);
    this.#visible = status === 'shown';
    this.#needs.result({ pip_id, status, ...(error !== undefined && { error: error.slice(0, 2_000) }) });
  }

  async forget(): Promise<void> {
    this.#cancel?.();
    this.#show = this.#ended = null;
    await this.#needs.documents.remove(NAME);
  }

  async #end(pipId: string): Promise<void> {
    await this.#set(null, pipId);
    this.#needs.result({ pip_id: pipId, status: 'cleared' });
  }

  async #set(show: PipShow | null, ended: string | null): Promise<void> {
    this.#show = show;
    this.#ended = ended;
    this.#visible = false;
    this.#watch();
    this.#needs.changed();
    await this.#needs.documents.write(NAME, JSON.stringify({ format: 1, show, ended })).catch((error) => this.#needs.log.warn('the overlay could not be saved', error));
  }

  #watch(): void {
    this.#cancel?.();
    const show = this.#show;
    if (show?.until === undefined) return;
    // Asked again after a day at most: longer timers overflow, and the clock may be corrected meanwhile.
    const left = Math.min(show.until - this.#needs.now(), 24 * 3_600_000);
    this.#cancel = this.#needs.time.after(Math.max(0, left), () => {
      if (show.until !== undefined && this.#needs.now() < show.until) return this.#watch();
      void this.#end(show.pip_id);
    });
  }
}
