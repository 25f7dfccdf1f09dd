/**
 * Follows the server's clock. Exchanges timestamps while connected, corrects small errors gradually (slews), continues
 * after a sleep of the machine, and saves the offset of the machine's clock for the next start.
 */

import { z } from 'zod';
import { ClockEstimator, type ClockSample, DRIFT, SlewedClock, sampleOf } from '../../../shared/protocol/clock.ts';
import type { SyncReport } from '../../../shared/protocol/messages.ts';
import { readDocument } from '../files/documents.ts';
import type { Host, Undo } from '../ports.ts';
import { SleepWatch } from '../sleep-watch.ts';

/**
 * Schedule of the exchanges. The 8 exchanges within 2 s of connecting include a fast round trip even on busy Wi-Fi.
 * Later exchanges, every 10 s ± 2 s, follow the drift.
 */
const BURST = 8;
const BURST_GAP_MS = 250;
const STEADY_MS = 10_000;
const SPREAD_MS = 2_000;
const SAVE_MS = 5 * 60_000;
/** Interval of the sleep check; the longest delay until a screen without a server corrects its clock after a sleep. */
const LOOK_MS = 5_000;
/** Time limit for the server's answer after a sleep. A server that stays silent for longer has disconnected. */
const ANSWER_MS = 3_000;
/** Tolerance in milliseconds for boards whose hardware clock measures a sleep in whole seconds. */
const SLEEP_ERROR_MS = 1_000;
/**
 * Difference in milliseconds that slewing and drift cannot explain. From this difference on, the wall clock was set.
 */
const SET_MS = 1_000;

const Saved = z.object({
  format: z.literal(1),
  /** Server clock minus this machine's wall clock, in milliseconds. */
  server_minus_wall: z.number(),
  uncertainty_ms: z.number().nonnegative(),
  saved_at_wall: z.number(),
});
const NAME = 'clock';

export interface ClockReading {
  /** Time on the server clock, epoch milliseconds. */
  readonly now: number;
  /**
   * Uncertainty of the clock in milliseconds; null until the first exchange of this run. Until then the remembered
   * offset may be wrong by any amount, because the clock may have been set.
   */
  readonly uncertainty: number | null;
}

interface Deps extends Pick<Host, 'crypto' | 'documents' | 'log' | 'time'> {
  /**
   * The clock was wrong by `delta` and has jumped. `first`: this is the first exchange of this run, so no earlier
   * instant was reliable.
   */
  readonly stepped: (delta: number, first: boolean) => void;
}

export class ClockSync {
  readonly #deps: Deps;
  readonly #estimator = new ClockEstimator();
  readonly #sleep: SleepWatch;
  #clock: SlewedClock | undefined;
  #synced = false;
  #send: ((t0: number) => void) | undefined;
  #sent = 0;
  #cancelExchange: Undo | undefined;
  #cancelSave: Undo | undefined;
  #cancelLook: Undo | undefined;
  /** A sleep that waits for confirmation by the server. `at`: monotonic time; only later answers count. */
  #slept: { readonly ms: number; readonly at: number } | undefined;
  /** Server clock minus wall clock at the last check, in milliseconds. */
  #overWall = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sleep = new SleepWatch(deps.time);
  }

  async start(): Promise<void> {
    const { time } = this.#deps;
    const saved = await readDocument(this.#deps, NAME, Saved);
    // A machine without a battery-backed clock restarts with a time in the past. The server's clock cannot be earlier
    // than its last saved value.
    const earliest = saved ? saved.saved_at_wall + saved.server_minus_wall : 0;
    const now = Math.max(time.wall() + (saved?.server_minus_wall ?? 0), earliest);
    this.#clock = new SlewedClock(now - time.mono(), time.mono());
    this.#overWall = now - time.wall();
    this.#saveLater();
    this.#lookLater();
  }

  async stop(): Promise<void> {
    this.disconnected();
    this.#cancelSave?.();
    this.#cancelLook?.();
    await this.#save();
  }

  now(): number {
    if (!this.#clock) throw new Error('clock used before start');
    return this.#clock.now(this.#deps.time.mono());
  }

  read(): ClockReading {
    return { now: this.now(), uncertainty: this.estimate?.uncertainty ?? null };
  }

  /**
   * Returns by how much the server's clock is ahead of this machine's wall clock, for the report to operators. Undefined
   * before the first comparison.
   */
  syncReport(): Pick<SyncReport, 'offset_ms' | 'uncertainty_ms'> | undefined {
    const { estimate } = this;
    return estimate && { offset_ms: this.now() - this.#deps.time.wall(), uncertainty_ms: estimate.uncertainty };
  }

  /**
   * Offset of the server's clock from monotonic time, and the possible error of {@link now}. The error includes the
   * part that is still being slewed. Undefined until measured.
   */
  get estimate(): { offset: number; uncertainty: number } | undefined {
    const at = this.#deps.time.mono();
    const estimate = this.#synced ? this.#estimator.estimate(at) : undefined;
    return (
      estimate && {
        offset: estimate.offset,
        uncertainty: estimate.uncertainty + Math.abs(at + estimate.offset - this.now()),
      }
    );
  }

  connected(send: (t0: number) => void): void {
    this.#send = send;
    this.#burst();
  }

  disconnected(): void {
    this.#cancelExchange?.();
    this.#send = undefined;
  }

  reply({ t0, t1, t2 }: { t0: number; t1: number; t2: number }, t3: number): void {
    const sample = sampleOf({ t0, t1, t2, t3 });
    if (!sample || !this.#clock) return;
    this.#look();
    this.#settleSleep(sample, t0);
    this.#estimator.add(sample);
    const at = this.#deps.time.mono();
    const estimate = this.#estimator.estimate(at)!;
    const first = !this.#synced;
    this.#synced = true;
    const delta = this.#clock.steer(estimate, at);
    if (Math.abs(delta) < 1) return;
    if (Math.abs(delta) > 1_000) this.#deps.log.warn(`clock corrected by ${Math.round(delta)} ms`);
    this.#deps.stepped(delta, first);
    void this.#save();
  }

  /**
   * Corrects the clock after a sleep of the machine. A connected server is queried first, and the measured sleep is
   * only added when the server does not answer. Without a connection the sleep is added at once.
   */
  #look(): void {
    const { time } = this.#deps;
    const ms = this.#sleep.check();
    const pending = this.#slept;
    const slept = ms + (pending?.ms ?? 0);
    // Before the first comparison the server is not queried: timestamps from before the sleep must not be moved by the
    // duration of the sleep.
    if (ms > 0 && this.#send && this.#synced) {
      this.#slept = { ms: slept, at: time.mono() };
      this.#burst();
    } else if (ms > 0 || (pending && (!this.#send || time.mono() - pending.at >= ANSWER_MS))) {
      this.#moveOn(slept);
    }
    this.#followWall();
  }

  /**
   * Decides by the server's answer whether the machine slept. After a sleep the old measurements are discarded;
   * otherwise they would outweigh the next three answers.
   */
  #settleSleep({ at, offset }: ClockSample, t0: number): void {
    const pending = this.#slept;
    if (!pending || t0 < pending.at) return;
    this.#slept = undefined;
    if (Math.abs(at + offset - this.now()) > pending.ms / 2) this.#estimator.reset();
  }

  #moveOn(slept: number): void {
    const { time, log, stepped } = this.#deps;
    const known = this.estimate;
    const at = time.mono();
    const offset = this.now() - at + slept;
    this.#slept = undefined;
    // A new clock steps to the server's next answers. A clock this uncertain cannot keep screens in step anyway.
    this.#clock = new SlewedClock(offset, at);
    this.#estimator.reset();
    if (known) this.#estimator.add({ at, offset, rtt: 2 * (known.uncertainty + SLEEP_ERROR_MS) });
    log.warn(`this machine slept for ${Math.round(slept / 1_000)} s; the clock goes on by as much`);
    stepped(slept, false);
    void this.#save();
  }

  /**
   * Saves the offset again after the wall clock was set. The saved offset is relative to the wall clock, so a restart
   * would otherwise begin with a wrong time.
   */
  #followWall(): void {
    if (this.#slept) return;
    const overWall = this.now() - this.#deps.time.wall();
    const wasSet = Math.abs(overWall - this.#overWall) >= SET_MS;
    this.#overWall = overWall;
    if (wasSet) void this.#save();
  }

  #lookLater(): void {
    this.#cancelLook = this.#deps.time.after(LOOK_MS, () => {
      this.#look();
      this.#lookLater();
    });
  }

  #burst(): void {
    this.#cancelExchange?.();
    this.#sent = 0;
    this.#exchange();
  }

  #exchange(): void {
    const { time, crypto } = this.#deps;
    this.#send?.(time.mono());
    this.#sent++;
    const gap = this.#sent < BURST ? BURST_GAP_MS : STEADY_MS + (crypto.random() * 2 - 1) * SPREAD_MS;
    this.#cancelExchange = time.after(gap, () => this.#exchange());
  }

  #saveLater(): void {
    this.#cancelSave = this.#deps.time.after(SAVE_MS, () => {
      void this.#save();
      this.#saveLater();
    });
  }

  async #save(): Promise<void> {
    const { time, documents, log } = this.#deps;
    if (!this.#clock) return;
    const wall = time.wall();
    const server_minus_wall = this.now() - wall;
    const uncertainty_ms = this.estimate?.uncertainty ?? SAVE_MS * DRIFT;
    await documents
      .write(NAME, JSON.stringify({ format: 1, server_minus_wall, uncertainty_ms, saved_at_wall: wall }))
      .catch((error) => log.warn('the clock offset could not be saved', error));
  }
}
