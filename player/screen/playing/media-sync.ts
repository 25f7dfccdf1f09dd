/**
 * Computes at which position a clip must be at an instant, and the playback rate that keeps a media element at this
 * position. Pure: deck.ts measures and applies the results. All times in milliseconds.
 */

/** Limits of the change of speed. Beyond 3 % the motion looks wrong; beyond 0.5 % the change is audible. */
const MAX_NUDGE = 0.03;
const MAX_NUDGE_AUDIBLE = 0.005;
/**
 * Limit of the speed change during the first moments of a clip, which catches up as fast as possible: half a second of
 * wrong frames is visible, a few skipped frames are not.
 */
const MAX_SPRINT = 0.5;
/** Time in which an error of the position should be corrected, as far as the limits of speed allow. */
const HORIZON_MS = 200;
const SPRINT_HORIZON_MS = 100;
/**
 * Step of the playback rate. Smaller changes are not made, so that measurement noise does not cause constant changes.
 */
const RATE_STEP = 0.001;
/** Smallest error of the position in milliseconds that is corrected. */
const DEAD_BAND_MS = 0.5;
/**
 * Smallest error in milliseconds that is corrected with audible sound, because each change of speed stretches the
 * sound.
 */
const DEAD_BAND_AUDIBLE_MS = 1.5;
/**
 * Errors in milliseconds beyond this need a jump, because a change of speed would take too long (more than 2 s, or 12 s
 * with sound). Causes are a busy machine, sleep, or a clock jump.
 */
export const LOST_MS = 60;
/** Like `LOST_MS`, but for a clip that has just begun and may catch up faster, in milliseconds. */
export const LOST_FRESH_MS = 150;

/**
 * If the rest of the play is shorter than this, the last frame stays instead of a flash of the clip's beginning.
 * Durations are rounded up to seconds, so nearly every clip ends with such a rest.
 */
const HELD_REST_MS = 1_000;
/** Maximum time by which a play may be shorter than its clip and still count as complete. */
const ROUNDING_MS = 40;

/** Start and end of a play in epoch milliseconds on the server clock. `until` is exclusive. */
export interface ClipTurn {
  readonly since: number;
  readonly until: number;
}

/**
 * The runs of one clip in its plays. Each run starts at the clip's beginning, and the last frame stays until the next
 * run.
 */
export class ClipTimeline {
  readonly mediaMs: number;
  readonly #turn: ClipTurn;
  /** The next play, if it shows the same clip immediately after this play. */
  readonly #then: ClipTurn | null;

  constructor(mediaMs: number, turn: ClipTurn, then: ClipTurn | null) {
    this.mediaMs = mediaMs;
    this.#turn = turn;
    this.#then = then;
  }

  /**
   * Returns the start of the run (one playback of the clip) that is visible at this instant. Before the play: the start
   * of the first run.
   */
  startOf(instant: number): number {
    if (this.#then && instant >= this.#then.since) return runStart(this.mediaMs, this.#then, instant);
    return runStart(this.mediaMs, this.#turn, instant);
  }

  /** Returns the start of the run after the visible run. Infinity if no run follows and the last frame stays. */
  nextStart(instant: number): number {
    const start = this.startOf(instant);
    const inThen = this.#then !== null && instant >= this.#then.since;
    const turn = inThen && this.#then ? this.#then : this.#turn;
    const next = start + this.mediaMs;
    if (next - turn.since < runsOf(this.mediaMs, turn) * this.mediaMs) return next;
    return !inThen && this.#then ? this.#then.since : Infinity;
  }
}

/**
 * Returns the number of runs, at least 1: the whole runs, and a cut run if the rest of the play is too long for a still
 * frame.
 */
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
 * Returns the playback rate for an error (positive = behind). `nudged`: the rate is already changed, so correct the
 * error completely. `fresh`: the clip has just begun. `slope`: intended deviation of the speed ({@link swaySlope}).
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

/** Share by which the clips of a wall intentionally run faster or slower than normal. */
const SWAY = 0.004;
/** Duration in milliseconds of each phase in which the clips run faster or slower. */
const SWAY_HALF_MS = 12_000;

/**
 * Intended lead of the clips of a wall, the same on all panels: varies between ±24 ms. At the exact speed Chromium
 * counts refreshes (25 fps on 60 Hz: 2, 3, 2, 3, 2) and continues to count after a loaded machine skipped a refresh, so
 * that frames are a refresh late on one panel for seconds. A quarter of a per cent beside the exact speed there is no
 * such pattern: then only the clip's clock decides which frame is visible.
 */
export function sway(elapsed: number): number {
  const place = (((elapsed + SWAY_HALF_MS / 2) / SWAY_HALF_MS) % 2) - 0.5;
  return elapsed <= 0 ? 0 : SWAY * SWAY_HALF_MS * (place <= 0.5 ? place : 1 - place);
}

/** Returns by which share the speed must differ from normal, so that the clip follows {@link sway}. */
export const swaySlope = (elapsed: number): number =>
  Math.floor((Math.max(0, elapsed) + SWAY_HALF_MS / 2) / SWAY_HALF_MS) % 2 === 0 ? SWAY : -SWAY;

/** Number of measured frames: two whole patterns of the usual frame rates on the usual panels. */
const PATTERN_FRAMES = 10;
/** Number of frames at a wrong refresh from which on the pattern counts as wrong. */
const OUT_OF_PLACE = 2;
/** Tolerance of a measured position in milliseconds. */
const PLACE_MARGIN_MS = 1.5;

/**
 * Checks whether each frame of a clip is shown at its nearest refresh. A browser finds the pattern in which frames fall
 * on refreshes (25 fps on 60 Hz: 3, 2, 3, 2, 2) and keeps it, even after a late frame, until a frame would be off by
 * more than about a refresh. Therefore the clip is moved that far and back.
 */
export class Pattern {
  #places: number[] = [];

  /** Adds the delay of a frame against the clip's own clock, in milliseconds. */
  add(late: number): void {
    this.#places.push(late);
    if (this.#places.length > PATTERN_FRAMES) this.#places.shift();
  }

  /** Returns 1 if frames are too late, -1 if they are too early, 0 if they are right or not yet known. */
  off(period_ms: number): -1 | 0 | 1 {
    const limit = period_ms / 2 + PLACE_MARGIN_MS;
    if (this.#places.filter((late) => late > limit).length >= OUT_OF_PLACE) return 1;
    return this.#places.filter((late) => late < -limit).length >= OUT_OF_PLACE ? -1 : 0;
  }

  /** Returns true if enough frames were measured, and `off` finds them neither too late nor too early. */
  settled(period_ms: number): boolean {
    return this.#places.length >= PATTERN_FRAMES / 2 && this.off(period_ms) === 0;
  }

  reset(): void {
    this.#places = [];
  }
}

/** Number of frames examined. Later frames repeat these positions or differ only a little. */
const PLACES = 24;
/** Index of the frame at which Chromium starts its pattern, with the longest frame first. */
const PATTERN_BEGINS = 3;

/**
 * Returns the delay in milliseconds between a refresh and the start of a clip (negative: before the refresh), at most
 * about half a refresh. With this delay no frame lies between two refreshes, where one panel would show it a refresh
 * earlier than the next panel, and Chromium's pattern is the one closest to the clip's own time.
 */
export function startAfterRefresh(frameMs: number, period_ms: number): number {
  const places = Array.from({ length: PLACES }, (_, n) => ((n * frameMs) / period_ms) % 1).sort((a, b) => a - b);
  const gap = Math.max(...places.map((place, i) => (places[i + 1] ?? 1 + (places[0] ?? 0)) - place));
  // Places are shares of a refresh interval. The middle between two refreshes (0.5) is put into the middle of the
  // largest gap between frames. The last frame before the gap is then shown earlier, compared with its time, than all
  // other frames, and is therefore visible longest.
  const place = 0.5 - gap / 2;
  return nearestTo0(place - (PATTERN_BEGINS * frameMs) / period_ms) * period_ms;
}

/**
 * Returns the delay that is nearest to 0 among the delays that differ by whole refreshes. Values close to half a
 * refresh are all rounded to one side, so that panels with slightly different measurements get the same result.
 */
const nearestTo0 = (value: number): number => {
  const rest = value - Math.round(value);
  return rest < -0.45 ? rest + 1 : rest;
};
