import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { CalendarRow } from '../../../shared/contract/plans.ts';
import { pagesFor } from '../../components/virtualGrid.utils.ts';
import { CALENDAR_PAGE, type CalendarView, calendarQuery } from '../../data/plans.ts';

type RowsPage = { readonly rows: CalendarRow[]; readonly total: number };

/** Identifies the screens of a calendar page, independent of the days. */
const screensIn = ([, , view, , page]: QueryKey): string =>
  JSON.stringify({ ...(view as CalendarView), from: '', page });

/** The visible rows, page by page. Rows that are not loaded are undefined. */
export const useRows = (view: CalendarView) => {
  const [range, setRange] = useState({ first: 0, last: 0 });
  // The first page contains the total, wherever the user has scrolled to.
  const pages = [...new Set([0, ...pagesFor(range.first, range.last, CALENDAR_PAGE)])];
  const answers = useQueries({
    queries: pages.map((page) => ({
      ...calendarQuery(view, page),
      // On the way to another day or week, the screens stay.
      placeholderData: (before: RowsPage | undefined, query: { queryKey: QueryKey } | undefined) =>
        query && screensIn(query.queryKey) === screensIn(calendarQuery(view, page).queryKey) ? before : undefined,
    })),
  });
  const byPage = new Map(pages.map((page, i) => [page, answers[i]?.data?.rows]));
  const failed = answers.find((answer) => answer.isError && !answer.data);
  return {
    total: answers[0]?.data?.total ?? 0,
    isPending: answers[0]?.isPending ?? true,
    failed,
    row: (index: number): CalendarRow | undefined =>
      byPage.get(Math.floor(index / CALENDAR_PAGE))?.[index % CALENDAR_PAGE],
    setRange: (first: number, last: number) =>
      setRange((now) => (now.first === first && now.last === last ? now : { first, last })),
    retry: () => void Promise.all(answers.map((answer) => answer.refetch())),
  };
};
export type Rows = ReturnType<typeof useRows>;
