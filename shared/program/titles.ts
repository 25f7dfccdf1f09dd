import type { Program, ProgramSchedule } from './program.ts';

/**
 * Returns the display name of a schedule of a program: its title, otherwise the name of its content; '' if there is
 * none.
 */
export const titleOf = (
  { playlists, layouts }: Pick<Program, 'playlists' | 'layouts'>,
  { title, playlist_id, item, layout_id }: Pick<ProgramSchedule, 'title' | 'playlist_id' | 'item' | 'layout_id'>,
): string =>
  title ||
  (playlists.find(({ id }) => id === playlist_id)?.name ??
    item?.name ??
    layouts.find(({ id }) => id === layout_id)?.name ??
    '');
