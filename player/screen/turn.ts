/** What is the same turn, the same picture; when a turn counts as shown whole. Pure. */
import type { Cue, ProgramItem } from '../../shared/program/program.ts';

/** What has to be loaded to show an item. Two items with one key need no reload between them. */
export const surfaceKey = (item: ProgramItem): string =>
  [item.kind, item.asset ?? '', item.url ?? '', item.data_url ?? ''].join(' ');

/** What makes it another turn for the play record. */
export const turnKey = (cue: Cue): string =>
  [
    cue.since,
    cue.item.item_id ?? '',
    cue.item.content_id ?? '',
    cue.item.widget_id ?? '',
    cue.playlist_id ?? '',
    surfaceKey(cue.item),
  ].join(' ');

/** A turn may lose this much at either end and still count as whole: a slow disk's first picture, the frame grid. */
const WHOLE_TOLERANCE_MS = 500;

export const shownWhole = (
  turn: { readonly since: number; readonly until: number },
  startedAt: number,
  endedAt: number,
): boolean => startedAt <= turn.since + WHOLE_TOLERANCE_MS && endedAt >= turn.until - WHOLE_TOLERANCE_MS;
