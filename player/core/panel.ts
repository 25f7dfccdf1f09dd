/**
 * Decides whether the panel is on: by the screen's opening hours, with and without a server, unless an operator ordered
 * otherwise. An order is valid until the hours next begin or end, or change. Without hours an order is valid until the
 * next order.
 */
import { z } from 'zod';
import { createGate, type Gate } from '../../shared/program/dayparting.ts';
import type { Placement } from '../../shared/program/program.ts';
import { messageOf } from './errors.ts';
import { readDocument } from './files/documents.ts';
import type { Host, Machine, Undo } from './ports.ts';
import { Serial } from './serial.ts';

const NAME = 'panel';
/**
 * The panel state is checked again after this time: longer timers overflow, and the clock may be corrected meanwhile.
 */
const LOOK_MS = 3_600_000;
/** Delay of the retry after a failed switch, so that a busy television does not stay dark for a day. */
const RETRY_MS = 60_000;

const Order = z.object({
  on: z.boolean(),
  /** Server time at which the order ends, epoch milliseconds; null: the order has no end. */
  until: z.number().nullable(),
  /** The opening hours that were valid at the time of the order. */
  hours: z.string(),
});
type Order = z.infer<typeof Order>;
const Saved = z.object({ format: z.literal(1), order: Order.nullable() });

type Hours = Pick<Placement, 'hours' | 'timezone'>;

interface Deps extends Pick<Host, 'documents' | 'log' | 'time'> {
  readonly machine: Pick<Machine, 'screen'>;
  /** Returns the server clock, epoch milliseconds. */
  readonly now: () => number;
  /**
   * Returns whether the clock was compared in this run. Opening hours by a wrong clock would leave a shop window
   * dark at noon.
   */
  readonly sure: () => boolean;
  /** Returns the opening hours. Undefined: no opening hours were received yet. */
  readonly hours: () => Hours | undefined;
  readonly changed: () => void;
}

export class Panel {
  readonly #deps: Deps;
  readonly #switching = new Serial();
  readonly #writing = new Serial();
  #order: Order | null = null;
  /**
   * Text form of the opening hours from which `#gate` was made, to detect changes; empty if there are none. `start`
   * sets both fields.
   */
  #hours!: string;
  #gate!: Gate;
  /** The last state (on or off) that was sent to the panel since the player started; undefined: none. */
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
    void this.update();
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
   * Carries out an operator's order. Resolves when the panel has switched or failed to switch. The page is black and
   * silent in both cases.
   */
  async order(on: boolean): Promise<void> {
    const { until } = this.#gate(this.#deps.now());
    const kept = this.#keep({ on, until: Number.isFinite(until) ? until : null, hours: this.#hours });
    await this.update(true);
    await kept;
  }

  /**
   * Applies changed hours or a corrected clock.
   * @param again switches the panel even to its last state, because it may have been switched by its own buttons
   */
  async update(again?: boolean): Promise<void> {
    if (!this.#running) return;
    this.#follow();
    const { now, time, sure, changed } = this.#deps;
    const at = now();
    const { open, until } = this.#gate(at);
    const on = this.#ordered(at) ?? (open || !sure());
    this.#cancelLook?.();
    this.#cancelLook = time.after(Math.min(until - at, LOOK_MS), () => void this.update());
    const turned = on !== this.#on;
    this.#on = on;
    if (turned) changed();
    // The panel may still be off from the previous run, so a panel with opening hours is also switched on.
    const isNews = this.#told === undefined ? !on || this.#hours !== '' : on !== this.#told;
    if (isNews || again) await this.#tell(on);
  }

  async forget(): Promise<void> {
    const kept = this.#keep(null);
    void this.update();
    await kept;
  }

  /** The order while it is valid; undefined: the hours decide. */
  #ordered(at: number): boolean | undefined {
    const order = this.#order;
    if (!order) return undefined;
    if (order.hours === this.#hours) {
      if (order.until === null) return order.on;
      // An uncertain clock does not end an order for good: the order may be valid again once the clock is right.
      if (!this.#deps.sure()) return undefined;
      if (at < order.until) return order.on;
    }
    // Removes the stored order. Otherwise the order would be valid again after a restart, once the same hours return.
    void this.#keep(null);
    return undefined;
  }

  /** Creates a new gate (a function that tells whether the panel should be on) if the hours changed. */
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
        this.#cancelRetry = time.after(RETRY_MS, () => void this.update(true));
    });
  }

  /** Saves the order. If the disk is full, the order is valid only until the player restarts. */
  #keep(order: Order | null): Promise<void> {
    const { documents, log } = this.#deps;
    this.#order = order;
    return this.#writing
      .run(() => (order ? documents.write(NAME, JSON.stringify({ format: 1, order })) : documents.remove(NAME)))
      .catch((error) => log.warn('what was said of the panel could not be saved', error));
  }
}
