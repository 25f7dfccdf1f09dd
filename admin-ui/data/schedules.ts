import { queryOptions } from '@tanstack/react-query';
import { listSchedules, weekOfSchedules } from '../../shared/contract/schedules.ts';
import { client } from './client.ts';

/** Whose plan it is. */
export type Target = { readonly kind: 'screen' | 'group'; readonly id: string };

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
    queryFn: ({ signal }) => client.call(listSchedules, { query: kind === 'screen' ? { device_id: id } : { group_id: id }, signal }),
  });
