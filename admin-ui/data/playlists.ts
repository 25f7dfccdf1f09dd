import { queryOptions } from '@tanstack/react-query';
import { getPlaylist, listPlaylists } from '../../shared/contract/playlists.ts';
import { client } from './client.ts';

export const playlistsQuery = queryOptions({ queryKey: ['playlists', 'list'], queryFn: ({ signal }) => client.call(listPlaylists, { signal }) });

/** With the ETag that the next edit sends back. */
export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: ['playlists', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await client.request(getPlaylist, { params: { id }, signal });
      return { playlist: data, etag };
    },
  });
