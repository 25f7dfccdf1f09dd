/** Chooses what a zone shows when its current item cannot be shown. Pure. */
import type { Cue, ProgramItem } from '../../../shared/program/program.ts';

/** Maximum number of following items that are tried. The search is repeated in every frame. */
const MAX_STEPS = 12;

export interface Line {
  readonly cue: Cue | null;
  /** Returns the cue (planned play) that follows the given cue in its zone. */
  readonly follow: (cue: Cue) => Cue | null;
  readonly fallback: ProgramItem | null;
  readonly usable: (item: ProgramItem) => boolean;
}

/**
 * Returns the cue itself if its item can be shown. Otherwise returns the next cue whose item can be shown, with the
 * times of the failed cue, so that the playlist stays synchronized; otherwise the fallback; null if nothing can be
 * shown.
 */
export function standIn({ cue, follow, fallback, usable }: Line): Cue | null {
  if (cue === null) return null;
  if (usable(cue.item)) return cue;
  let next = cue;
  for (let step = 0; step < MAX_STEPS; step++) {
    const after = follow(next);
    if (after === null || after.since <= next.since) break;
    if (usable(after.item)) return { ...after, since: cue.since, until: cue.until };
    next = after;
  }
  if (fallback !== null && usable(fallback))
    return { item: fallback, since: cue.since, until: cue.until, playlist_id: null, source: { kind: 'fallback' } };
  return null;
}
