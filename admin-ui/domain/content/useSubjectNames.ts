import { useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { contentQuery } from '../../api/files/content.ts';
import { layoutsQuery } from '../../api/layouts.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { widgetsQuery } from '../../api/widgets.ts';
import { templateName } from '../records/templateName.ts';

export type Subject = {
  readonly playlist_id: string | null;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly layout_id: string | null;
};

/** Returns a function that names the subject of a schedule or wall; the name is empty while unknown. */
export const useSubjectNames = (subjects: readonly Subject[]): ((subject: Subject) => string) => {
  const { t } = useTranslation();
  const playlists = useQuery(playlistsQuery).data ?? [];
  const layouts = useQuery(layoutsQuery).data ?? [];
  const widgets = useQuery(widgetsQuery).data ?? [];
  const ids = [...new Set(subjects.flatMap((s) => (s.content_id === null ? [] : [s.content_id])))];
  const contents = useQueries({ queries: ids.map((id) => ({ ...contentQuery(id), staleTime: 5 * 60_000 })) });
  const named = new Map<string, string>();
  for (const { id, name } of [...playlists, ...widgets]) named.set(id, name);
  for (const layout of layouts) named.set(layout.id, templateName(layout, t));
  for (const { data } of contents) if (data) named.set(data.content.id, data.content.filename);
  return (s) => named.get(s.playlist_id ?? s.content_id ?? s.widget_id ?? s.layout_id ?? '') ?? '';
};
