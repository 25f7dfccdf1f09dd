import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useNow } from '../../components/useNow.ts';
import { configQuery } from '../../data/me.ts';
import { playsQuery, type ReportOf, summaryQuery, uptimeQuery } from '../../data/reports.ts';
import { screensQuery } from '../../data/screens.ts';
import { isoDays, type Measure, rangeFrom, reportViews, todayAt } from './reports.utils.ts';

type Search = { [K in 'range' | 'from' | 'to' | 'screen' | 'content' | 'view' | 'by']?: string | undefined };

/** What is absent stays out of the address. */
const kept = (search: Search) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof Search]?: string;
  };

/**
 * What the address asks for, and its numbers. All of a report is in its address: it can be kept, sent, and gone back
 * to.
 */
export const useReportsData = () => {
  const search: Search = useSearch({ from: '/shell/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const zone = useQuery(configQuery).data?.server_time_zone;
  const today = todayAt(useNow(), zone);
  const { range: rangeName, from, to, screen } = search;
  const range = useMemo(
    () => rangeFrom({ ...(rangeName && { range: rangeName }), ...(from && { from }), ...(to && { to }) }, today),
    [rangeName, from, to, today],
  );
  const of: ReportOf = useMemo(() => ({ ...isoDays(range), ...(screen && { device_id: screen }) }), [range, screen]);
  const view = reportViews.find((v) => v === search.view) ?? 'content';
  const measure: Measure = search.by === 'time' ? 'time' : 'plays';

  const summary = useQuery(summaryQuery(of));
  const uptime = useQuery({ ...uptimeQuery(of), enabled: view === 'uptime' });
  const plays = useInfiniteQuery({
    ...playsQuery({ ...of, ...(search.content && { content_id: search.content }) }),
    enabled: view === 'plays',
    placeholderData: keepPreviousData,
  });
  const screens = useQuery(screensQuery);
  const contents = summary.data?.by_content;

  return {
    zone,
    today,
    range,
    of,
    view,
    measure,
    screen: screen ?? '',
    screens: screens.data ?? [],
    content: search.content,
    contentName: contents?.find((row) => row.content_id === search.content)?.content_name,
    summary,
    uptime,
    plays,
    show: (change: Search) => void navigate({ search: kept({ ...search, ...change }), replace: true }),
  };
};

export type ReportsData = ReturnType<typeof useReportsData>;
