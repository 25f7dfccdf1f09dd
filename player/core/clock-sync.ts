/**
 * Keeps the server's clock: exchanges while connected, slews, goes on through a sleep of this machine, and remembers
 * over restarts how far its own clock is off.
 */
import { z } from 'zod';
import { ClockEstimator, type ClockSample, DRIFT, SlewedClock, sampleOf } from '../../shared/protocol/clock.ts';
import { readDocument } from './documents.ts';
import type { Host, Undo } from './ports.ts';
import { SleepWatch } from './sleep-watch.ts';

/** 8 exchanges in 2 s at connect find a fast one even on busy Wi-Fi; then one each 10 s ± 2 s follows the drift. */
const BURST = 8;
const BURST_GAP_MS = 250;
const STEADY_MS = 10_000;
const SPREAD_MS = 2_000;
const SAVE_MS = 5 * 60_000;
/** So often it is asked whether the machine slept: a screen that wakes up without a server is late for no longer. */
const LOOK_MS = 5_000;
/** A server that says nothing for so long when it is asked about a sleep went away meanwhile. */
const ANSWER_MS = 3_000;
/** Boards measure a sleep by a hardware clock that counts whole seconds. */
const SLEEP_ERROR_MS = 1_000;
/** What slewing and drift do not explain: somebody set the wall clock. */
const SET_MS = 1_000;

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
  /**
   * Null until the first exchange of this run: what was remembered may be wrong by anything, somebody may have set the
   * clock.
   */
  readonly uncertainty: number | null;
}

interface Deps extends Pick<Host, 'crypto' | 'documents' | 'log' | 'time'> {
  /** The clock was wrong by `delta` and has jumped; `first`: nothing before this run's first exchange was sure. */
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
  /** A sleep about which the server is being asked. `at`: monotonic time from which on an answer tells. */
  #slept: { readonly ms: number; readonly at: number } | undefined;
  /** Server clock − wall clock, when last looked at. */
  #overWall = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sleep = new SleepWatch(deps.time);
  }

  async start(): Promise<void> {
    const { time } = this.#deps;
    const saved = await readDocument(this.#deps, NAME, Saved);
    // A machine without a battery-backed clock wakes up in its past: the server's clock cannot be before what it was
    // when last seen.
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
   * Server − monotonic, and how far {@link now} may be from it, what is still being slewed included; undefined until
   * measured.
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
   * A machine that slept wakes up in its past. While a server is connected, its clock decides: it is asked at once, and
   * only if it says nothing (it went away meanwhile) the clock is moved on by what was slept; without one at once.
   */
  #look(): void {
    const { time } = this.#deps;
    const ms = this.#sleep.look();
    const pending = this.#slept;
    const slept = ms + (pending?.ms ?? 0);
    // Before the first comparison nothing is waited for: what was stamped before the sleep must not be moved by the
    // length of it.
    if (ms > 0 && this.#send && this.#synced) {
      this.#slept = { ms: slept, at: time.mono() };
      this.#burst();
    } else if (ms > 0 || (pending && (!this.#send || time.mono() - pending.at >= ANSWER_MS))) {
      this.#moveOn(slept);
    }
    this.#followWall();
  }

  /**
   * The server's answer tells whether it was a sleep. What was measured before one would be believed for three more
   * answers.
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
    // A new one, which steps to the server's next answers: nothing can be in step by such a measure.
    this.#clock = new SlewedClock(offset, at);
    this.#estimator.reset();
    if (known) this.#estimator.add({ at, offset, rtt: 2 * (known.uncertainty + SLEEP_ERROR_MS) });
    log.warn(`this machine slept for ${Math.round(slept / 1_000)} s; the clock goes on by as much`);
    stepped(slept, false);
    void this.#save();
  }

  /**
   * What is remembered is relative to the wall clock: once that was set, a restart would begin as wrong as it was set.
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
