import { queryOptions } from '@tanstack/react-query';
import { getKioskPage, listKioskPages } from '../../shared/contract/kiosk.ts';
import { client } from './client.ts';

export const kioskPagesQuery = queryOptions({
  queryKey: ['kiosk', 'list'],
  queryFn: ({ signal }) => client.call(listKioskPages, { signal }),
});

/** With the ETag that the next edit sends back. */
export const kioskPageQuery = (id: string) =>
  queryOptions({
    queryKey: ['kiosk', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await client.request(getKioskPage, { params: { id }, signal });
      return { page: data, etag };
    },
  });

/** Where a kiosk page is. Widgets name it without a host: it is this server's, whatever that is called. */
export const kioskPath = (id: string): string => `/api/kiosk/${id}/render`;
export const kioskIdOf = (url: string): string | undefined =>
  /^(?:https?:\/\/[^/]+)?\/api\/kiosk\/([^/?#]+)\/render(?:[?#]|$)/i.exec(url)?.[1];
