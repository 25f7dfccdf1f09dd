/**
 * Estimates the server's clock in this page by exchanges with the host over loopback. Readings are `performance.now()`.
 */
import { ClockEstimator, SlewedClock, sampleOf } from '../../../shared/protocol/clock.ts';

/**
 * Milliseconds. An answer that differs from the estimate by this much causes another exchange at once, because the
 * host's clock may have been set.
 */
const SURPRISE_MS = 20;

export type ClockNews = 'settled' | 'surprising' | 'stepped';

/**
 * Times of an exchange: the request left and the answer arrived, on the page's clock; the server's clock in between.
 */
export interface Exchange {
  readonly sent: number;
  readonly server: number;
  readonly received: number;
}

export class HostClock {
  #estimator = new ClockEstimator();
  #clock: SlewedClock | null = null;

  get ready(): boolean {
    return this.#clock !== null;
  }

  /** Adds an exchange. Returns `surprising` if another exchange should follow at once. */
  add({ sent, server, received }: Exchange): ClockNews {
    const sample = sampleOf({ t0: sent, t1: server, t2: server, t3: received });
    if (!sample) return 'surprising';
    const known = this.#clock && this.#clock.now(received) - received;
    this.#estimator.add(sample);
    const estimate = this.#estimator.estimate(received);
    if (!estimate) return 'surprising';
    if (!this.#clock) this.#clock = new SlewedClock(estimate.offset, received);
    else if (this.#clock.steer(estimate, received) !== 0) return 'stepped';
    return known !== null && Math.abs(sample.offset - known) > SURPRISE_MS + sample.rtt / 2 ? 'surprising' : 'settled';
  }

  at(reading: number): number {
    return this.#clock?.now(reading) ?? reading;
  }
}
