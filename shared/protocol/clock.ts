/**
 * Clock exchange: one end learns the other's clock from round trips (player ← server, screen ← agent).
 * All times are milliseconds; `local` readings come from a monotonic clock, so that nobody's wall clock matters.
 *
 * The recipe: a round trip of `rtt` bounds the error of its offset by rtt / 2, whatever the asymmetry of the way, so
 * the fastest recent exchanges are believed (min-RTT filter) and their bound grows with age by the drift the crystals
 * may have. Once enough fast exchanges lie far enough apart, the drift itself is estimated and taken out.
 */

/** A finished exchange: sent at t0 and answered at t3 on the local clock, received t1 and sent t2 on the remote one. */
export interface ClockExchange {
  readonly t0: number;
  readonly t1: number;
  readonly t2: number;
  readonly t3: number;
}

export interface ClockSample {
  /** Local time of the answer. */
  readonly at: number;
  /** remote − local. */
  readonly offset: number;
  readonly rtt: number;
}

export interface ClockEstimate {
  /** remote − local at the instant asked for. */
  readonly offset: number;
  /** The true offset is within ± this, as long as the drift is within {@link DRIFT}. */
  readonly uncertainty: number;
  /** Change of the offset per local millisecond; 0 until it is known. */
  readonly slope: number;
}

/** Two quartz crystals of ±25 ppm each, the usual worst case of PC boards. */
export const DRIFT = 50e-6;
/** What remains once the drift is estimated and taken out: temperature, mostly. */
const DRIFT_LEFT = 10e-6;
/** No crystal is that bad; a slope beyond is a stepped clock, not drift. */
const MAX_SLOPE = 200e-6;
/** 64 samples at one per 10 s: over ten minutes, long enough for the slope, short enough for temperature. */
const MAX_SAMPLES = 64;
const MAX_AGE_MS = 11 * 60_000;
/** Slower than this tells nothing that an earlier answer does not tell better. */
const MAX_RTT_MS = 5_000;
/**
 * One exchange is as exact as the steps in which a browser tells time (0.1 ms) and the moment's luck; those that are
 * nearly as fast as the fastest are put together, which takes most of both out.
 */
const GRAIN_MS = 0.1;
const AMONG_THE_BEST_MS = 0.5;
const SLOPE_SAMPLES = 12;
const SLOPE_SPAN_MS = 120_000;
/** So many answers in a row that contradict the estimate mean that a clock was set, or this machine slept. */
const STRANGERS = 3;

/** Undefined where the figures cannot belong to one exchange. */
export function sampleOf({ t0, t1, t2, t3 }: ClockExchange): ClockSample | undefined {
  const rtt = t3 - t0 - (t2 - t1);
  if (!(t3 >= t0) || !(t2 >= t1) || !(rtt >= -1) || rtt > MAX_RTT_MS) return undefined;
  return { at: t3, offset: (t1 - t0 + (t2 - t3)) / 2, rtt: Math.max(0, rtt) };
}

export class ClockEstimator {
  #samples: ClockSample[] = [];
  #strangers = 0;
  #slope: number | undefined;

  /** Samples come in order of `at`. */
  add(sample: ClockSample): void {
    this.#noticeStep(sample);
    this.#samples = this.#samples.filter((old) => sample.at - old.at <= MAX_AGE_MS).slice(-(MAX_SAMPLES - 1));
    this.#samples.push(sample);
    this.#slope = slopeOf(this.#samples);
  }

  /** Undefined before the first sample. Keeps answering, ever less surely, when no more come. */
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
      // One that cannot be true together with the best is of a clock that was set.
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

  /** The fastest exchange of the past would be believed for minutes after a clock was set; so count contradictions. */
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
 * Least squares over the fast exchanges; undefined while they are too few, too close, or too noisy to beat "no drift".
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

/** 0.5 %: also the most by which audible video may be nudged, so that media follow a slewing clock unheard. */
export const SLEW_RATE = 0.005;
/** Up to here a correction is slewed (50 s at most); beyond it is a clock that was wrong, and stepped. */
export const STEP_MS = 250;
/**
 * A first answer may have been slow, and lopsided by up to half of it; slewed, that would take half a minute to mend.
 */
const SETTLED_MS = 5;
const SETTLING_ANSWERS = 8;

/**
 * The remote clock as it is read: small corrections are slewed, so that it never stands still nor runs backwards but
 * for a step.
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

  /** Remote time at this local reading. */
  now(at: number): number {
    return at + this.#offset(at);
  }

  /**
   * Returns by how much the clock was stepped; 0 when the correction is slewed. Until an estimate was good to 5 ms, or
   * 8 have come, corrections are stepped, since nothing can be in step with a clock that is not known yet.
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
