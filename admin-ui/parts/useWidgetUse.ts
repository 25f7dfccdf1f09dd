import { useQueries, useQuery } from '@tanstack/react-query';
import { playlistQuery, playlistsQuery } from '../data/playlists.ts';
import type { ContentUse } from './useContentUse.ts';

/** The playlists that hold a widget; undefined until all have been looked at. */
export const useWidgetUse = (widgetId: string): readonly ContentUse[] | undefined => {
  const list = useQuery(playlistsQuery);
  const details = useQueries({ queries: (list.data ?? []).map((p) => playlistQuery(p.id)) });
  if (!list.data || details.some((d) => d.isPending)) return undefined;
  return details.flatMap(({ data }) => {
    if (!data?.playlist.items.some((item) => item.widget_id === widgetId)) return [];
    const { id, name, display_count: screens } = data.playlist;
    return [{ id, name, screens }];
  });
};
