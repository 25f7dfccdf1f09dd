import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Layout, updateLayout } from '../../../shared/contract/content/layouts.ts';
import { toProgramLayout } from '../../../shared/program/from-records.ts';
import type { Program, ProgramItem } from '../../../shared/program/program.ts';
import { createResolver } from '../../../shared/program/resolve.ts';
import { contentQuery } from '../../api/files/content.ts';
import { layoutQuery } from '../../api/layouts.ts';
import { playlistQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { screensPageQuery } from '../../api/screens.ts';
import { widgetsQuery } from '../../api/widgets.ts';
import { serverNow } from '../../components/hooks/serverClock.ts';
import type { Draft } from '../../components/hooks/useHistory.ts';
import { contentToProgramItem, toProgramItem, widgetToProgramItem } from '../../domain/preview/programItems.ts';
import { useSave } from '../../domain/saving/useSave.ts';
import { bodyOf, type Fill, fillOf, type LayoutDraft } from './layout.utils.ts';

/** Query for the screens whose default layout is this layout: their number, and the first of them. */
export const useLayoutScreens = (id: string) =>
  useQuery(screensPageQuery({ layout_id: id, sort: 'name' }, 0)).data ?? { rows: [], total: 0 };

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

const isKnown = (id: string | null): id is string => id !== null;

/** Loads contents, widgets and playlists of the draft's zones, and the playlist of the preview. */
const useMaterial = (layout: LayoutDraft, playlistId: string | null) => {
  const idsOf = (key: Fill['key']) => [...new Set(layout.zones.map((zone) => zone[key]).filter(isKnown))];
  const widgets = useQuery(widgetsQuery).data;
  const contents = useQueries({
    queries: idsOf('content_id').map((id) => ({ ...contentQuery(id), staleTime: 5 * 60_000 })),
    combine: (all) => all.flatMap(({ data }) => data?.content ?? []),
  });
  const playlists = useQueries({
    queries: [...new Set([...idsOf('playlist_id'), ...(playlistId ? [playlistId] : [])])].map((id) =>
      playlistQuery(id),
    ),
    combine: (all) => all.flatMap(({ data }) => data?.playlist ?? []),
  });
  return useMemo(
    () => ({
      items: new Map([
        ...contents.map((one) => [one.id, contentToProgramItem(one)] as const),
        ...(widgets ?? []).map((one) => [one.id, widgetToProgramItem(one)] as const),
      ]),
      playlists: playlists.map(({ id, name, items }) => ({
        id,
        name,
        anchor_ms: 0,
        items: items.map((item) => toProgramItem(item)),
      })),
    }),
    [contents, widgets, playlists],
  );
};

export interface LayoutPreview {
  /** The item of each zone at the instant of the preview, by zone id. */
  readonly items: ReadonlyMap<string, ProgramItem>;
  /** Names of contents, widgets and playlists, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Returns the items of each zone of the draft on a screen with this playlist, computed by the player's own rules.
 * @param offset milliseconds from now
 */
export const useLayoutPreview = (layout: LayoutDraft, playlistId: string | null, offset: number): LayoutPreview => {
  const { items, playlists } = useMaterial(layout, playlistId);
  const isShown = playlistId !== null || layout.zones.some((zone) => fillOf(zone) !== null);
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (!isShown) return;
    const timer = setInterval(() => setNow(serverNow()), TICK_MS);
    return () => clearInterval(timer);
  }, [isShown]);
  const resolver = useMemo(() => {
    const program: Program = {
      format: 1,
      base: { layout_id: 'layout', playlist_id: playlistId, item: null, source: 'device' },
      fallback: null,
      layouts: [
        toProgramLayout(
          { ...layout, id: 'layout' },
          ({ content_id, widget_id }) => items.get(content_id ?? widget_id ?? '') ?? null,
        ),
      ],
      playlists,
      schedules: [],
      assets: [],
    };
    return createResolver(program, Intl.DateTimeFormat().resolvedOptions().timeZone);
  }, [layout, items, playlists, playlistId]);
  const shown = useMemo(
    () =>
      new Map(
        resolver.resolve(now + offset).zones.flatMap(({ zone, cue }) => (cue ? [[zone.id, cue.item] as const] : [])),
      ),
    [resolver, now, offset],
  );
  const names = useMemo(
    () =>
      new Map([
        ...[...items].map(([id, { name }]) => [id, name] as const),
        ...playlists.map((p) => [p.id, p.name] as const),
      ]),
    [items, playlists],
  );
  return { items: shown, names };
};
