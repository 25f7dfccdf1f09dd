import { infiniteQueryOptions } from '@tanstack/react-query';
import { listActivity } from '../../shared/contract/server/activity.ts';
import { client } from './requests/client.ts';

const PAGE = 100;

export const activityQuery = (deviceId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'list', deviceId ?? ''],
    queryFn: async ({ signal, pageParam }) => {
      const { data, total } = await client.request(listActivity, {
        query: { device_id: deviceId, limit: String(PAGE), offset: String(pageParam) },
        signal,
      });
      return { entries: data, total: total ?? data.length };
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const have = pages.reduce((sum, page) => sum + page.entries.length, 0);
      return have < last.total && last.entries.length > 0 ? have : undefined;
    },
  });
