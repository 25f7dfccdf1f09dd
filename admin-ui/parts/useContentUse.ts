import { useQueries, useQuery } from '@tanstack/react-query';
import { playlistQuery, playlistsQuery } from '../data/playlists.ts';

export type ContentUse = { readonly id: string; readonly name: string; readonly screens: number };

/** The playlists that hold a content; undefined until all have been looked at. */
export const useContentUse = (contentId: string): readonly ContentUse[] | undefined => {
  const list = useQuery(playlistsQuery);
  const details = useQueries({ queries: (list.data ?? []).map((p) => playlistQuery(p.id)) });
  if (!list.data || details.some((d) => d.isPending)) return undefined;
  return details.flatMap(({ data }) => {
    if (!data?.playlist.items.some((item) => item.content_id === contentId)) return [];
    const { id, name, display_count: screens } = data.playlist;
    return [{ id, name, screens }];
  });
};
