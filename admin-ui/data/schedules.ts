import { queryOptions } from '@tanstack/react-query';
import { listDeviceSchedules, listSchedules, weekOfSchedules } from '../../shared/contract/schedules.ts';
import { client } from './client.ts';
import type { Target } from './targets.ts';

/** What is on for a screen in the week (from Sunday) of `date`, of its own and of its groups. */
export const weekQuery = (screenId: string, date: string) =>
  queryOptions({
    queryKey: ['schedules', 'week', screenId, date],
    queryFn: ({ signal }) => client.call(weekOfSchedules, { query: { device_id: screenId, date }, signal }),
  });

/** All that is planned for this screen or this group itself, what is switched off too. */
export const schedulesQuery = ({ kind, id }: Target) =>
  queryOptions({
    queryKey: ['schedules', 'list', kind, id],
    queryFn: ({ signal }) =>
      client.call(listSchedules, { query: kind === 'screen' ? { device_id: id } : { group_id: id }, signal }),
  });

/** All that is planned for anybody. */
export const allSchedulesQuery = queryOptions({
  queryKey: ['schedules', 'list', 'all'],
  queryFn: ({ signal }) => client.call(listSchedules, { query: {}, signal }),
});

/**
 * All that may ever decide what plays there: a screen's own and its groups', a group's own; without what is switched
 * off.
 */
export const inForceQuery = ({ kind, id }: Target) =>
  queryOptions({
    queryKey: ['schedules', 'in-force', kind, id],
    queryFn: async ({ signal }) => {
      if (kind === 'screen') return client.call(listDeviceSchedules, { params: { deviceId: id }, signal });
      return (await client.call(listSchedules, { query: { group_id: id }, signal })).filter((s) => s.enabled === 1);
    },
  });
