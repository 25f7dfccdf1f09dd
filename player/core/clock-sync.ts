/** Keeps the server's clock: exchanges while connected, slews, and remembers over restarts how far this machine's own clock is off. */
import { z } from 'zod';
import { ClockEstimator, DRIFT, SlewedClock, sampleOf } from '../../shared/protocol/clock.ts';
import { readDocument } from './documents.ts';
import type { Crypto, Documents, Log, Time, Undo } from './ports.ts';

/** 8 exchanges in 2 s at connect find a fast one even on busy Wi-Fi; then one each 10 s ± 2 s follows the drift. */
const BURST = 8;
const BURST_GAP_MS = 250;
const STEADY_MS = 10_000;
const SPREAD_MS = 2_000;
const SAVE_MS = 5 * 60_000;

const Saved = z.object({
  format: z.literal(1),
  /** Server clock − this machine's wall clock. */
  server_minus_wall: z.number(),
  uncertainty_ms: z.number().nonnegative(),
  saved_at_wall: z.number(),
});
const NAME = 'clock';

export interface ClockReading {
  /** Server clock, epoch milliseconds. */
  readonly now: number;
  /** Null until the first exchange of this run: what was remembered may be wrong by anything, somebody may have set the clock. */
  readonly uncertainty: number | null;
}

interface Needs {
  readonly time: Time;
  readonly crypto: Crypto;
  readonly documents: Documents;
  readonly log: Log;
  /** The clock was wrong by `delta` and has jumped; `first`: nothing before this run's first exchange was sure. */
  readonly stepped: (delta: number, first: boolean) => void;
}

export class ClockSync {
  readonly #needs: Needs;
  readonly #estimator = new ClockEstimator();
  #clock: SlewedClock | undefined;
  #synced = false;
  #send: ((t0: number) => void) | undefined;
  #sent = 0;
  #cancelExchange: Undo | undefined;
  #cancelSave: Undo | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async start(): Promise<void> {
    const { time } = this.#needs;
    const saved = await readDocument(this.#needs, NAME, Saved);
    // A machine without a battery-backed clock wakes up in its past: the server's clock cannot be before what it was when last seen.
    const earliest = saved ? saved.saved_at_wall + saved.server_minus_wall : 0;
    const now = Math.max(time.wall() + (saved?.server_minus_wall ?? 0), earliest);
    this.#clock = new SlewedClock(now - time.mono(), time.mono());
    this.#saveLater();
  }

  async stop(): Promise<void> {
    this.disconnected();
    this.#cancelSave?.();
    await this.#save();
  }

  now(): number {
    if (!this.#clock) throw new Error('clock used before start');
    return this.#clock.now(this.#needs.time.mono());
  }

  read(): ClockReading {
    return { now: this.now(), uncertainty: this.estimate?.uncertainty ?? null };
  }

  /** Server − monotonic, and how far {@link now} may be from it, what is still being slewed included; undefined until measured. */
  get estimate(): { offset: number; uncertainty: number } | undefined {
    const at = this.#needs.time.mono();
    const estimate = this.#synced ? this.#estimator.estimate(at) : undefined;
    return estimate && { offset: estimate.offset, uncertainty: estimate.uncertainty + Math.abs(at + estimate.offset - this.now()) };
  }

  connected(send: (t0: number) => void): void {
    this.disconnected();
    this.#send = send;
    this.#sent = 0;
    this.#exchange();
  }

  disconnected(): void {
    this.#cancelExchange?.();
    this.#send = undefined;
  }

  reply({ t0, t1, t2 }: { t0: number; t1: number; t2: number }, t3: number): void {
    const sample = sampleOf({ t0, t1, t2, t3 });
    if (!sample || !this.#clock) return;
    this.#estimator.add(sample);
    const at = this.#needs.time.mono();
    const estimate = this.#estimator.estimate(at);
    if (!estimate) return;
    const first = !this.#synced;
    this.#synced = true;
    const delta = this.#clock.steer(estimate, at);
    if (Math.abs(delta) < 1) return;
    if (Math.abs(delta) > 1_000) this.#needs.log.warn(`clock corrected by ${Math.round(delta)} ms`);
    this.#needs.stepped(delta, first);
    void this.#save();
  }

  #exchange(): void {
    const { time, crypto } = this.#needs;
    this.#send?.(time.mono());
    this.#sent++;
    const gap = this.#sent < BURST ? BURST_GAP_MS : STEADY_MS + (crypto.random() * 2 - 1) * SPREAD_MS;
    this.#cancelExchange = time.after(gap, () => this.#exchange());
  }

  #saveLater(): void {
    this.#cancelSave = this.#needs.time.after(SAVE_MS, () => {
      void this.#save();
      this.#saveLater();
    });
  }

  async #save(): Promise<void> {
    const { time, documents, log } = this.#needs;
    if (!this.#clock) return;
    const wall = time.wall();
    const server_minus_wall = this.now() - wall;
    const uncertainty_ms = this.estimate?.uncertainty ?? SAVE_MS * DRIFT;
    await documents
      .write(NAME, JSON.stringify({ format: 1, server_minus_wall, uncertainty_ms, saved_at_wall: wall }))
      .catch((error) => log.warn('the clock offset could not be saved', error));
  }
}
