import { type CSSProperties, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CalendarRow } from '../../../shared/contract/plans.ts';
import { civilOf } from '../../../shared/program/civil.ts';
import { Bone } from '../../components/Page.tsx';
import { writeDay } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { type BlockContext, Chips } from './Blocks.tsx';
import { blocksOf, onDay } from './rows.utils.ts';
import { useRowsDrag } from './useRowsDrag.ts';

type MonthCalendarProps = {
  row: CalendarRow | undefined;
  /** First day shown, which begins a week, and how many follow. */
  first: number;
  days: number;
  /** 1–12: days of other months stand back. */
  month: number;
  today: number;
  canWrite: boolean;
  onOpen: (planId: string) => void;
  onDay: (day: number) => void;
  onPlan: (day: number) => void;
};

/** One screen's month, by weeks. */
export function MonthCalendar({
  row,
  first,
  days,
  month,
  today,
  canWrite,
  onOpen,
  onDay: goTo,
  onPlan,
}: MonthCalendarProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const drag = useRowsDrag({ days, onShift: () => {}, onSweep: () => {} });
  const blocks = useMemo(() => (row ? blocksOf(row, first, days) : []), [row, first, days]);
  if (!row) return <Bone height="32rem" radius="var(--r-xl)" />;
  const context: BlockContext = {
    deviceId: row.device_id,
    screen: row.name,
    first,
    days,
    drag,
    // A day is a coarse place to let something go; the week and the form are exact.
    canMove: false,
    onOpen,
    onShift: () => {},
  };
  return (
    <section className="month" aria-label={writeDay(locale, first + 10, { month: 'long', year: 'numeric' })}>
      <div className="month-head" aria-hidden>
        {[0, 1, 2, 3, 4, 5, 6].map((column) => (
          <span key={column}>{writeDay(locale, first + column, { weekday: 'short' })}</span>
        ))}
      </div>
      <ol className="month-days" style={{ '--weeks': days / 7 } as CSSProperties}>
        {Array.from({ length: days }, (_, column) => first + column).map((day, column) => (
          <li key={day} className={civilOf(day).month === month ? 'month-day' : 'month-day other'}>
            <span className="month-date">
              <button
                type="button"
                onClick={() => goTo(day)}
                aria-label={writeDay(locale, day)}
                {...(day === today && { 'aria-current': 'date' as const })}
              >
                {civilOf(day).day}
              </button>
              {canWrite && (
                <button
                  type="button"
                  className="month-plan"
                  aria-label={t('schedule.planOn', { day: writeDay(locale, day) })}
                  onClick={() => onPlan(day)}
                >
                  +
                </button>
              )}
            </span>
            <Chips blocks={onDay(blocks, column)} column={column} context={context} />
          </li>
        ))}
      </ol>
    </section>
  );
}
