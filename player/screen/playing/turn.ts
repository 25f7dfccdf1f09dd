/** Identifies plays ("turns" in this code) and pictures, and decides whether a play was complete. Pure. */
import type { Cue, ProgramItem } from '../../../shared/program/program.ts';

/**
 * Identifies the files and pages that must be loaded for an item. Between two items with the same key nothing is
 * loaded.
 */
export const surfaceKey = (item: ProgramItem): string => [item.kind, item.asset, item.url, item.data_url].join(' ');

/** Identifies a play. Two plays with different keys have separate play records. */
export const turnKey = ({ since, item, playlist_id }: Cue): string =>
  [since, item.item_id, item.content_id, item.widget_id, playlist_id, surfaceKey(item)].join(' ');

/**
 * A play may lose this much at either end and still count as complete. Causes are the loading of a first picture and
 * the frame grid.
 */
const WHOLE_TOLERANCE_MS = 500;

export const shownWhole = (
  { since, until }: Pick<Cue, 'since' | 'until'>,
  startedAt: number,
  endedAt: number,
): boolean => startedAt <= since + WHOLE_TOLERANCE_MS && endedAt >= until - WHOLE_TOLERANCE_MS;
