import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { TFunction } from 'i18next';
import { ChevronRight } from 'lucide-react';
import { type CSSProperties, memo, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CalendarGroup, CalendarLine, CalendarRow } from '../../../../shared/contract/screens/plans.ts';
import { DAY_MS, dayOf, MINUTE_MS, weekdayOf } from '../../../../shared/program/civil.ts';
import { toLocal } from '../../../../shared/program/zones.ts';
import { Bone } from '../../../components/frame/Page.tsx';
import { printedRows, usePrinting } from '../../../components/hooks/printing.ts';
import { useNow } from '../../../components/hooks/useNow.ts';
import { useOneStop } from '../../../components/keyboard/useOneStop.ts';
import { withKept } from '../../../components/lists/keptRow.ts';
import { writeDay, writeHour, writeTime } from '../../../i18n/civil.ts';
import { useLocaleTag } from '../../../i18n/useFormat.ts';
import { BarButton, BaseBarText, BlockButton, type BlockContext, Chips } from './Blocks.tsx';
import {
  added,
  type Block,
  barsOf,
  baseBarsOf,
  blocksOf,
  blocksOfLine,
  DAY_MIN,
  hourBarsOf,
  onDay,
  type Shift,
  shifted,
} from './rows.utils.ts';
import type { Entry, Rows } from './useRows.ts';
import { type RowsDrag, type Sweep, useRowsDrag } from './useRowsDrag.ts';

export type RowsView = 'day' | 'week' | 'month';

type RowsCalendarProps = {
  rows: Rows;
  /** Number of screens in the calendar. */
  screens: number;
  /** Opens or folds a group. */
  onFold: (group: CalendarGroup, isOpen: boolean) => void;
  view: RowsView;
  /** First day shown. */
  first: number;
  days: number;
  canWrite: boolean;
  /** Moved plans, until the server's answer has their new position. */
  moved: ReadonlyMap<string, Shift>;
  onOpen: (planId: string) => void;
  onShift: (planId: string, shift: Shift, soon: boolean) => void;
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
/** Maximum number of bars per row of a month. The rest is counted. */
const LANES = 3;
/** Maximum number of lanes in the line of a group in a day view. */
const DAY_LANES = 2;

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
  const scroller = useRef<HTMLElement>(null);
  const drag = useRowsDrag({ days, onShift, onSweep });
  // Stored once, because reading it during a scroll would force a layout of the page.
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const keys = useOneStop<HTMLDivElement>('rows');
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
                <Row
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

type GroupRowProps = Pick<RowsCalendarProps, 'view' | 'first' | 'days' | 'onOpen' | 'onFold'> & {
  entry: Extract<Entry, { kind: 'group' }>;
  drag: RowsDrag;
};

/** The head of a group. When it is folded, one line shows what its screens show. */
function GroupRow({ entry: { group, isOpen, line }, view, first, days, drag, onOpen, onFold }: GroupRowProps) {
  const { t } = useTranslation();
  const name = groupName(group, t);
  const blocks = line ? blocksOfLine(line, first, days) : [];
  const context: BlockContext = {
    deviceId: `group ${group.group_id}`,
    screen: name,
    first,
    days,
    drag,
    screens: group.screens,
    canMove: false,
    onOpen,
    onShift: () => {},
  };
  return (
    <>
      <span className="row-name">
        <FoldButton group={group} line={isOpen ? undefined : line} isOpen={isOpen} onFold={onFold} />
      </span>
      {!isOpen && (
        <ul className="row-track" aria-label={t('schedule.rowOf', { name })}>
          {view === 'day' &&
            hourBarsOf(blocks)
              .filter(({ lane }) => lane < DAY_LANES)
              .map((bar) => <BarButton key={bar.key} bar={bar} context={{ ...context, days: 24 }} day={0} />)}
          {view === 'day' && baseBarsOf(blocks, 1).map((bar) => <BaseBarText key={bar.first} bar={bar} days={1} />)}
          {view === 'week' &&
            Array.from({ length: days }, (_, i) => first + i).map((day) => (
              <li key={day} className={weekdayOf(day) % 6 === 0 ? 'row-cell weekend' : 'row-cell'}>
                <Chips blocks={onDay(blocks, day - first)} column={day - first} context={context} />
              </li>
            ))}
          {view === 'month' && <MonthBars blocks={blocks} days={days} context={context} />}
        </ul>
      )}
    </>
  );
}

/** Returns the name of a group. The screens that are in no group have a name as well. */
export const groupName = ({ group_id, name }: CalendarGroup, t: TFunction): string =>
  group_id === null ? t('schedule.noGroup') : name;

/** Opens or folds a group. */
export function FoldButton({
  group,
  line,
  isOpen,
  onFold,
}: {
  group: CalendarGroup;
  line: CalendarLine | undefined;
  isOpen: boolean;
  onFold: RowsCalendarProps['onFold'];
}) {
  const { t } = useTranslation();
  const name = groupName(group, t);
  return (
    <button
      type="button"
      className="row-fold"
      aria-expanded={isOpen}
      title={name}
      onClick={() => onFold(group, !isOpen)}
    >
      <ChevronRight aria-hidden />
      <span>
        <strong className="truncate">{name}</strong>{' '}
        <small>
          {t('common.screens', { count: group.screens })}
          {line && line.counted < line.screens && ` · ${t('schedule.lineOfFirst', { count: line.counted })}`}
        </small>
      </span>
    </button>
  );
}

/** Plans as bars, and below them what plays without a plan. */
function MonthBars({ blocks, days, context }: { blocks: readonly Block[]; days: number; context: BlockContext }) {
  return (
    <>
      {barsOf(blocks, days)
        .filter(({ lane }) => lane < LANES)
        .map((bar) => (
          <BarButton key={bar.key} bar={bar} context={context} />
        ))}
      {baseBarsOf(blocks, days).map((bar) => (
        <BaseBarText key={bar.first} bar={bar} days={days} />
      ))}
    </>
  );
}

const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

type RowProps = Pick<RowsCalendarProps, 'view' | 'first' | 'days' | 'canWrite' | 'moved' | 'onOpen' | 'onShift'> & {
  row: CalendarRow;
  /** Epoch seconds; 0: not drawn. */
  now: number;
  dragged: RowsDrag['dragged'];
  sweep: Sweep | undefined;
  drag: RowsDrag;
};

const Row = memo(
  function Row({ row, view, first, days, canWrite, moved, now, dragged, sweep, drag, onOpen, onShift }: RowProps) {
    const { t } = useTranslation();
    const locale = useLocaleTag();
    // Many rows appear at once while scrolling: names are drawn first, and their blocks between frames, row by row.
    const drawn = useDeferredValue(true, false);
    const blocks = (drawn ? blocksOf(row, first, days) : []).map((block) => {
      const stored = block.planId === null ? undefined : moved.get(block.planId);
      // A bar of a month covers all consecutive days of a plan.
      const isDragged =
        dragged && (view === 'month' ? dragged.block.planId === block.planId : dragged.block.key === block.key);
      const shift = isDragged ? added(stored, dragged.shift) : stored;
      return shift ? shifted(block, shift) : block;
    });
    const context: BlockContext = {
      deviceId: row.device_id,
      screen: row.name,
      first,
      days,
      drag,
      canMove: canWrite,
      onOpen,
      onShift,
    };
    const localNow = now > 0 ? (toLocal(now * 1000, row.timezone) - first * DAY_MS) / MINUTE_MS : -1;
    return (
      <>
        <span className="row-name">
          <Link to="/schedule" search={{ for: `screen:${row.device_id}` }} className="truncate">
            {row.name}
          </Link>
        </span>
        {/* Dragging over empty hours is for the pointer. The button above the calendar works for everybody. */}
        <ul
          className={canWrite ? 'row-track writable' : 'row-track'}
          aria-label={t('schedule.rowOf', { name: row.name })}
          {...(canWrite && {
            onPointerDown: (event) => drag.sweepOver(event, { deviceId: row.device_id, name: row.name }),
            onClick: (event) =>
              !(event.target as HTMLElement).closest('button') &&
              drag.tap(event, { deviceId: row.device_id, name: row.name }),
          })}
        >
          {view === 'day' && blocks.map((block) => <BlockButton key={block.key} block={block} context={context} />)}
          {drawn &&
            view === 'week' &&
            Array.from({ length: days }, (_, i) => first + i).map((day) => (
              <li key={day} className={weekdayOf(day) % 6 === 0 ? 'row-cell weekend' : 'row-cell'}>
                <Chips blocks={onDay(blocks, day - first)} column={day - first} context={context} />
              </li>
            ))}
          {view === 'month' && <MonthBars blocks={blocks} days={days} context={context} />}
          {sweep && (
            <li
              className="row-sweep"
              style={{
                left: `${(sweep.from / (days * DAY_MIN)) * 100}%`,
                width: `${((sweep.to - sweep.from) / (days * DAY_MIN)) * 100}%`,
              }}
            >
              {view === 'day' &&
                `${writeTime(locale, sweep.from * MINUTE_MS)} – ${writeTime(locale, sweep.to * MINUTE_MS)}`}
            </li>
          )}
          {localNow >= 0 && localNow < DAY_MIN && (
            <li className="row-now" aria-hidden style={{ left: `${(localNow / DAY_MIN) * 100}%` }} />
          )}
        </ul>
      </>
    );
  },
  // Callbacks to the calendar do not affect the drawing.
  (a, b) =>
    a.row === b.row &&
    a.view === b.view &&
    a.first === b.first &&
    a.days === b.days &&
    a.canWrite === b.canWrite &&
    a.moved === b.moved &&
    a.now === b.now &&
    a.dragged === b.dragged &&
    a.sweep === b.sweep,
);
