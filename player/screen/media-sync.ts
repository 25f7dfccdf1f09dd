/** Where a clip should be at an instant, and how a player is held there. Pure; the measuring is the deck's. Milliseconds. */

/** A nudge beyond 3 % is seen as wrong motion; beyond 0.5 % it is heard. */
const MAX_NUDGE = 0.03;
const MAX_NUDGE_AUDIBLE = 0.005;
/** An error is to be gone after about this long, as far as the limits allow. */
const HORIZON_MS = 400;
/** Rates are set in steps, so that noise in the measurement does not become a stream of changes. */
const RATE_STEP = 0.001;
/** Below these an error is left alone. A change of rate costs pictures nothing; sound is stretched for it, which is to end. */
const DEAD_BAND_MS = 0.5;
const DEAD_BAND_AUDIBLE_MS = 4;
/** Beyond this a nudge would take too long (more than 3 s; where it is heard 20 s): the machine was busy, or slept, or the clock stepped. */
export const LOST_MS = 100;

/**
 * A rest of the turn shorter than this is filled by the last frame instead of a flash of the clip's beginning: lengths
 * in seconds are rounded up, so nearly every clip ends with such a rest.
 */
const HELD_REST_MS = 1_000;
/** A turn may lack this much of the clip's end and still count as holding all of it. */
const ROUNDING_MS = 40;

/** Server clock; `until` exclusive. */
export interface ClipTurn {
  readonly since: number;
  readonly until: number;
}

/** The runs of one clip in its turns: each begins at the clip's beginning, the last frame stands until the next one begins. */
export class ClipTimeline {
  readonly mediaMs: number;
  readonly #turn: ClipTurn;
  /** The same clip again, right after. */
  readonly #then: ClipTurn | null;

  constructor(mediaMs: number, turn: ClipTurn, then: ClipTurn | null) {
    this.mediaMs = mediaMs;
    this.#turn = turn;
    this.#then = then;
  }

  /** When the run that is to be seen at this instant began; before the turn: when its first one will. */
  startOf(instant: number): number {
    if (this.#then && instant >= this.#then.since) return runStart(this.mediaMs, this.#then, instant);
    return runStart(this.mediaMs, this.#turn, instant);
  }

  /** When the run after that begins; Infinity: there is none, the last frame stands. */
  nextStart(instant: number): number {
    const start = this.startOf(instant);
    const inThen = this.#then !== null && instant >= this.#then.since;
    const turn = inThen && this.#then ? this.#then : this.#turn;
    const next = start + this.mediaMs;
    if (next - turn.since < runsOf(this.mediaMs, turn) * this.mediaMs) return next;
    return !inThen && this.#then ? this.#then.since : Infinity;
  }
}

/** Whole runs, and a cut one where the rest of the turn is too long to stand still; at least one. */
function runsOf(mediaMs: number, { since, until }: ClipTurn): number {
  const whole = Math.floor((until - since + ROUNDING_MS) / mediaMs);
  const rest = until - since - whole * mediaMs;
  return whole >= 1 && rest < HELD_REST_MS ? whole : whole + 1;
}

function runStart(mediaMs: number, turn: ClipTurn, instant: number): number {
  const run = Math.floor((instant - turn.since) / mediaMs);
  return turn.since + Math.max(0, Math.min(run, runsOf(mediaMs, turn) - 1)) * mediaMs;
}

/** The playback rate for an error (+ = behind). */
export function nudge(errorMs: number, { audible }: { audible: boolean }): number {
  if (Math.abs(errorMs) < (audible ? DEAD_BAND_AUDIBLE_MS : DEAD_BAND_MS)) return 1;
  const limit = audible ? MAX_NUDGE_AUDIBLE : MAX_NUDGE;
  const wanted = Math.max(-limit, Math.min(limit, errorMs / HORIZON_MS));
  return 1 + Math.round(wanted / RATE_STEP) * RATE_STEP;
}

/** Whole patterns of the usual frame rates on the usual panels: 24, 25, 30, 50 on 50, 60. */
const PATTERN_FRAMES = 10;

/**
 * How far the picture is from the clip's own clock. A browser puts each frame on the refresh that suits it and stays with
 * one pattern (25 on 60: 3, 2, 3, 2, 2 refreshes), which as a whole may lie up to half a refresh to either side; the single frames
 * scatter about it by as much. So the clip's clock, known to 0.1 ms, is what is steered, towards a mean picture error of zero.
 */
export class FrameBias {
  #differences: number[] = [];

  /** Both + = behind the shared clock. */
  add(frameError: number, clockError: number): void {
    this.#differences.push(frameError - clockError);
    if (this.#differences.length > PATTERN_FRAMES) this.#differences.shift();
  }

  /** 0 until half of it has been seen. */
  get value(): number {
    const known = this.#differences;
    return known.length < PATTERN_FRAMES / 2 ? 0 : known.reduce((sum, each) => sum + each, 0) / known.length;
  }

  reset(): void {
    this.#differences = [];
  }
}
