import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { ChevronRight } from 'lucide-react';
import { memo, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  CalendarGroup,
  CalendarLine,
  CalendarRow as RowOfScreen,
} from '../../../../shared/contract/screens/plans.ts';
import { DAY_MS, MINUTE_MS, weekdayOf } from '../../../../shared/program/civil.ts';
import { toLocal } from '../../../../shared/program/zones.ts';
import { writeTime } from '../../../i18n/civil.ts';
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
import type { Entry } from './useRows.ts';
import type { RowsDrag, Sweep } from './useRowsDrag.ts';
import './rows.css';

/** Maximum number of bars per row of a month. The rest is counted. */
const LANES = 3;
/** Maximum number of lanes in the line of a group in a day view. */
const DAY_LANES = 2;

export type RowsView = 'day' | 'week' | 'month';

/** Properties that all rows of the calendar have in common. */
export type RowProps = {
  view: RowsView;
  /** First day shown. */
  first: number;
  days: number;
  canWrite: boolean;
  /** Moved plans, until the server's answer has their new position. */
  moved: ReadonlyMap<string, Shift>;
  onOpen: (planId: string) => void;
  onShift: (planId: string, shift: Shift, soon: boolean) => void;
  /** Opens or folds a group. */
  onFold: (group: CalendarGroup, isOpen: boolean) => void;
};

type GroupRowProps = Pick<RowProps, 'view' | 'first' | 'days' | 'onOpen' | 'onFold'> & {
  entry: Extract<Entry, { kind: 'group' }>;
  drag: RowsDrag;
};

/** The head of a group. When it is folded, one line shows what its screens show. */
export function GroupRow({ entry: { group, isOpen, line }, view, first, days, drag, onOpen, onFold }: GroupRowProps) {
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
  onFold: RowProps['onFold'];
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

type ScreenRowProps = Omit<RowProps, 'onFold'> & {
  row: RowOfScreen;
  /** Epoch seconds; 0: not drawn. */
  now: number;
  dragged: RowsDrag['dragged'];
  sweep: Sweep | undefined;
  drag: RowsDrag;
};

/** The row of a screen. */
export const ScreenRow = memo(
  function ScreenRow({
    row,
    view,
    first,
    days,
    canWrite,
    moved,
    now,
    dragged,
    sweep,
    drag,
    onOpen,
    onShift,
  }: ScreenRowProps) {
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
