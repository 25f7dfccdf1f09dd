/** Identifies plays ("turns" in this code) and pictures, and decides whether a play was complete. Pure. */
import type { Cue, ProgramItem } from '../../../shared/program/program.ts';

/**
 * Returns a key for the files and pages that must be loaded for an item. If the next item has the same key, nothing is
 * loaded.
 */
export const surfaceKey = (item: ProgramItem): string => [item.kind, item.asset, item.url, item.data_url].join(' ');

/** Returns a key for a play. Plays with different keys have separate records. */
export const turnKey = ({ since, item, playlist_id }: Cue): string =>
  [since, item.item_id, item.content_id, item.widget_id, playlist_id, surfaceKey(item)].join(' ');

/**
 * Milliseconds that a play may lack at its start and at its end and still count as complete. Causes are the loading of
 * a first picture, and changes only at whole frames.
 */
const WHOLE_TOLERANCE_MS = 500;

export const shownWhole = (
  { since, until }: Pick<Cue, 'since' | 'until'>,
  startedAt: number,
  endedAt: number,
): boolean => startedAt <= since + WHOLE_TOLERANCE_MS && endedAt >= until - WHOLE_TOLERANCE_MS;
