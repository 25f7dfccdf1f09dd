/**
 * Whether the panel is on: by the screen's opening hours, with and without a server, unless an operator said otherwise.
 * What was said holds until the hours next begin or end, or are others; where there are none, until something else is
 * said.
 */
import { z } from 'zod';
import { createGate, type Gate } from '../../shared/program/dayparting.ts';
import type { Placement } from '../../shared/program/program.ts';
import { readDocument } from './documents.ts';
import { messageOf } from './errors.ts';
import type { Host, Machine, Undo } from './ports.ts';
import { Serial } from './serial.ts';

const NAME = 'panel';
/** Asked again after this long at most: longer timers overflow, and the clock may be corrected meanwhile. */
const LOOK_MS = 3_600_000;
/** A panel that did not switch is told again: a television that was busy must not stay dark for a day. */
const RETRY_MS = 60_000;

const Order = z.object({
  on: z.boolean(),
  /** Server clock; null: there is no end to it. */
  until: z.number().nullable(),
  /** The hours it was said in. */
  hours: z.string(),
});
type Order = z.infer<typeof Order>;
const Saved = z.object({ format: z.literal(1), order: Order.nullable() });

type Hours = Pick<Placement, 'hours' | 'timezone'>;

interface Deps extends Pick<Host, 'documents' | 'log' | 'time'> {
  readonly machine: Pick<Machine, 'screen'>;
  /** Server clock. */
  readonly now: () => number;
  /** The clock was compared in this run: hours kept by a wrong one would leave a shop window dark at noon. */
  readonly sure: () => boolean;
  /** Undefined: nothing was assigned yet. */
  readonly hours: () => Hours | undefined;
  readonly changed: () => void;
}

export class Panel {
  readonly #deps: Deps;
  readonly #switching = new Serial();
  readonly #writing = new Serial();
  #order: Order | null = null;
  /** The hours that `#gate` is of, empty where there are none. Both are set by `start`. */
  #hours!: string;
  #gate!: Gate;
  /** As the panel was told last in this run; undefined: it was told nothing. */
  #told: boolean | undefined;
  #failure: string | undefined;
  #on = true;
  #cancelLook: Undo | undefined;
  #cancelRetry: Undo | undefined;
  #running = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    this.#order = (await readDocument(this.#deps, NAME, Saved))?.order ?? null;
    this.#running = true;
    void this.look();
  }

  stop(): void {
    this.#running = false;
    this.#cancelLook?.();
    this.#cancelRetry?.();
  }

  get on(): boolean {
    return this.#on;
  }

  /**
   * An operator's word. Resolves when the panel has done it, or has failed to: the page is black and silent in any
   * case.
   */
  async order(on: boolean): Promise<void> {
    const { until } = this.#gate(this.#deps.now());
    const kept = this.#keep({ on, until: Number.isFinite(until) ? until : null, hours: this.#hours });
    await this.look(true);
    await kept;
  }

  /**
   * The hours may be others, or the clock has been corrected.
   * @param again tells the panel even what it was told before: it has buttons of its own
   */
  async look(again?: boolean): Promise<void> {
    if (!this.#running) return;
    this.#follow();
    const { now, time, sure, changed } = this.#deps;
    const at = now();
    const { open, until } = this.#gate(at);
    const on = this.#ordered(at) ?? (open || !sure());
    this.#cancelLook?.();
    this.#cancelLook = time.after(Math.min(until - at, LOOK_MS), () => void this.look());
    const turned = on !== this.#on;
    this.#on = on;
    if (turned) changed();
    // At the start of a run it may still be off from the run before, which ended within its hours.
    const isNews = this.#told === undefined ? !on || this.#hours !== '' : on !== this.#told;
    if (isNews || again) await this.#tell(on);
  }

  async forget(): Promise<void> {
    const kept = this.#keep(null);
    void this.look();
    await kept;
  }

  /** What was said, while it holds; undefined: the hours decide. */
  #ordered(at: number): boolean | undefined {
    const order = this.#order;
    if (!order) return undefined;
    if (order.hours === this.#hours) {
      if (order.until === null) return order.on;
      // A clock that nobody has confirmed ends nothing for good.
      if (!this.#deps.sure()) return undefined;
      if (at < order.until) return order.on;
    }
    // After a restart it would hold again, once the hours are those in which it was said.
    void this.#keep(null);
    return undefined;
  }

  /** Makes the gate anew where the hours are others. */
  #follow(): void {
    const { hours = [], timezone = 'UTC' } = this.#deps.hours() ?? {};
    const text = hours.length > 0 ? JSON.stringify([hours, timezone]) : '';
    if (text === this.#hours) return;
    this.#hours = text;
    this.#gate = createGate(hours, timezone);
  }

  #tell(on: boolean): Promise<void> {
    const { machine, time, log } = this.#deps;
    this.#told = on;
    this.#cancelRetry?.();
    return this.#switching.run(async () => {
      const outcome = await machine
        .screen(on)
        .catch((error) => ({ status: 'failed' as const, error: messageOf(error) }));
      const failure = outcome.status === 'failed' ? outcome.error : undefined;
      if (failure !== undefined && failure !== this.#failure) log.warn(`the panel did not switch: ${failure}`);
      this.#failure = failure;
      if (failure !== undefined && on === this.#told && this.#running)
        this.#cancelRetry = time.after(RETRY_MS, () => void this.look(true));
    });
  }

  /** What cannot be saved, on a full disk, still holds in this run. */
  #keep(order: Order | null): Promise<void> {
    const { documents, log } = this.#deps;
    this.#order = order;
    return this.#writing
      .run(() => (order ? documents.write(NAME, JSON.stringify({ format: 1, order })) : documents.remove(NAME)))
      .catch((error) => log.warn('what was said of the panel could not be saved', error));
  }
}
