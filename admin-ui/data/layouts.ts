import { queryOptions } from '@tanstack/react-query';
import { getLayout, listLayouts } from '../../shared/contract/layouts.ts';
import { client } from './client.ts';

/** The workspace's own and the templates. */
export const layoutsQuery = queryOptions({
  queryKey: ['layouts', 'list'],
  queryFn: ({ signal }) => client.call(listLayouts, { signal }),
});

/** With the ETag that the next edit sends back. */
export const layoutQuery = (id: string) =>
  queryOptions({
    queryKey: ['layouts', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await client.request(getLayout, { params: { id }, signal });
      return { layout: data, etag };
    },
  });
