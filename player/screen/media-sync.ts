/**
 * Where a clip should be at an instant, and how a player is held there. Pure; the measuring is the deck's.
 * Milliseconds.
 */

/** A nudge beyond 3 % is seen as wrong motion; beyond 0.5 % it is heard. */
const MAX_NUDGE = 0.03;
const MAX_NUDGE_AUDIBLE = 0.005;
/**
 * In its first moments a clip catches up as fast as it can: half a second of wrong frames would be seen, a few frames
 * left out are not.
 */
const MAX_SPRINT = 0.5;
/** An error is to be gone after about this long, as far as the limits allow. */
const HORIZON_MS = 200;
const SPRINT_HORIZON_MS = 100;
/** Rates are set in steps, so that noise in the measurement does not become a stream of changes. */
const RATE_STEP = 0.001;
/** Below this an error is left alone. */
const DEAD_BAND_MS = 0.5;
/** Where the clip is heard nudging begins only here, since each change of speed stretches the sound. */
const DEAD_BAND_AUDIBLE_MS = 1.5;
/**
 * Beyond this a nudge would take too long (more than 2 s; where it is heard 12 s): the machine was busy, or slept, or
 * the clock stepped.
 */
export const LOST_MS = 60;
/** The same for a clip that has just begun, and may sprint. */
export const LOST_FRESH_MS = 150;

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

/**
 * The runs of one clip in its turns: each begins at the clip's beginning, the last frame stands until the next one
 * begins.
 */
export class ClipTimeline {
  readonly mediaMs: number;
  readonly #turn: ClipTurn;
  /** The next turn, if it is the same clip right after. */
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

/**
 * The playback rate for an error (+ = behind). `nudged`: it is being nudged already, and may as well get there.
 * `fresh`: it has just begun. `slope`: by how much faster than its time it is meant to be ({@link swaySlope}).
 */
export function nudge(
  errorMs: number,
  {
    audible,
    nudged = false,
    fresh = false,
    slope = 0,
  }: { audible: boolean; nudged?: boolean; fresh?: boolean; slope?: number },
): number {
  if (Math.abs(errorMs) < (audible && !nudged ? DEAD_BAND_AUDIBLE_MS : DEAD_BAND_MS)) return 1 + slope;
  const limit = audible ? MAX_NUDGE_AUDIBLE : fresh ? MAX_SPRINT : MAX_NUDGE;
  const wanted = Math.round(errorMs / (fresh ? SPRINT_HORIZON_MS : HORIZON_MS) / RATE_STEP) * RATE_STEP;
  return 1 + Math.max(-limit, Math.min(limit, slope + wanted));
}

/** Clips of a wall are faster or slower by this share. */
const SWAY = 0.004;
/** How long each stretch of that is. */
const SWAY_HALF_MS = 12_000;

/**
 * How far the clips of a wall are ahead of their time, on all panels alike: up and down by 24 ms. At its very speed
 * Chromium counts refreshes (25 on 60: 2, 3, 2, 3, 2) and goes on counting where a loaded machine left one out, so that
 * frames stand a refresh too late here and not there for seconds. A quarter of a per cent beside it there is no such
 * pattern: then the clip's clock alone says which frame is seen.
 */
export function sway(elapsed: number): number {
  const place = (((elapsed + SWAY_HALF_MS / 2) / SWAY_HALF_MS) % 2) - 0.5;
  return elapsed <= 0 ? 0 : SWAY * SWAY_HALF_MS * (place <= 0.5 ? place : 1 - place);
}

/** By how much faster or slower the clip is meanwhile. */
export const swaySlope = (elapsed: number): number =>
  Math.floor((Math.max(0, elapsed) + SWAY_HALF_MS / 2) / SWAY_HALF_MS) % 2 === 0 ? SWAY : -SWAY;

/** Frames looked at: two whole patterns of the usual frame rates on the usual panels. */
const PATTERN_FRAMES = 10;
/** From so many out of place on the pattern is wrong. */
const OUT_OF_PLACE = 2;
/** Tolerance of the measurement. */
const PLACE_MARGIN_MS = 1.5;

/**
 * Whether each frame of a clip is on the refresh nearest to it. A browser finds the pattern in which frames fall on
 * refreshes (25 on 60: 3, 2, 3, 2, 2) and stays with it, also after a frame came a refresh late, until some frame would
 * be out by more than about a refresh: so the clip is brought that far, and back.
 */
export class Pattern {
  #places: number[] = [];

  /** How far a frame is seen after its time in the clip by the clip's own clock, in milliseconds. */
  add(late: number): void {
    this.#places.push(late);
    if (this.#places.length > PATTERN_FRAMES) this.#places.shift();
  }

  /** 1: frames stand too late, -1: too early; 0: all is well, or not known yet. */
  off(period_ms: number): -1 | 0 | 1 {
    const limit = period_ms / 2 + PLACE_MARGIN_MS;
    if (this.#places.filter((late) => late > limit).length >= OUT_OF_PLACE) return 1;
    return this.#places.filter((late) => late < -limit).length >= OUT_OF_PLACE ? -1 : 0;
  }

  /** Enough of it was seen to say that all is well. */
  settled(period_ms: number): boolean {
    return this.#places.length >= PATTERN_FRAMES / 2 && this.off(period_ms) === 0;
  }

  reset(): void {
    this.#places = [];
  }
}

/** Frames looked at: beyond, their places come again or differ by little. */
const PLACES = 24;
/** The frame with which Chromium begins its pattern, the frame that stays longest first. */
const PATTERN_BEGINS = 3;

/**
 * How long after a refresh (-: before it) a clip should begin, in milliseconds and about half a refresh at most, so
 * that none of its frames lies just between two refreshes, where one panel would show it a refresh earlier than the
 * next; and so that the pattern in which Chromium then shows them is the one that is nearest to the clip's own time.
 */
export function startAfterRefresh(frameMs: number, period_ms: number): number {
  const places = Array.from({ length: PLACES }, (_, n) => ((n * frameMs) / period_ms) % 1).sort((a, b) => a - b);
  const gap = Math.max(...places.map((place, i) => (places[i + 1] ?? 1 + (places[0] ?? 0)) - place));
  // Half a gap before the edge, which is half a refresh after a refresh: the earliest of its places on the glass, and
  // thus the longest.
  const place = 0.5 - gap / 2;
  return nearestTo0(place - (PATTERN_BEGINS * frameMs) / period_ms) * period_ms;
}

/**
 * The same place in a refresh, nearest to its beginning. Measured differently by little, panels come to the same: the
 * middle is cut to one side.
 */
const nearestTo0 = (value: number): number => {
  const rest = value - Math.round(value);
  return rest < -0.45 ? rest + 1 : rest;
};
