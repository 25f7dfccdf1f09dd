import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { civilOf, dayNumber, daysInMonth, formatDate } from '../../../shared/program/civil.ts';
import { useCanWrite, useHasAllScreens } from '../../api/session/me.ts';
import { useHindrances } from '../../api/session/rights.ts';
import { usePhone } from '../../components/hooks/useMedia.ts';
import { dayOfText } from '../../domain/time/when.utils.ts';
import { firstWeekday } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import type { RowsView } from './calendar/CalendarRow.tsx';
import { weekStart } from './calendar/calendar.utils.ts';
import type { Draft } from './plan/form.utils.ts';
import type { Scope } from './scope.utils.ts';

type Search = { for?: string; day?: string; show?: string; view?: string; planned?: string };
type Change = { [K in keyof Search]?: string | undefined };
/** Leaves absent values out of the address. */
const present = (search: Change): Search =>
  Object.fromEntries(Object.entries(search).filter(([, v]) => v !== undefined && v !== ''));

export const VIEWS: readonly RowsView[] = ['day', 'week', 'month'];

/** Returns the days of a view around `day`, and the first days of the previous and the next view. */
const spanIn = (view: RowsView, day: number, locale: string) => {
  if (view === 'day') return { first: day, days: 1, before: day - 1, after: day + 1 };
  if (view === 'week') {
    const first = weekStart(day, firstWeekday(locale));
    return { first, days: 7, before: day - 7, after: day + 7 };
  }
  const { year, month } = civilOf(day);
  return {
    first: dayNumber(year, month, 1),
    days: daysInMonth(year, month),
    before: dayNumber(year, month - 1, 1),
    after: dayNumber(year, month + 1, 1),
  };
};

/** Common state of both calendars: the address, the days, the new plan. */
export const useCalendar = (today: number) => {
  const locale = useLocaleTag();
  const phone = usePhone();
  const navigate = useNavigate({ from: '/schedule' });
  const search = useSearch({ from: '/shell/schedule' });
  const [making, setMaking] = useState<Draft>();
  const view = phone ? 'day' : (VIEWS.find((one) => one === search.view) ?? 'week');
  const day = dayOfText(search.day ?? '') ?? today;
  const go = (change: Change) =>
    void navigate({
      search: (now) => present({ ...now, ...change }),
      replace: change.show === undefined && change.for === undefined,
    });
  return {
    locale,
    phone,
    search,
    view,
    day,
    today,
    span: spanIn(view, day, locale),
    go,
    goTo: (to: number) => go({ day: to === today ? undefined : formatDate(to) }),
    making,
    setMaking,
  };
};
export type Calendar = ReturnType<typeof useCalendar>;

/**
 * Whether the user may plan for the shown screens. Users with rights for some groups plan for these and their screens,
 * not for all at once.
 */
export const useMayPlan = (scope: Scope): boolean => {
  const isNamed = scope.kind === 'screen' || scope.kind === 'group';
  const hindrances = useHindrances(scope.kind === 'group' ? 'group' : 'screen', isNamed ? [scope.id] : []);
  const canWrite = useCanWrite();
  const hasAll = useHasAllScreens();
  return isNamed ? canWrite && hindrances?.length === 0 : hasAll;
};
