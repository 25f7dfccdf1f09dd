/**
 * Timer wheel: runs all timers of the sockets on one tick, with a clock that the caller provides. Thousands of players
 * need only one system timer, and tests control the time.
 */
import type { Lifecycle } from '../kernel/lifecycle.ts';

const TICK_MS = 100;

interface Timer {
  due: number;
  /** Interval in milliseconds at which the timer repeats; 0: the timer runs once. */
  readonly every: number;
  readonly run: () => void;
}

interface Deps {
  readonly mono: () => number;
  readonly onError: (error: unknown) => void;
}

export class Wheel implements Lifecycle {
  readonly name = 'timers';
  readonly #deps: Deps;
  readonly #timers = new Set<Timer>();
  #interval: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#interval = setInterval(() => this.tick(), TICK_MS);
    this.#interval.unref();
  }

  stop(): void {
    clearInterval(this.#interval);
    this.#timers.clear();
  }

  /** Returns the milliseconds of the clock that drives the timers. */
  now(): number {
    return this.#deps.mono();
  }

  /**
   * Runs the function once, after at least `ms` milliseconds and at most one tick (0.1 s) more. Returns a function that
   * cancels the timer.
   */
  after(ms: number, run: () => void): () => void {
    return this.#add({ due: this.now() + ms, every: 0, run });
  }

  every(ms: number, run: () => void): () => void {
    return this.#add({ due: this.now() + ms, every: ms, run });
  }

  tick(): void {
    const now = this.now();
    for (const timer of this.#timers) {
      if (timer.due > now) continue;
      if (timer.every > 0) timer.due = now + timer.every;
      else this.#timers.delete(timer);
      try {
        timer.run();
      } catch (error) {
        this.#deps.onError(error);
      }
    }
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}
