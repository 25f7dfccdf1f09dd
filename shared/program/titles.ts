import type { Program, ProgramSchedule } from './program.ts';

/** What people call a schedule of a program: its title, else what it shows; '' where even that has no name. */
export const titleOf = (
  { playlists, layouts }: Pick<Program, 'playlists' | 'layouts'>,
  { title, playlist_id, item, layout_id }: Pick<ProgramSchedule, 'title' | 'playlist_id' | 'item' | 'layout_id'>,
): string =>
  title ||
  (playlists.find(({ id }) => id === playlist_id)?.name ??
    item?.name ??
    layouts.find(({ id }) => id === layout_id)?.name ??
    '');
