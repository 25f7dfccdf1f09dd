import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Layout, updateLayout } from '../../../shared/contract/layouts.ts';
import { toProgramLayout } from '../../../shared/program/from-records.ts';
import type { Program, ProgramItem } from '../../../shared/program/program.ts';
import { createResolver } from '../../../shared/program/resolve.ts';
import type { Draft } from '../../components/useHistory.ts';
import { client } from '../../data/client.ts';
import { layoutQuery } from '../../data/layouts.ts';
import { playlistQuery } from '../../data/playlists.ts';
import { screensQuery } from '../../data/screens.ts';
import { toProgramItem } from '../../parts/programItems.ts';
import { useSave } from '../../parts/useSave.ts';
import { bodyOf, type LayoutDraft } from './layout.utils.ts';

/** The screens that show a layout when no schedule says otherwise. */
export const useLayoutScreens = (id: string) =>
  (useQuery(screensQuery).data ?? []).filter((screen) => screen.layout_id === id);

export const useSaveLayout = (id: string, draft: Draft<LayoutDraft>) => {
  const { t } = useTranslation();
  return useSave<Layout>({
    topics: ['layouts'],
    draft,
    run: () => client.request(updateLayout, { params: { id }, body: bodyOf(draft.value), ifMatch: draft.ifMatch }),
    queryKey: layoutQuery(id).queryKey,
    cached: ({ data: layout, etag }) => ({ layout, etag }),
    saved: t('layout.saved'),
  });
};

const TICK_MS = 500;

/** What each zone of the draft would show if a screen with this playlist had it; turns by the player's own rules. */
export const useLayoutPreview = (layout: LayoutDraft, playlistId: string | null): ReadonlyMap<string, ProgramItem> => {
  const items = useQuery({
    ...playlistQuery(playlistId ?? ''),
    enabled: playlistId !== null,
    select: (data) => data.playlist.items,
  }).data;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (playlistId === null) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [playlistId]);
  const resolver = useMemo(() => {
    if (playlistId === null || !items) return undefined;
    const shape: Layout = {
      ...layout,
      id: 'layout',
      is_template: 0,
      workspace_id: null,
      created_at: 0,
      updated_at: 0,
      zones: [...layout.zones],
    };
    const program: Program = {
      format: 1,
      base: { layout_id: 'layout', playlist_id: playlistId, item: null, source: 'device' },
      fallback: null,
      layouts: [toProgramLayout(shape)],
      playlists: [{ id: playlistId, name: '', anchor_ms: 0, items: items.map(toProgramItem) }],
      schedules: [],
      assets: [],
    };
    return createResolver(program, Intl.DateTimeFormat().resolvedOptions().timeZone);
  }, [layout, items, playlistId]);
  return useMemo(
    () =>
      new Map(
        (resolver?.resolve(now).zones ?? []).flatMap(({ zone, cue }) => (cue ? [[zone.id, cue.item] as const] : [])),
      ),
    [resolver, now],
  );
};
