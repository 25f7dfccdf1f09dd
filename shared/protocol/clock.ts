/**
 * Clock exchange: one side estimates the clock of the other side from round trips. The player estimates the server's
 * clock, and the screen estimates the agent's clock. All times are milliseconds. `local` readings come from a monotonic
 * clock, so changes of the wall clock have no effect.
 *
 * Method: a round trip of `rtt` limits the error of its offset to rtt / 2, for any asymmetry of the path. Therefore the
 * fastest recent exchanges are used (min-RTT filter), and their error bound grows with age by the possible drift of the
 * crystals. Once there are enough fast exchanges over a long enough time, the drift itself is estimated and removed.
 */

/**
 * A complete exchange: request sent at t0 and answer received at t3 on the local clock; request received at t1 and
 * answer sent at t2 on the remote clock.
 */
export interface ClockExchange {
  readonly t0: number;
  readonly t1: number;
  readonly t2: number;
  readonly t3: number;
}

export interface ClockSample {
  /** Local time at which the answer arrived. */
  readonly at: number;
  /** Remote clock minus local clock, in milliseconds. */
  readonly offset: number;
  readonly rtt: number;
}

export interface ClockEstimate {
  /** Remote clock minus local clock at the requested instant, in milliseconds. */
  readonly offset: number;
  /** Maximum error of the offset in milliseconds, as long as the drift is within {@link DRIFT}. */
  readonly uncertainty: number;
  /** Change of the offset per local millisecond; 0 while unknown. */
  readonly slope: number;
}

/** Maximum drift between two clocks: two quartz crystals of ±25 ppm each, the usual worst case of PC boards. */
export const DRIFT = 50e-6;
/** Remaining drift after the estimated drift is removed, mostly caused by temperature. */
const DRIFT_LEFT = 10e-6;
/** Largest possible drift of a crystal. A larger slope is a clock jump, not drift. */
const MAX_SLOPE = 200e-6;
/**
 * Maximum number and age of samples. 64 samples at one per 10 s are more than ten minutes: long enough for the slope,
 * short enough for temperature changes.
 */
const MAX_SAMPLES = 64;
const MAX_AGE_MS = 11 * 60_000;
/** Longest round trip of a usable exchange. A slower exchange carries less information than an earlier exchange. */
const MAX_RTT_MS = 5_000;
/**
 * Measurement error of one exchange, caused by the clock resolution of browsers (0.1 ms) and by chance. Averaging the
 * exchanges that are nearly as fast as the fastest exchange removes most of this error.
 */
const GRAIN_MS = 0.1;
const AMONG_THE_BEST_MS = 0.5;
const SLOPE_SAMPLES = 12;
const SLOPE_SPAN_MS = 120_000;
/**
 * Number of consecutive answers that contradict the estimate. After so many, one of the clocks was set or this machine
 * slept, and the estimate starts again.
 */
const STRANGERS = 3;

/** Returns the offset and round trip of an exchange. Undefined if the values cannot belong to one exchange. */
export function sampleOf({ t0, t1, t2, t3 }: ClockExchange): ClockSample | undefined {
  const rtt = t3 - t0 - (t2 - t1);
  if (!(t3 >= t0) || !(t2 >= t1) || !(rtt >= -1) || rtt > MAX_RTT_MS) return undefined;
  return { at: t3, offset: (t1 - t0 + (t2 - t3)) / 2, rtt: Math.max(0, rtt) };
}

export class ClockEstimator {
  #samples: ClockSample[] = [];
  #strangers = 0;
  #slope: number | undefined;

  /** Adds a sample. Samples must be added in the order of `at`. */
  add(sample: ClockSample): void {
    this.#noticeStep(sample);
    this.#samples = this.#samples.filter((old) => sample.at - old.at <= MAX_AGE_MS).slice(-(MAX_SAMPLES - 1));
    this.#samples.push(sample);
    this.#slope = slopeOf(this.#samples);
  }

  /**
   * Returns the estimate at a local time. Undefined before the first sample. Without further samples the uncertainty
   * grows.
   */
  estimate(at: number): ClockEstimate | undefined {
    const slope = this.#slope ?? 0;
    const drift = this.#slope === undefined ? DRIFT : DRIFT_LEFT;
    const known = this.#samples.map((sample) => ({
      offset: sample.offset + slope * (at - sample.at),
      bound: sample.rtt / 2 + Math.abs(at - sample.at) * drift,
    }));
    const [first] = known;
    if (!first) return undefined;
    const best = known.reduce((fastest, each) => (each.bound < fastest.bound ? each : fastest), first);
    let [sum, weights] = [0, 0];
    for (const { offset, bound } of known) {
      // A sample that contradicts the best sample comes from before or after a clock jump.
      const agrees = Math.abs(offset - best.offset) <= bound + best.bound + GRAIN_MS;
      if (bound > best.bound + AMONG_THE_BEST_MS || !agrees) continue;
      const weight = 1 / (GRAIN_MS + bound - best.bound) ** 2;
      sum += weight * offset;
      weights += weight;
    }
    return { offset: sum / weights, uncertainty: best.bound, slope };
  }

  reset(): void {
    this.#samples = [];
    this.#strangers = 0;
    this.#slope = undefined;
  }

  /**
   * Counts contradictions: without this count, the fastest old exchange would be trusted for minutes after a clock was
   * set.
   */
  #noticeStep(sample: ClockSample): void {
    const known = this.estimate(sample.at);
    const contradicts = known && Math.abs(sample.offset - known.offset) > sample.rtt / 2 + known.uncertainty + 1;
    this.#strangers = contradicts ? this.#strangers + 1 : 0;
    if (this.#strangers < STRANGERS) return;
    this.#samples = this.#samples.slice(-(STRANGERS - 1));
    this.#strangers = 0;
  }
}

/**
 * Estimates the drift by least squares over the fast exchanges. Undefined while they are too few, too close, or too
 * noisy to be better than "no drift".
 */
function slopeOf(samples: readonly ClockSample[]): number | undefined {
  const fastest = Math.min(...samples.map((sample) => sample.rtt));
  const good = samples.filter((sample) => sample.rtt <= fastest * 1.5 + 0.5);
  const [first, last] = [good[0]!, good.at(-1)!];
  if (good.length < SLOPE_SAMPLES || last.at - first.at < SLOPE_SPAN_MS) return undefined;
  const meanAt = good.reduce((sum, s) => sum + s.at - first.at, 0) / good.length;
  const meanOffset = good.reduce((sum, s) => sum + s.offset - first.offset, 0) / good.length;
  let [cross, square] = [0, 0];
  for (const s of good) {
    const x = s.at - first.at - meanAt;
    cross += x * (s.offset - first.offset - meanOffset);
    square += x * x;
  }
  const slope = cross / square;
  const residual = good.reduce(
    (sum, s) => sum + (s.offset - first.offset - meanOffset - slope * (s.at - first.at - meanAt)) ** 2,
    0,
  );
  const error = Math.sqrt(residual / (good.length - 2) / square);
  return error <= DRIFT_LEFT && Math.abs(slope) <= MAX_SLOPE ? slope : undefined;
}

/**
 * Maximum speed of slewing: 0.5 %. This is also the maximum change of audible video, so that media can follow a slewing
 * clock inaudibly.
 */
export const SLEW_RATE = 0.005;
/**
 * Largest correction that is slewed (50 s at most). A larger error means that the clock was wrong, and the clock is
 * stepped.
 */
export const STEP_MS = 250;
/**
 * Uncertainty in milliseconds at which the clock counts as settled. A first answer may be slow and asymmetric by up to
 * half of its time; slewing would take half a minute to correct it.
 */
const SETTLED_MS = 5;
const SETTLING_ANSWERS = 8;

/**
 * Estimate of the remote clock that can be read at any time. Small corrections are slewed (spread over time), so the
 * time that is read never stops or runs backwards except for a step.
 */
export class SlewedClock {
  #applied: number;
  #at: number;
  #target: { offset: number; slope: number; at: number };
  #answers = 0;
  #settled = false;

  constructor(offset: number, at: number) {
    this.#applied = offset;
    this.#at = at;
    this.#target = { offset, slope: 0, at };
  }

  /** Returns the remote time at this local reading. */
  now(at: number): number {
    return at + this.#offset(at);
  }

  /**
   * Applies an estimate. Returns the size of the step; 0 if the correction is slewed. Until an estimate has an
   * uncertainty of at most 5 ms, or 8 estimates have come, corrections are stepped, because nothing can be synchronized
   * with an unknown clock.
   */
  steer(estimate: ClockEstimate, at: number): number {
    const before = this.#offset(at);
    const error = estimate.offset - before;
    const step = !this.#settled || Math.abs(error) > STEP_MS;
    this.#settled ||= estimate.uncertainty <= SETTLED_MS || ++this.#answers >= SETTLING_ANSWERS;
    this.#applied = step ? estimate.offset : before;
    this.#at = at;
    this.#target = { offset: estimate.offset, slope: estimate.slope, at };
    return step ? error : 0;
  }

  #offset(at: number): number {
    const elapsed = Math.max(0, at - this.#at);
    const drifted = this.#target.slope * (at - this.#target.at);
    const error = this.#target.offset - this.#applied;
    const slewed = Math.sign(error) * Math.min(Math.abs(error), elapsed * SLEW_RATE);
    return this.#applied + slewed + drifted;
  }
}
