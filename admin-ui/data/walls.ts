import { queryOptions } from '@tanstack/react-query';
import { getWall, listWalls } from '../../shared/contract/walls.ts';
import { client } from './client.ts';

export const wallsQuery = queryOptions({
  queryKey: ['walls', 'list'],
  queryFn: ({ signal }) => client.call(listWalls, { signal }),
});

/** With the ETag that the next edit sends back. */
export const wallQuery = (id: string) =>
  queryOptions({
    queryKey: ['walls', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await client.request(getWall, { params: { id }, signal });
      return { wall: data, etag };
    },
  });
