import { queryOptions } from '@tanstack/react-query';
import { listDeviceSchedules, listSchedules, weekOfSchedules } from '../../shared/contract/schedules.ts';
import { client } from './client.ts';
import { queryOf } from './query.ts';
import type { Target } from './targets.ts';

/** What is on for a screen in the week (from Sunday) of `date`, of its own and of its groups. */
export const weekQuery = (screenId: string, date: string) =>
  queryOf(['schedules', 'week', screenId, date], weekOfSchedules, { query: { device_id: screenId, date } });

/** All that is planned for this screen or this group itself, what is switched off too. */
export const schedulesQuery = ({ kind, id }: Target) =>
  queryOf(['schedules', 'list', kind, id], listSchedules, {
    query: kind === 'screen' ? { device_id: id } : { group_id: id },
  });

/** All that is planned, for whichever screen or group. */
export const allSchedulesQuery = queryOf(['schedules', 'list', 'all'], listSchedules, { query: {} });

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
