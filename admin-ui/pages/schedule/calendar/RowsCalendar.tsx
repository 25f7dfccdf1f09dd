import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayOf, MINUTE_MS } from '../../../../shared/program/civil.ts';
import { toLocal } from '../../../../shared/program/zones.ts';
import { Bone } from '../../../components/frame/Page.tsx';
import { printedRows, usePrinting } from '../../../components/hooks/printing.ts';
import { useNow } from '../../../components/hooks/useNow.ts';
import { useOneStop } from '../../../components/keyboard/useOneStop.ts';
import { withKept } from '../../../components/lists/keptRow.ts';
import { writeDay, writeHour } from '../../../i18n/civil.ts';
import { useLocaleTag } from '../../../i18n/useFormat.ts';
import { GroupRow, type RowProps, type RowsView, ScreenRow } from './CalendarRow.tsx';
import type { Entry, Rows } from './useRows.ts';
import { type Sweep, useRowsDrag } from './useRowsDrag.ts';
import './rows.css';

type RowsCalendarProps = RowProps & {
  rows: Rows;
  /** Number of screens in the calendar. */
  screens: number;
  onSweep: (sweep: Sweep) => void;
  /** Index of a row to scroll to. */
  goal: number | undefined;
};

/** Rem. */
const HEIGHTS = { day: 3, week: 5.5, month: 5.75 } as const;
/** Rem. Head of a group whose screens are below it. */
const OPEN_HEAD = 2.5;
/** Rem. In a day the line of a folded group has two lanes of plans and the playlist below them. */
const DAY_LINE = 4.25;
const FIRST_HOUR = 7;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Calendar of many screens, with a row for each screen or folded group. Only visible rows are rendered. */
export function RowsCalendar({
  rows,
  screens,
  onFold,
  view,
  first,
  days,
  canWrite,
  moved,
  onOpen,
  onShift,
  onSweep,
  goal,
}: RowsCalendarProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const now = useNow();
  const drag = useRowsDrag({ days, onShift, onSweep });
  const keys = useOneStop<HTMLDivElement>('rows');
  const { scroller, kept, virtualizer, shown } = useCalendarRows(rows, view, goal);
  return (
    <section
      className={`rows ${view}`}
      ref={scroller}
      aria-label={t('schedule.rows', { from: writeDay(locale, first) })}
      onScroll={({ currentTarget: { style, scrollLeft } }) => {
        const scrolled = `${scrollLeft}px`;
        if (style.getPropertyValue('--scrolled') !== scrolled) style.setProperty('--scrolled', scrolled);
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ '--columns': view === 'day' ? 24 : days } as CSSProperties}
    >
      <RowsHead screens={screens} view={view} first={first} days={days} now={now} />
      {/* biome-ignore lint/a11y/useSemanticElements: rows stand between list and items, which <ul> does not allow */}
      <div
        role="list"
        className="rows-body"
        data-printed={rows.total}
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={({ target }) => {
          kept.current = Number(target.closest('.row')?.getAttribute('aria-posinset')) - 1;
        }}
        onBlur={() => {
          kept.current = undefined;
        }}
        {...keys}
      >
        {shown.map(({ index, start, key }) => {
          const entry = rows.entry(index);
          const row = entry.kind === 'screen' ? entry.row : undefined;
          return (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={keyOf(entry) ?? key}
              role="listitem"
              aria-setsize={rows.total}
              aria-posinset={index + 1}
              className={classesOf(entry)}
              style={{ top: start }}
            >
              {entry.kind === 'group' ? (
                <GroupRow
                  entry={entry}
                  view={view}
                  first={first}
                  days={days}
                  drag={drag}
                  onOpen={onOpen}
                  onFold={onFold}
                />
              ) : row ? (
                <ScreenRow
                  row={row}
                  view={view}
                  first={first}
                  days={days}
                  canWrite={canWrite}
                  moved={moved}
                  now={view === 'day' ? now : 0}
                  // Only the row of the drag is redrawn at each move.
                  dragged={drag.dragged?.deviceId === row.device_id ? drag.dragged : undefined}
                  sweep={drag.sweep?.deviceId === row.device_id ? drag.sweep : undefined}
                  drag={drag}
                  onOpen={onOpen}
                  onShift={onShift}
                />
              ) : (
                <Bone height="60%" />
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** The rows in view, and the first row of a new plan in the middle of the view. */
const useCalendarRows = (rows: Rows, view: RowsView, goal: number | undefined) => {
  const scroller = useRef<HTMLElement>(null);
  // Stored once, because reading it during a scroll would force a layout of the page.
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  /** The focused row, which is kept when it is scrolled out of view. */
  const kept = useRef<number>(undefined);
  const virtualizer = useVirtualizer({
    count: rows.total,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows.entry(index), view) * rem,
    overscan: 4,
    rangeExtractor: (range) => withKept(kept.current)(range),
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another view, and open heads, are of another height
  useLayoutEffect(() => virtualizer.measure(), [view, rows.total, rows.sections, virtualizer]);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && view === 'day')
      box.scrollLeft = ((box.querySelector('.rows-scale')?.scrollWidth ?? 0) * FIRST_HOUR) / 24;
  }, [view]);
  useLayoutEffect(() => {
    if (goal !== undefined) virtualizer.scrollToIndex(goal, { align: 'center' });
  }, [goal, virtualizer]);
  const isPrinting = usePrinting();
  const inView = virtualizer.getVirtualItems();
  const shown = isPrinting ? printedRows(rows.total) : inView;
  const seen = shown.filter(({ index }) => index !== kept.current || shown.length === 1);
  const [from, to] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0];
  const { setRange } = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another function each time
  useLayoutEffect(() => setRange(from, to), [from, to]);
  return { scroller, kept, virtualizer, shown };
};

const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The scale of hours or days. */
function RowsHead({
  screens,
  view,
  first,
  days,
  now,
}: Pick<RowsCalendarProps, 'screens' | 'view' | 'first' | 'days'> & {
  /** Epoch seconds. */
  now: number;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  return (
    <div className="rows-head">
      <span className="row-name">{t('common.screens', { count: screens })}</span>
      <div className="rows-scale" aria-hidden>
        {view === 'day'
          ? HOURS.map((hour) => <span key={hour}>{writeHour(locale, hour * 60 * MINUTE_MS)}</span>)
          : Array.from({ length: days }, (_, i) => first + i).map((day) => (
              <span key={day} className={day === dayOf(toLocal(now * 1000, LOCAL_ZONE)) ? 'today' : undefined}>
                {view === 'week' && <small>{writeDay(locale, day, { weekday: 'short' })}</small>}{' '}
                <b>{writeDay(locale, day, { day: 'numeric' })}</b>
              </span>
            ))}
      </div>
    </div>
  );
}

const heightOf = (entry: Entry, view: RowsView): number => {
  if (entry.kind === 'group' && entry.isOpen) return OPEN_HEAD;
  return entry.kind === 'group' && view === 'day' ? DAY_LINE : HEIGHTS[view];
};
const classesOf = (entry: Entry): string =>
  entry.kind === 'screen' ? 'row' : entry.isOpen ? 'row open-head' : 'row folded-head';

/** A screen in two groups has two rows. */
const keyOf = (entry: Entry): string | undefined => {
  if (entry.kind === 'group') return `group ${entry.group.group_id}`;
  return entry.row && `${entry.groupId} ${entry.row.device_id}`;
};
