import { type CSSProperties, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CalendarRow } from '../../../../shared/contract/screens/plans.ts';
import { civilOf } from '../../../../shared/program/civil.ts';
import { Bone } from '../../../components/frame/Page.tsx';
import { useOneStop } from '../../../components/keyboard/useOneStop.ts';
import { writeDay } from '../../../i18n/civil.ts';
import { useLocaleTag } from '../../../i18n/useFormat.ts';
import { type BlockContext, Chips } from './Blocks.tsx';
import { blocksOf, onDay, type Shift, shifted } from './rows.utils.ts';
import { useMonthDrag } from './useMonthDrag.ts';
import './month.css';

type MonthCalendarProps = {
  row: CalendarRow | undefined;
  /** First day in view, which is the first day of a week, and the number of days. */
  first: number;
  days: number;
  /** The month, 1 to 12. Days of other months are dimmed. */
  month: number;
  today: number;
  canWrite: boolean;
  /** Movements of plans by plan id, until the server's answer contains the new position. */
  moved: ReadonlyMap<string, Shift>;
  onOpen: (planId: string) => void;
  onDay: (day: number) => void;
  onPlan: (day: number) => void;
  onShift: (planId: string, shift: Shift, soon: boolean) => void;
};

/** Calendar with a month of one screen, by weeks. */
export function MonthCalendar({
  row,
  first,
  days,
  month,
  today,
  canWrite,
  moved,
  onOpen,
  onDay: goTo,
  onPlan,
  onShift,
}: MonthCalendarProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const list = useOneStop<HTMLOListElement>();
  // A plan that the keyboard moves to another day becomes a new element there, which needs the focus.
  const keepFocus = useRef<string>(undefined);
  const shift = (planId: string, by: Shift, soon: boolean) => {
    const focused = document.activeElement;
    keepFocus.current = focused instanceof HTMLElement ? focused.dataset['key'] : undefined;
    onShift(planId, by, soon);
  };
  const { over, drag } = useMonthDrag(shift);
  const blocks = useMemo(
    () =>
      (row ? blocksOf(row, first, days) : []).map((block) => {
        const by = block.planId === null ? undefined : moved.get(block.planId);
        return by ? shifted(block, by) : block;
      }),
    [row, first, days, moved],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the blocks are drawn elsewhere
  useLayoutEffect(() => {
    if (keepFocus.current === undefined) return;
    list.ref.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(keepFocus.current)}"]`)?.focus();
    keepFocus.current = undefined;
  }, [blocks, list.ref]);
  if (!row) return <Bone height="32rem" radius="var(--r-xl)" />;
  const context: BlockContext = {
    deviceId: row.device_id,
    screen: row.name,
    first,
    days,
    drag,
    canMove: canWrite,
    onOpen,
    onShift: shift,
  };
  return (
    <section className="month" aria-label={writeDay(locale, first + 10, { month: 'long', year: 'numeric' })}>
      <div className="month-head" aria-hidden>
        {[0, 1, 2, 3, 4, 5, 6].map((column) => (
          <span key={column}>{writeDay(locale, first + column, { weekday: 'short' })}</span>
        ))}
      </div>
      <ol {...list} className="month-days" style={{ '--weeks': days / 7 } as CSSProperties}>
        {Array.from({ length: days }, (_, column) => first + column).map((day, column) => (
          <li
            key={day}
            data-day={column}
            className={classesOf({ other: civilOf(day).month !== month, over: over === column })}
          >
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

const classesOf = ({ other, over }: { other: boolean; over: boolean }): string =>
  ['month-day', other && 'other', over && 'over'].filter(Boolean).join(' ');
