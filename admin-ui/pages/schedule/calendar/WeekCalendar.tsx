import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CalendarRow } from '../../../../shared/contract/screens/plans.ts';
import type { Schedule } from '../../../../shared/contract/screens/schedules.ts';
import { DAY_MS, dayOf, MINUTE_MS } from '../../../../shared/program/civil.ts';
import { toLocal } from '../../../../shared/program/zones.ts';
import { useNow } from '../../../components/hooks/useNow.ts';
import { useOneStop } from '../../../components/keyboard/useOneStop.ts';
import { closedOn, type Hours } from '../../../domain/screens/hours.utils.ts';
import { writeDay, writeHour, writeTime } from '../../../i18n/civil.ts';
import { useLocaleTag } from '../../../i18n/useFormat.ts';
import type { Overruled } from '../plan/overruled.utils.ts';
import type { Drawn } from '../useScheduleData.ts';
import { CalendarEvent } from './CalendarEvent.tsx';
import type { Times } from './calendar.utils.ts';
import { blocksOf, DAY_MIN, onDay } from './rows.utils.ts';
import { type Span, useCalendarDrag } from './useCalendarDrag.ts';
import './week.css';

type WeekCalendarProps = {
  /** First day shown. */
  first: number;
  columns: number;
  zone: string;
  /** Opening hours of the screen: closed times are drawn behind the plans. */
  hours: Hours | undefined;
  /** The resolved row: times without content, or with only fallback content, are drawn behind the plans. */
  row: CalendarRow | undefined;
  drawn: Drawn;
  nameOf: (schedule: Schedule) => string;
  groupNameOf: (schedule: Schedule) => string | undefined;
  canWrite: boolean;
  onOpen: (schedule: Schedule) => void;
  onMove: (schedule: Schedule, times: Times) => void;
  onNudge: (schedule: Schedule, times: Times) => void;
  onSpan: (span: Span) => void;
};

/** Shops open after seven. Earlier hours need scrolling. */
const FIRST_HOUR = 7;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export function WeekCalendar({
  first,
  columns,
  zone,
  hours,
  row,
  drawn,
  nameOf,
  groupNameOf,
  canWrite,
  onOpen,
  onMove,
  onNudge,
  onSpan,
}: WeekCalendarProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const now = useNow();
  const blocks = useOneStop<HTMLDivElement>();
  const body = blocks.ref;
  const scroller = useRef<HTMLDivElement>(null);
  const drag = useCalendarDrag({ body, columns, onMoved: ({ schedule, times }) => onMove(schedule, times), onSpan });
  const { overruled, schedules } = drawn;
  const pieces = drag.dragged ? drawn.preview({ ...drag.dragged.schedule, ...drag.dragged.times }) : drawn.pieces;
  const byId = new Map(schedules.map((s) => [s.id, s]));
  const localNow = toLocal(now * 1000, zone);
  const today = dayOf(localNow);
  const days = Array.from({ length: columns }, (_, column) => first + column);
  const behind = useBehindPlans({ hours, row, first, columns });
  const { beaten, names } = useMemo(() => givingWay(row), [row]);
  const campaignOf = (id: string) => {
    const name = names.get(id);
    return name === undefined ? undefined : t('held.campaign', { name });
  };
  useEffect(() => {
    scroller.current?.scrollTo({ top: ((body.current?.offsetHeight ?? 0) * FIRST_HOUR) / 24 });
  }, [body]);
  const keepFocus = useKeptFocus(body);
  return (
    <section
      className="calendar"
      ref={scroller}
      aria-label={t('schedule.week', { from: writeDay(locale, first) })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ '--columns': columns } as CSSProperties}
    >
      <WeekHead days={days} today={today} />
      <div className="calendar-grid">
        <ol className="calendar-hours" aria-hidden>
          {HOURS.map((hour) => (
            <li key={hour}>{hour > 0 && writeHour(locale, hour * 60 * MINUTE_MS)}</li>
          ))}
        </ol>
        <div className={canWrite ? 'calendar-body writable' : 'calendar-body'} {...blocks}>
          {days.map((day, column) => (
            // Dragging over empty hours is for the pointer. The button above the calendar works for everybody.
            <ul
              key={day}
              className={day === today ? 'calendar-day today' : 'calendar-day'}
              aria-label={writeDay(locale, day)}
              {...(canWrite && {
                onPointerDown: drag.sweep,
                onClick: (event) => event.target === event.currentTarget && drag.tap(event),
              })}
            >
              <BehindPlans {...behind(column)} />
              {drag.span?.column === column && (
                <li
                  className="calendar-span"
                  style={{
                    top: `${(drag.span.from / 1440) * 100}%`,
                    height: `${((drag.span.to - drag.span.from) / 1440) * 100}%`,
                  }}
                >
                  {writeTime(locale, drag.span.from * MINUTE_MS)} – {writeTime(locale, drag.span.to * MINUTE_MS)}
                </li>
              )}
              {pieces
                .filter((piece) => piece.column === column)
                .map((piece) => (
                  <CalendarEvent
                    key={piece.key}
                    piece={piece}
                    zone={zone}
                    first={first}
                    name={nameOf(piece.schedule)}
                    groupName={groupNameOf(piece.schedule)}
                    overruled={[
                      ...(overruled.get(piece.schedule.id) ?? []),
                      ...(beaten.get(piece.schedule.plan_id ?? piece.schedule.id) ?? []),
                    ]}
                    nameOf={(id) => {
                      const other = byId.get(id);
                      return other ? nameOf(other) : (campaignOf(id) ?? '');
                    }}
                    drag={drag}
                    canMove={canWrite}
                    isDragged={piece.schedule.id === drag.dragged?.schedule.id}
                    onOpen={() => onOpen(piece.schedule)}
                    onNudge={(times) => {
                      keepFocus(piece.key);
                      onNudge(piece.schedule, times);
                    }}
                  />
                ))}
              {day === today && (
                <li
                  className="calendar-now"
                  aria-hidden
                  style={{ top: `${((localNow - today * DAY_MS) / DAY_MS) * 100}%` }}
                />
              )}
            </ul>
          ))}
        </div>
      </div>
    </section>
  );
}

function WeekHead({ days, today }: { days: readonly number[]; today: number }) {
  const locale = useLocaleTag();
  return (
    <div className="calendar-head">
      <span />
      {days.map((day) => (
        <h2
          key={day}
          className={day === today ? 'today' : undefined}
          {...(day === today && { 'aria-current': 'date' as const })}
        >
          <span>{writeDay(locale, day, { weekday: 'short' })}</span>
          <b>{writeDay(locale, day, { day: 'numeric' })}</b>
        </h2>
      ))}
    </div>
  );
}

type Behind = {
  /** Closed times, as shares of the day. */
  closed: ReturnType<typeof closedOn>;
  /** Times without content, or with only fallback content. */
  gaps: ReturnType<typeof onDay>;
  campaigns: ReturnType<typeof onDay>;
};

/** Returns what is drawn behind the plans of a day. */
const useBehindPlans = ({
  hours,
  row,
  first,
  columns,
}: Pick<WeekCalendarProps, 'hours' | 'row' | 'first' | 'columns'>): ((column: number) => Behind) => {
  const closed = useMemo(
    () => Array.from({ length: columns }, (_, column) => (hours ? closedOn(hours, first + column) : [])),
    [hours, first, columns],
  );
  const gaps = useMemo(() => {
    const blocks = (row ? blocksOf(row, first, columns) : []).filter(
      ({ source }) => source === 'nothing' || source === 'fallback',
    );
    return Array.from({ length: columns }, (_, column) => onDay(blocks, column));
  }, [row, first, columns]);
  const campaigns = useMemo(() => {
    const blocks = (row ? blocksOf(row, first, columns) : []).filter(({ rank }) => rank !== null);
    return Array.from({ length: columns }, (_, column) => onDay(blocks, column));
  }, [row, first, columns]);
  return (column) => ({
    closed: closed[column] ?? [],
    gaps: gaps[column] ?? [],
    campaigns: campaigns[column] ?? [],
  });
};

function BehindPlans({ closed, gaps, campaigns }: Behind) {
  const { t } = useTranslation();
  return (
    <>
      {closed.map(({ from, to }) => (
        <li
          key={`closed ${from}`}
          className="calendar-closed"
          aria-hidden
          style={{ top: `${from * 100}%`, height: `${(to - from) * 100}%` }}
        />
      ))}
      {gaps.map(({ source, from, to }) => (
        <li
          key={`gap ${from}`}
          className={`calendar-gap ${source}`}
          style={{ top: `${(from / DAY_MIN) * 100}%`, height: `${((to - from) / DAY_MIN) * 100}%` }}
        >
          {t(`schedule.source.${source as 'nothing' | 'fallback'}`)}
        </li>
      ))}
      {campaigns.map(({ title, rank, from, to }) => (
        <li
          key={`held ${from}`}
          className="calendar-held"
          style={{ top: `${(from / DAY_MIN) * 100}%`, height: `${((to - from) / DAY_MIN) * 100}%` }}
        >
          <Link
            to="/schedule/headquarters"
            title={[t('held.campaign', { name: title }), rank && t(`held.rank.${rank}`), t('held.locked')].join('\n')}
          >
            <Lock aria-hidden />
            <span>{t('held.campaign', { name: title })}</span>
          </Link>
        </li>
      ))}
    </>
  );
}

/**
 * An occurrence that moves to another day is a new element there. The keyboard focus follows it: returns a function
 * that focuses the element with a key after the next drawing.
 */
const useKeptFocus = (body: RefObject<HTMLElement | null>) => {
  const keepFocus = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (keepFocus.current === undefined) return;
    body.current
      ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(keepFocus.current)}"]`)
      ?.focus({ preventScroll: true });
    keepFocus.current = undefined;
  });
  return (key: string) => {
    keepFocus.current = key;
  };
};

/** Plans that a campaign of headquarters displaces, with the campaigns' names. */
const givingWay = (row: CalendarRow | undefined) => {
  const beaten = new Map<string, Overruled[]>();
  const names = new Map<string, string>();
  for (const { plan_id: by, rank, title, hidden, from_epoch, to_epoch } of row?.spans ?? []) {
    if (by === null || rank === null) continue;
    names.set(by, title);
    for (const { plan_id } of hidden) {
      const list = beaten.get(plan_id) ?? [];
      list.push({ from: from_epoch * 1000, to: to_epoch * 1000, by, because: 'priority' });
      beaten.set(plan_id, list);
    }
  }
  return { beaten, names };
};
