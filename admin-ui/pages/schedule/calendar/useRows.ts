import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { CalendarGroup, CalendarLine, CalendarRow } from '../../../../shared/contract/screens/plans.ts';
import { CALENDAR_PAGE, type CalendarView, calendarLineQuery, calendarQuery } from '../../../api/plans.ts';
import { pagesFor } from '../../../components/lists/virtualGrid.utils.ts';
import { countRows, placeAt, type Section } from './folds.utils.ts';

type RowsPage = { readonly rows: CalendarRow[]; readonly total: number };

/** A row of the calendar. Parts that are still loading are undefined. */
export type Entry =
  | { readonly kind: 'screen'; readonly row: CalendarRow | undefined; readonly groupId: string | null | undefined }
  | {
      readonly kind: 'group';
      readonly group: CalendarGroup;
      readonly isOpen: boolean;
      /** The combined row of a folded group. Undefined for an open group, and while loading. */
      readonly line: CalendarLine | undefined;
    };

/** Returns a key for the screens on a page of the calendar, without the shown days. */
const screensIn = ([, , view, , page]: QueryKey): string =>
  JSON.stringify({ ...(view as CalendarView), from: '', page });

/** Returns the query for the screens of one group in a calendar. */
const viewIn = (view: CalendarView, { group_id }: CalendarGroup): CalendarView =>
  group_id === null ? { ...view, ungrouped: 'true' } : { ...view, group_id };

const keyOf = (view: CalendarView, page: number): string => `${view.group_id ?? view.ungrouped ?? ''} ${page}`;

/**
 * Loads the visible rows of a calendar page by page.
 * @param sections sections of a folding calendar; absent if the calendar does not fold
 */
export const useRows = (view: CalendarView, sections?: readonly Section[]) => {
  const [range, setRange] = useState({ first: 0, last: 0 });
  const pages = new Map<string, { view: CalendarView; page: number }>();
  const lines = new Map<string, CalendarView>();
  const want = (of: CalendarView, page: number) => pages.set(keyOf(of, page), { view: of, page });
  if (sections) {
    for (let index = range.first; index <= range.last; index++) {
      const place = placeAt(sections, index);
      if (!place) break;
      const of = viewIn(view, place.section.group);
      if (place.screen !== null) want(of, Math.floor(place.screen / CALENDAR_PAGE));
      else if (!place.section.isOpen) lines.set(keyOf(of, 0), of);
    }
    // The first page is loaded at any scroll position, since it contains the total number of screens.
  } else for (const page of [0, ...pagesFor(range.first, range.last, CALENDAR_PAGE)]) want(view, page);
  const answers = useQueries({
    queries: [...pages.values()].map(({ view: of, page }) => ({
      ...calendarQuery(of, page),
      // Keeps the rows of the same screens while the next day or week is loading.
      placeholderData: (before: RowsPage | undefined, query: { queryKey: QueryKey } | undefined) =>
        query && screensIn(query.queryKey) === screensIn(calendarQuery(of, page).queryKey) ? before : undefined,
    })),
  });
  const lineAnswers = useQueries({ queries: [...lines.values()].map((of) => calendarLineQuery(of)) });
  const byPage = new Map([...pages.keys()].map((key, i) => [key, answers[i]?.data?.rows]));
  const byLine = new Map([...lines.keys()].map((key, i) => [key, lineAnswers[i]?.data]));
  const failed = [...answers, ...lineAnswers].find((answer) => answer.isError && !answer.data);
  const rowIn = (of: CalendarView, index: number): CalendarRow | undefined =>
    byPage.get(keyOf(of, Math.floor(index / CALENDAR_PAGE)))?.[index % CALENDAR_PAGE];
  return {
    /** The given sections. Their order and state decide which rows are heads. */
    sections,
    total: sections ? countRows(sections) : (answers[0]?.data?.total ?? 0),
    isPending: sections ? false : (answers[0]?.isPending ?? true),
    failed,
    /** Returns a row of a calendar that does not fold; undefined while loading. */
    row: (index: number): CalendarRow | undefined => rowIn(view, index),
    entry: (index: number): Entry => {
      const place = sections && placeAt(sections, index);
      if (!place) return { kind: 'screen', row: rowIn(view, index), groupId: undefined };
      const { section, screen } = place;
      const of = viewIn(view, section.group);
      if (screen !== null) return { kind: 'screen', row: rowIn(of, screen), groupId: section.group.group_id };
      return { kind: 'group', ...section, line: byLine.get(keyOf(of, 0)) };
    },
    setRange: (first: number, last: number) =>
      setRange((now) => (now.first === first && now.last === last ? now : { first, last })),
    retry: () => void Promise.all([...answers, ...lineAnswers].map((answer) => answer.refetch())),
  };
};
export type Rows = ReturnType<typeof useRows>;
