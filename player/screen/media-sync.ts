/** Where a clip should be at an instant, and how a player is held there. Pure; the measuring is the media surface's. */

/** A nudge beyond 3 % is seen as wrong motion; beyond 0.5 % it is heard. */
const MAX_NUDGE = 0.03;
const MAX_NUDGE_AUDIBLE = 0.005;
/** Errors below this are left alone: a 60 Hz panel cannot show the difference, and each change of rate costs the decoder. */
const DEAD_BAND_MS = 3;
/** An error is to be gone after about this long, as far as the limits allow. */
const HORIZON_MS = 1_000;
/** Rates are set in steps, so that noise in the measurement does not become a stream of changes. */
const RATE_STEP = 0.0025;
/** Beyond this a nudge would take half a minute; the host slept, or the clock stepped. */
const RESEEK_MS = 800;
/** Seeking-only designs never settle (Syncplay #254): at most one in this long. */
export const RESEEK_PAUSE_MS = 10_000;

/**
 * A rest of the turn shorter than this is filled by the last frame instead of a flash of the clip's beginning: lengths
 * in seconds are rounded up, so nearly every clip ends with such a rest.
 */
const HELD_REST_MS = 1_000;
/** A rest below one frame is no rest: the clip runs through into its next turn. */
const NO_REST_MS = 40;

export interface ClipPlan {
  /** Milliseconds of the turn after which the last frame is held; Infinity: the clip loops to the turn's end. */
  readonly holdFrom: number;
  readonly mediaMs: number;
}

export function planClip(turnMs: number, mediaMs: number): ClipPlan {
  const loops = Math.floor((turnMs + NO_REST_MS) / mediaMs);
  const rest = turnMs - loops * mediaMs;
  return { mediaMs, holdFrom: loops >= 1 && rest > NO_REST_MS && rest < HELD_REST_MS ? loops * mediaMs : Infinity };
}

/** Milliseconds into the clip, `elapsed` ms after the turn began. Before it began: the first frame. */
export function clipPosition(plan: ClipPlan, elapsed: number): number {
  if (elapsed <= 0) return 0;
  return elapsed >= plan.holdFrom ? plan.mediaMs : elapsed % plan.mediaMs;
}

/** Whether the element should start over by itself when it reaches the clip's end next. */
export const loopsOn = (plan: ClipPlan, elapsed: number): boolean => elapsed + plan.mediaMs < plan.holdFrom + NO_REST_MS;

/** Signed distance by the shorter way round a looping clip: + = the player is behind. */
export function clipError(plan: ClipPlan, elapsed: number, positionMs: number): number {
  const error = clipPosition(plan, elapsed) - positionMs;
  if (plan.holdFrom !== Infinity && elapsed >= plan.holdFrom - plan.mediaMs) return error;
  if (error > plan.mediaMs / 2) return error - plan.mediaMs;
  if (error < -plan.mediaMs / 2) return error + plan.mediaMs;
  return error;
}

/** What to do about an error (+ = behind): a playback rate, or a seek where no rate would get there. */
export function correction(errorMs: number, { audible }: { audible: boolean }): { rate: number } | 'seek' {
  if (Math.abs(errorMs) > RESEEK_MS) return 'seek';
  if (Math.abs(errorMs) < DEAD_BAND_MS) return { rate: 1 };
  const limit = audible ? MAX_NUDGE_AUDIBLE : MAX_NUDGE;
  const wanted = Math.max(-limit, Math.min(limit, errorMs / HORIZON_MS));
  return { rate: 1 + Math.round(wanted / RATE_STEP) * RATE_STEP };
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
};
