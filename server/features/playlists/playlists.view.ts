import type { Playlist, PlaylistItem, PlaylistVersion } from '../../../shared/contract/content/playlists.ts';
import type { JoinedItem, PlaylistRow, VersionRow } from './playlists.store.ts';

/** Path of a content's thumbnail; null when there is none. */
const thumbnailPath = (contentId: string | null, thumbnail: string | null) =>
  contentId && thumbnail ? `/api/content/${contentId}/thumbnail` : null;

export const toPlaylist = (row: PlaylistRow, itemCount: number, displayCount: number): Playlist => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status,
  workspace_id: row.workspace_id,
  item_count: itemCount,
  display_count: displayCount,
  published_at: row.published_ms === null ? null : Math.floor(row.published_ms / 1000),
  device_id: row.owner_device_id,
  transition: row.transition,
  published_transition: row.published_transition,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const toVersion = (
  row: Pick<VersionRow, 'id' | 'published_ms' | 'user_name' | 'asked_by_name'> & { readonly item_count: number },
): PlaylistVersion => ({
  id: row.id,
  published_at: Math.floor(row.published_ms / 1000),
  user_name: row.user_name,
  asked_by_name: row.asked_by_name,
  item_count: row.item_count,
});

export const toItem = ({ blocks, thumbnail, ...item }: JoinedItem): PlaylistItem => ({
  ...item,
  thumbnail_path: thumbnailPath(item.content_id, thumbnail),
  schedules: blocks,
});

/**
 * Returns items in order. Positions in the answer have no gaps, even if the stored order numbers do
 * (PlaylistsStore.itemsGone).
 */
export const toItems = (rows: readonly JoinedItem[]): PlaylistItem[] =>
  rows.map((row, sort_order) => ({ ...toItem(row), sort_order }));
