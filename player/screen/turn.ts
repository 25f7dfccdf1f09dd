/** Tells turns and pictures apart, and whether a turn was shown whole. Pure. */
import type { Cue, ProgramItem } from '../../shared/program/program.ts';

/** Names what has to be loaded to show an item: between two items with one key nothing is loaded. */
export const surfaceKey = (item: ProgramItem): string => [item.kind, item.asset, item.url, item.data_url].join(' ');

/** Differs where the play record has another turn. */
export const turnKey = ({ since, item, playlist_id }: Cue): string =>
  [since, item.item_id, item.content_id, item.widget_id, playlist_id, surfaceKey(item)].join(' ');

/** A turn may lose this much at either end and still count as whole: a slow disk's first picture, the frame grid. */
const WHOLE_TOLERANCE_MS = 500;

export const shownWhole = (
  { since, until }: Pick<Cue, 'since' | 'until'>,
  startedAt: number,
  endedAt: number,
): boolean => startedAt <= since + WHOLE_TOLERANCE_MS && endedAt >= until - WHOLE_TOLERANCE_MS;
