import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  getPlan,
  MAX_CALENDAR_SCREENS,
  type NewPlan,
  type PlanTarget,
  planCalendar,
  planCalendarGroups,
  planCalendarLine,
  previewPlan,
} from '../../shared/contract/screens/plans.ts';
import { listDeviceSchedules, listSchedules, weekOfSchedules } from '../../shared/contract/screens/schedules.ts';
import { client } from './requests/client.ts';
import { queryOf, recordQueryOf } from './requests/query.ts';
import type { Target } from './targets.ts';

export const planQuery = (id: string) => recordQueryOf(['plans', 'one', id], getPlan, id, 'plan');

/** The effect of a plan. The previous answer stays while the next one is loading. */
export const planPreviewQuery = (body: NewPlan, planId: string | null) =>
  queryOptions({
    queryKey: ['plans', 'preview', planId, body],
    queryFn: ({ signal }) => client.call(previewPlan, { body: { ...body, plan_id: planId }, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });

/** Time zone of the target's first screen; null without screens. */
export const firstZoneQuery = ({ kind, id }: PlanTarget) =>
  queryOptions({
    queryKey: ['plans', 'zone', kind, id],
    queryFn: async ({ signal }) => {
      const whose = kind === 'tag' ? { tag: id } : kind === 'group' ? { group_id: id } : { device_id: id };
      const [first] = await client.call(planCalendar, { query: { ...whose, days: '1', limit: '1' }, signal });
      return first?.timezone ?? null;
    },
  });

/** Screens per page of the calendar. */
export const CALENDAR_PAGE = 50;

/** The screens, the first day (`YYYY-MM-DD`), and the number of days. */
export type CalendarView = {
  readonly from: string;
  readonly days: number;
  readonly device_id?: string;
  readonly group_id?: string;
  /** Only screens that are in no group. */
  readonly ungrouped?: 'true';
  readonly tag?: string;
  /** Only screens with a plan in these days. */
  readonly planned?: 'true';
};

/** Index in the calendar of the plan's first screen; undefined if none is shown. */
export const firstOfPlan = async ({ days, ...view }: CalendarView, planId: string): Promise<number | undefined> => {
  const query = { ...view, days: String(days), plan_id: planId, limit: '1' };
  return (await client.call(planCalendar, { query }))[0]?.index;
};

/** Which days of the calendar, and whether only screens with a plan. */
type CalendarDays = Pick<CalendarView, 'from' | 'days' | 'planned'>;

/** The groups of the calendar, and how many screens it has in all. */
export const calendarGroupsQuery = ({ days, ...view }: CalendarDays) =>
  queryOptions({
    queryKey: ['plans', 'calendar-groups', view, days],
    queryFn: async ({ signal }) => {
      const query = { ...view, days: String(days) };
      const { data, total } = await client.request(planCalendarGroups, { query, signal });
      return { groups: data, screens: total ?? 0 };
    },
    placeholderData: keepPreviousData,
  });

/** The groups that have a screen of a plan. */
export const groupsOfPlan = ({ days, ...view }: CalendarDays, planId: string) =>
  client.call(planCalendarGroups, { query: { ...view, days: String(days), plan_id: planId } });

/** Content of all screens of a group, as one line. */
export const calendarLineQuery = ({ days, ...view }: CalendarView) =>
  queryOptions({
    queryKey: ['plans', 'calendar-line', view, days],
    queryFn: ({ signal }) => client.call(planCalendarLine, { query: { ...view, days: String(days) }, signal }),
  });

/** One page of the calendar, and the total of screens. */
export const calendarQuery = ({ days, ...view }: CalendarView, page: number) =>
  queryOptions({
    queryKey: ['plans', 'calendar', view, days, page],
    queryFn: async ({ signal }) => {
      const limit = Math.min(CALENDAR_PAGE, MAX_CALENDAR_SCREENS);
      const query = {
        ...view,
        days: String(days),
        detail: 'true' as const,
        limit: String(limit),
        offset: String(page * limit),
      };
      const { data, total } = await client.request(planCalendar, { query, signal });
      return { rows: data, total: total ?? data.length };
    },
  });

/** Schedules of a screen in the week (from Sunday) of `date`, its own and those of its groups. */
export const weekQuery = (screenId: string, date: string) =>
  queryOf(['schedules', 'week', screenId, date], weekOfSchedules, { query: { device_id: screenId, date } });

/** All schedules of this screen or group itself, including disabled ones. */
export const schedulesQuery = ({ kind, id }: Target) =>
  queryOf(['schedules', 'list', kind, id], listSchedules, {
    query: kind === 'screen' ? { device_id: id } : { group_id: id },
  });

/** All schedules that can affect a screen, without disabled ones. */
export const inForceQuery = (screenId: string) =>
  queryOf(['schedules', 'in-force', screenId], listDeviceSchedules, { params: { deviceId: screenId } });
