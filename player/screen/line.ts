/** What a zone shows when the item whose turn it is cannot be shown. Pure. */
import type { Cue, ProgramItem } from '../../shared/program/program.ts';

/**
 * So many successors are tried, since the search is repeated at every frame.
 */
const MAX_STEPS = 12;

export interface Line {
  readonly cue: Cue | null;
  /** What the zone shows once this cue is over. */
  readonly follow: (cue: Cue) => Cue | null;
  readonly fallback: ProgramItem | null;
  readonly usable: (item: ProgramItem) => boolean;
}

/**
 * The cue itself, else the next one that works in its place (for the failing one's turn, so that the playlist stays in
 * step), else the fallback; null when nothing can be shown.
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
