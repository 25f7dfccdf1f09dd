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

/**
 * Query for the preview of a plan: its effect on the screens. The previous answer stays visible while the next
 * answer is loading.
 */
export const planPreviewQuery = (body: NewPlan, planId: string | null) =>
  queryOptions({
    queryKey: ['plans', 'preview', planId, body],
    queryFn: ({ signal }) => client.call(previewPlan, { body: { ...body, plan_id: planId }, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });

/** Query for the time zone of the first screen that a plan targets; null if there is no such screen. */
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

/** Range of the calendar: filter for screens, first day (`YYYY-MM-DD`) and number of days. */
export type CalendarView = {
  readonly from: string;
  readonly days: number;
  readonly device_id?: string;
  readonly group_id?: string;
  /** `true`: only screens that are in no group. */
  readonly ungrouped?: 'true';
  readonly tag?: string;
  /** `true`: only screens with a plan in these days. */
  readonly planned?: 'true';
};

/**
 * Returns the index in the calendar of the first screen that shows the plan; undefined if no screen in the calendar
 * does.
 */
export const firstOfPlan = async ({ days, ...view }: CalendarView, planId: string): Promise<number | undefined> => {
  const query = { ...view, days: String(days), plan_id: planId, limit: '1' };
  return (await client.call(planCalendar, { query }))[0]?.index;
};

/** Days of the calendar, and whether only screens with a plan are shown. */
type CalendarDays = Pick<CalendarView, 'from' | 'days' | 'planned'>;

/** Query for the groups in the calendar, and the total number of screens. */
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

/** Fetches the groups that contain a screen of the plan. */
export const groupsOfPlan = ({ days, ...view }: CalendarDays, planId: string) =>
  client.call(planCalendarGroups, { query: { ...view, days: String(days), plan_id: planId } });

/** Query for the calendar of all screens of a group, combined into one row. */
export const calendarLineQuery = ({ days, ...view }: CalendarView) =>
  queryOptions({
    queryKey: ['plans', 'calendar-line', view, days],
    queryFn: ({ signal }) => client.call(planCalendarLine, { query: { ...view, days: String(days) }, signal }),
  });

/** Query for one page of the calendar, with the total number of screens. */
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

/**
 * Query for the schedules of a screen in the week that contains `date`, starting on Sunday. Includes the schedules
 * of its groups.
 */
export const weekQuery = (screenId: string, date: string) =>
  queryOf(['schedules', 'week', screenId, date], weekOfSchedules, { query: { device_id: screenId, date } });

/** Query for all schedules that belong to this screen or group itself, including disabled schedules. */
export const schedulesQuery = ({ kind, id }: Target) =>
  queryOf(['schedules', 'list', kind, id], listSchedules, {
    query: kind === 'screen' ? { device_id: id } : { group_id: id },
  });

/** Query for all enabled schedules that can affect a screen, including the schedules of its groups. */
export const inForceQuery = (screenId: string) =>
  queryOf(['schedules', 'in-force', screenId], listDeviceSchedules, { params: { deviceId: screenId } });
