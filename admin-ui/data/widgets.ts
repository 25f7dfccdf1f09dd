import { queryOptions } from '@tanstack/react-query';
import { getWidget, listWidgets } from '../../shared/contract/widgets.ts';
import { client } from './client.ts';

export const widgetsQuery = queryOptions({
  queryKey: ['widgets', 'list'],
  queryFn: ({ signal }) => client.call(listWidgets, { signal }),
});

/** With the ETag that the next edit sends back. */
export const widgetQuery = (id: string) =>
  queryOptions({
    queryKey: ['widgets', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await client.request(getWidget, { params: { id }, signal });
      return { widget: data, etag };
    },
  });
