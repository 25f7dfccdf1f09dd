import {
  getPlaylist,
  getPlaylistVersion,
  listPlaylistDevices,
  listPlaylists,
  listPlaylistVersions,
  listPublishedItems,
} from '../../shared/contract/playlists.ts';
import { queryOf, recordQueryOf } from './query.ts';

export const playlistsQuery = queryOf(['playlists', 'list'], listPlaylists);

export const playlistQuery = (id: string) => recordQueryOf(['playlists', 'one', id], getPlaylist, id, 'playlist');

/** The items that screens play; empty before the playlist is published for the first time. */
export const publishedItemsQuery = (id: string) =>
  queryOf(['playlists', 'published', id], listPublishedItems, { params: { id } });

/** The screens that play the playlist now. */
export const playlistScreensQuery = (id: string) =>
  queryOf(['playlists', 'screens', id], listPlaylistDevices, { params: { id } });

/** The versions of the playlist, one for each time it was published. */
export const playlistVersionsQuery = (id: string) =>
  queryOf(['playlists', 'versions', id], listPlaylistVersions, { params: { id } });

export const playlistVersionQuery = (id: string, version: number) =>
  queryOf(['playlists', 'version', id, version], getPlaylistVersion, { params: { id, version: String(version) } });
