import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { replaceWallDevices, updateWall, type Wall } from '../../../shared/contract/screens/walls.ts';
import type { Program, ProgramItem } from '../../../shared/program/program.ts';
import { createResolver } from '../../../shared/program/resolve.ts';
import { contentQuery } from '../../api/files/content.ts';
import { playlistQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { wallQuery } from '../../api/walls.ts';
import { serverNow } from '../../components/hooks/serverClock.ts';
import type { Draft } from '../../components/hooks/useHistory.ts';
import { contentToProgramItem, toProgramItem } from '../../domain/preview/programItems.ts';
import { useSave } from '../../domain/saving/useSave.ts';
import { changeOf, membersOf, type WallDraft } from './wall.utils.ts';

/** Polling interval in milliseconds for the panels' sync measurements. */
const SYNC_MS = 5000;

export const useWall = (id: string) => useQuery({ ...wallQuery(id), refetchInterval: SYNC_MS });

export const useSaveWall = (wall: Wall, draft: Draft<WallDraft>) => {
  const { t } = useTranslation();
  return useSave<Wall>({
    topics: ['walls', 'devices'],
    draft,
    run: async () => {
      const params = { id: wall.id };
      const { leader_device_id, ...change } = changeOf(draft.value);
      // The server checks each request: panels must be inside the grid, and the leader must be a panel. So the first
      // request enlarges the grid, the second sets the panels, and the last sets the final grid.
      const room = {
        grid_cols: Math.max(wall.grid_cols, draft.value.grid_cols),
        grid_rows: Math.max(wall.grid_rows, draft.value.grid_rows),
      };
      const grown = await client.request(updateWall, {
        params,
        body: { ...change, ...room, leader_device_id: null },
        ifMatch: draft.ifMatch,
      });
      const hung = await client.request(replaceWallDevices, {
        params,
        body: { devices: membersOf(draft.value) },
        ifMatch: grown.etag,
      });
      const isThere =
        room.grid_cols === draft.value.grid_cols &&
        room.grid_rows === draft.value.grid_rows &&
        leader_device_id === null;
      if (isThere) return hung;
      return client.request(updateWall, {
        params,
        body: { grid_cols: draft.value.grid_cols, grid_rows: draft.value.grid_rows, leader_device_id },
        ifMatch: hung.etag,
      });
    },
    queryKey: wallQuery(wall.id).queryKey,
    cached: ({ data, etag }) => ({ wall: data, etag }),
    saved: t('wall.saved'),
  });
};

const TICK_MS = 500;

/**
 * Returns the item that the wall shows now by the player's own rules: from its playlist, otherwise its single
 * content.
 */
export const useWallItem = ({
  playlist_id,
  content_id,
}: Pick<WallDraft, 'playlist_id' | 'content_id'>): ProgramItem | null => {
  const items = useQuery({
    ...playlistQuery(playlist_id ?? ''),
    enabled: playlist_id !== null,
    select: (data) => data.playlist.items,
  }).data;
  const content = useQuery({ ...contentQuery(content_id ?? ''), enabled: playlist_id === null && content_id !== null })
    .data?.content;
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (playlist_id === null) return;
    const timer = setInterval(() => setNow(serverNow()), TICK_MS);
    return () => clearInterval(timer);
  }, [playlist_id]);
  const resolver = useMemo(() => {
    if (playlist_id === null || !items) return undefined;
    const program: Program = {
      format: 1,
      base: { layout_id: null, playlist_id, item: null, source: 'wall' },
      fallback: null,
      layouts: [],
      playlists: [{ id: playlist_id, name: '', anchor_ms: 0, items: items.map((item) => toProgramItem(item)) }],
      schedules: [],
      assets: [],
    };
    return createResolver(program, Intl.DateTimeFormat().resolvedOptions().timeZone);
  }, [items, playlist_id]);
  if (playlist_id === null) return content ? contentToProgramItem(content) : null;
  return resolver?.resolve(now).zones[0]?.cue?.item ?? null;
};
