/** Chooses what a zone shows when its current item cannot be shown. Pure. */
import type { Cue, ProgramItem } from '../../../shared/program/program.ts';

/** Maximum number of successors that are tried, because the search is repeated in every frame. */
const MAX_STEPS = 12;

export interface Line {
  readonly cue: Cue | null;
  /** Returns the cue of the zone after the given cue. */
  readonly follow: (cue: Cue) => Cue | null;
  readonly fallback: ProgramItem | null;
  readonly usable: (item: ProgramItem) => boolean;
}

/**
 * Returns the cue itself if it is usable; otherwise the next usable cue, with the times of the failed cue so that the
 * playlist stays in step; otherwise the fallback; null if nothing can be shown.
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
