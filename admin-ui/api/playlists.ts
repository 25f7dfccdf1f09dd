import {
  getPlaylist,
  getPlaylistVersion,
  listPlaylistDevices,
  listPlaylists,
  listPlaylistVersions,
  listPublishedItems,
} from '../../shared/contract/content/playlists.ts';
import { queryOf, recordQueryOf } from './requests/query.ts';

export const playlistsQuery = queryOf(['playlists', 'list'], listPlaylists);

export const playlistQuery = (id: string) => recordQueryOf(['playlists', 'one', id], getPlaylist, id, 'playlist');

/** Query for the published items of a playlist, which screens play. Empty before the first publish. */
export const publishedItemsQuery = (id: string) =>
  queryOf(['playlists', 'published', id], listPublishedItems, { params: { id } });

/** Query for the screens that play a playlist now. */
export const playlistScreensQuery = (id: string) =>
  queryOf(['playlists', 'screens', id], listPlaylistDevices, { params: { id } });

/** Query for the versions of a playlist. Each publish makes a version. */
export const playlistVersionsQuery = (id: string) =>
  queryOf(['playlists', 'versions', id], listPlaylistVersions, { params: { id } });

export const playlistVersionQuery = (id: string, version: number) =>
  queryOf(['playlists', 'version', id, version], getPlaylistVersion, { params: { id, version: String(version) } });
