import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { isDayKnown, isKnownFrom } from '../../../shared/contract/server/known-days.ts';
import { deliveryQuery, playsQuery, type ReportOf, summaryQuery, uptimeQuery } from '../../api/reports.ts';
import { configQuery } from '../../api/session/me.ts';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { isoDays, rangeFrom, todayAt } from '../../domain/time/period.utils.ts';
import type { Measure } from '../../domain/time/playsChart.utils.ts';
import { type Filter, filtersFrom, membersOf, textOf } from './filters.utils.ts';
import { reportViews } from './reports.utils.ts';

type Search = { [K in 'range' | 'from' | 'to' | 'screen' | 'only' | 'view' | 'by']?: string | undefined };

/** Returns the search parameters without undefined values, so that they are not in the address. */
const kept = (search: Search) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof Search]?: string;
  };

/**
 * Maximum time in milliseconds to wait for planned values, which take longer to compute than plays. If they arrived
 * later, they would move the content that the user is reading.
 */
const PLANNED_WITHIN_MS = 1_000;

/**
 * Returns the report that the address requests, and its results. The address contains all settings of the report, so
 * that it can be bookmarked and shared.
 */
export const useReportsData = () => {
  const search: Search = useSearch({ from: '/shell/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const zone = useQuery(configQuery).data?.server_time_zone;
  const now = useNow();
  const today = todayAt(now, zone);
  const { range: rangeName, from, to, screen, only } = search;
  const range = useMemo(
    () => rangeFrom({ ...(rangeName && { range: rangeName }), ...(from && { from }), ...(to && { to }) }, today),
    [rangeName, from, to, today],
  );
  const filters: Filter[] = useMemo(
    // The link on the page of a screen contains only the id of the screen.
    () => [...(screen ? [{ kind: 'device' as const, id: screen }] : []), ...filtersFrom(only)],
    [screen, only],
  );
  const of: ReportOf = useMemo(() => ({ ...isoDays(range), ...membersOf(filters) }), [range, filters]);
  const view = reportViews.find((v) => v === search.view) ?? 'content';
  const measure: Measure = search.by === 'time' ? 'time' : 'plays';

  const summary = useQuery(summaryQuery(of));
  const delivery = useQuery(deliveryQuery(of));
  const waited = useDebounced<ReportOf | null>(of, PLANNED_WITHIN_MS, null) === of;
  const uptime = useQuery({ ...uptimeQuery(of), enabled: view === 'uptime' });
  const plays = useInfiniteQuery({
    ...playsQuery(of),
    enabled: view === 'plays',
    placeholderData: keepPreviousData,
  });
  const known = delivery.data?.known_from ?? undefined;
  const isWhole = known !== undefined && zone !== undefined && isKnownFrom(known, range, zone);
  const hasDay = known !== undefined && zone !== undefined && isDayKnown(known, range, zone, now);
  const show = (change: Search) => void navigate({ search: kept({ ...search, ...change }), replace: true });

  return {
    zone,
    today,
    range,
    of,
    view,
    measure,
    filters,
    summary,
    delivery,
    /** Whether enough data is loaded to show the report. */
    isReady: summary.data !== undefined && (!delivery.isPending || waited),
    /** Whether the plan is known for the whole period. */
    isWhole,
    /** Whether the plan is known for at least one whole day of the period. */
    hasDay,
    uptime,
    plays,
    show,
    narrow: (next: readonly Filter[], change: Search = {}) =>
      show({ ...change, screen: undefined, only: textOf(next) }),
  };
};

export type ReportsData = ReturnType<typeof useReportsData>;
