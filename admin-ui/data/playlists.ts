import { queryOptions } from '@tanstack/react-query';
import {
  getPlaylist,
  listPlaylistDevices,
  listPlaylists,
  listPublishedItems,
} from '../../shared/contract/playlists.ts';
import { client } from './client.ts';

export const playlistsQuery = queryOptions({
  queryKey: ['playlists', 'list'],
  queryFn: ({ signal }) => client.call(listPlaylists, { signal }),
});

/** With the ETag that the next edit sends back. */
export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: ['playlists', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await client.request(getPlaylist, { params: { id }, signal });
      return { playlist: data, etag };
    },
  });

/** What screens play of it; empty while it was never published. */
export const publishedItemsQuery = (id: string) =>
  queryOptions({
    queryKey: ['playlists', 'published', id],
    queryFn: ({ signal }) => client.call(listPublishedItems, { params: { id }, signal }),
  });

/** Screens on which it plays now. */
export const playlistScreensQuery = (id: string) =>
  queryOptions({
    queryKey: ['playlists', 'screens', id],
    queryFn: ({ signal }) => client.call(listPlaylistDevices, { params: { id }, signal }),
  });
