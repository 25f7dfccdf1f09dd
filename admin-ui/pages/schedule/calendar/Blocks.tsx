/** Blocks of plans, and of hours without a plan, for the calendars of rows and days. */
import { useNavigate } from '@tanstack/react-router';
import { Lock, TriangleAlert } from 'lucide-react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { MINUTE_MS } from '../../../../shared/program/civil.ts';
import { colourOf } from '../../../domain/screens/planColours.ts';
import { writeDay, writeTime } from '../../../i18n/civil.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { useFreshClass } from '../plan/freshPlan.ts';
import { type Bar, type BaseBar, type Block, basesOf, DAY_MIN, isTold, type Shift, shiftBy } from './rows.utils.ts';
import type { RowsDrag } from './useRowsDrag.ts';
import './blocks.css';

export interface BlockContext {
  readonly deviceId: string;
  readonly screen: string;
  /** Day number of the first day in view. */
  readonly first: number;
  readonly days: number;
  readonly drag: Pick<RowsDrag, 'grip' | 'justDragged' | 'arrow'>;
  /** Number of screens of the group, if the row combines the screens of a group. Blocks of such a row may overlap. */
  readonly screens?: number;
  readonly canMove: boolean;
  readonly onOpen: (planId: string) => void;
  readonly onShift: (planId: string, shift: Shift, soon: boolean) => void;
}

const NUDGE_MIN = 15;
const WEEK = 7;
/** Maximum number of plans that a day of the week view names. Further plans are only counted. */
const CHIPS = 3;

const colourIn = ({ planId, color }: Block): CSSProperties =>
  ({ '--c': planId === null ? 'transparent' : colourOf({ id: planId, color }) }) as CSSProperties;

/** Returns whether only some of the group's screens show a block of the combined row. */
const isPartial = ({ screens }: Block, all: number | undefined): boolean =>
  screens !== undefined && all !== undefined && screens < all;

/** Returns the texts of a block: its title, and the full description. */
const useWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const time = (minutes: number) => writeTime(format.locale, (minutes % DAY_MIN) * MINUTE_MS);
  const timesOf = ({ from, to, continues, goesOn }: Block) =>
    to - from >= DAY_MIN ? t('schedule.allDay') : `${continues ? '…' : time(from)}–${goesOn ? '…' : time(to)}`;
  const planOf = ({ title, rank }: Block['hidden'][number]) =>
    rank === null ? title || t('schedule.untitled') : t('held.campaign', { name: title });
  const titleOf = ({ title, source, rank }: Block) =>
    rank !== null
      ? t('held.campaign', { name: title })
      : source === 'schedule'
        ? title || t('schedule.untitled')
        : title || t(`schedule.source.${source}`);
  const someOf = ({ screens: count }: Block, total: number) => t('schedule.onSome', { count, total });
  return {
    timesOf,
    titleOf,
    /** Title of hours without a plan, with the number of screens in a combined row. */
    gapOf: (block: Block, { screens }: BlockContext): string =>
      [titleOf(block), screens !== undefined && isPartial(block, screens) && someOf(block, screens)]
        .filter((word) => word !== false)
        .join(' '),
    said: (block: Block, { screen, first, screens }: BlockContext, column: number): string[] =>
      [
        titleOf(block),
        block.source === 'fallback' && t('schedule.source.fallback'),
        screen,
        writeDay(format.locale, first + column),
        timesOf(block),
        screens !== undefined && isPartial(block, screens) && someOf(block, screens),
        block.rank !== null && t(`held.rank.${block.rank}`),
        block.rank !== null && t('held.locked'),
        block.hidden.length > 0 && t('schedule.hides', { name: format.list(block.hidden.map(planOf)) }),
      ].filter((word) => word !== false),
  };
};

/**
 * Returns the actions on a block: a plan can be opened and moved; a campaign of headquarters links to its
 * explanation.
 */
const useBlock = ({ planId, rank }: Block, { canMove, onOpen }: BlockContext) => {
  const navigate = useNavigate();
  return {
    movable: canMove && rank === null,
    open: () => {
      if (rank !== null) void navigate({ to: '/schedule/headquarters' });
      else if (planId !== null) onOpen(planId);
    },
  };
};

/**
 * Keyboard handler of a block: Shift with an arrow key moves the plan, by 15 minutes in a day view, otherwise by a
 * day. In a month, up and down move by a week. Alt with an arrow key changes the end of the plan, only in a day view.
 */
const useKeys = (block: Block, { drag, days, canMove, onShift }: BlockContext) => ({
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    const { planId } = block;
    if (!canMove || planId === null || block.rank !== null || event.shiftKey === event.altKey) return;
    drag.arrow(event, ({ dx, dy, altKey }) => {
      const steps = days > WEEK ? dx + dy * WEEK : dx;
      if (steps === 0 || (altKey && days > 1)) return;
      onShift(planId, shiftBy(altKey ? 'end' : 'move', steps * (days > 1 ? DAY_MIN : NUDGE_MIN)), false);
    });
  },
});

/** A block in a day view. Its length is the duration of the plan. */
export function BlockButton({ block, context }: { block: Block; context: BlockContext }) {
  const { drag, deviceId } = context;
  const words = useWords();
  const keys = useKeys(block, context);
  const { movable, open } = useBlock(block, context);
  const { planId } = block;
  const style = {
    ...colourIn(block),
    '--from': block.from / DAY_MIN,
    left: `${(block.from / DAY_MIN) * 100}%`,
    width: `${((block.to - block.from) / DAY_MIN) * 100}%`,
  } as CSSProperties;
  const fresh = useFreshClass(planId);
  const title = words.titleOf(block);
  if (planId === null) {
    return (
      <li className={`block-place base ${block.source}`} style={style} title={`${title} ${words.timesOf(block)}`}>
        <span className="truncate">{title}</span>
      </li>
    );
  }
  const said = words.said(block, context, 0);
  return (
    <li className="block-place" style={style}>
      <button
        type="button"
        className={classesOf(block) + fresh}
        data-key={block.key}
        aria-label={said.join(', ')}
        title={said.join('\n')}
        onPointerDown={(event) => movable && drag.grip(event, deviceId, block, 'move')}
        onClick={() => !drag.justDragged.current && open()}
        {...keys}
        {...(movable && { 'aria-describedby': 'schedule-hint' })}
      >
        <strong className="truncate">
          {block.rank !== null && <Lock aria-hidden className="held-lock" />}
          {block.rank === null ? title : block.title}
        </strong>
        <small className="truncate">{words.timesOf(block)}</small>
        {block.hidden.length > 0 && <TriangleAlert aria-hidden />}
        {movable && !block.continues && (
          <span className="block-edge start" onPointerDown={(event) => drag.grip(event, deviceId, block, 'start')} />
        )}
        {movable && !block.goesOn && (
          <span className="block-edge end" onPointerDown={(event) => drag.grip(event, deviceId, block, 'end')} />
        )}
      </button>
    </li>
  );
}

const classesOf = (block: Block): string =>
  ['block', block.source, block.rank !== null && 'held', block.continues && 'continues', block.goesOn && 'goes-on']
    .filter(Boolean)
    .join(' ');

/**
 * Returns whether the block is the end of an overnight plan that is named on another day. The strip below the plans
 * includes it.
 */
const isTail = ({ continues, from, to, planId }: Block, all: readonly Block[]): boolean => {
  const again = all.some((other) => other.planId === planId && other.from > from);
  return from === 0 && to < DAY_MIN / 2 && (continues || (planId !== null && again));
};

/**
 * Returns a function for the text about content that plays without a plan. A row for many screens may have several
 * names.
 */
const useBaseWords = () => {
  const { t } = useTranslation();
  return ([name, ...others]: readonly string[]): string | undefined =>
    name !== undefined && others.length > 0 ? t('schedule.baseAndMore', { name, count: others.length }) : name;
};

/** The plans of one day in a week or month. The strip below shows which parts of the day are filled. */
export function Chips({
  blocks,
  column,
  context,
  most = CHIPS,
  none,
}: {
  blocks: readonly Block[];
  column: number;
  context: BlockContext;
  most?: number;
  /** Text for a day without plans. */
  none?: string;
}) {
  const { t } = useTranslation();
  // A plan that plays twice a day is listed twice.
  const told = blocks.filter((block) => isTold(block) && !isTail(block, blocks));
  const shown = told.length > most ? told.slice(0, most - 1) : told;
  const bases = basesOf(blocks);
  const baseWords = useBaseWords();
  return (
    <>
      <ul className="plan-chips">
        {shown.map((block) => (
          <Chip key={`${block.key} ${block.from}`} block={block} column={column} context={context} />
        ))}
        {told.length === 0 && none && <li className="plan-chips-more">{none}</li>}
        {told.length > shown.length && (
          <li className="plan-chips-more">{t('schedule.andMore', { count: told.length - shown.length })}</li>
        )}
        {bases.length > 0 && told.length < most && <li className="plan-chips-base truncate">{baseWords(bases)}</li>}
      </ul>
      {context.screens === undefined && <DayFill blocks={blocks} />}
    </>
  );
}

/** Strip that shows which parts of a day are filled, from midnight to midnight. */
function DayFill({ blocks }: { blocks: readonly Block[] }) {
  return (
    <span className="day-strip-fill" aria-hidden>
      {blocks.map((block) => (
        <span
          key={`${block.key} ${block.from}`}
          className={block.source}
          title={block.title}
          style={{ ...colourIn(block), width: `${((block.to - block.from) / DAY_MIN) * 100}%` }}
        />
      ))}
    </span>
  );
}

function Chip({ block, column, context }: { block: Block; column: number; context: BlockContext }) {
  const { drag, deviceId } = context;
  const words = useWords();
  const keys = useKeys(block, context);
  const { movable, open } = useBlock(block, context);
  const { planId } = block;
  const fresh = useFreshClass(planId);
  const title = words.titleOf(block);
  if (planId === null) {
    return (
      <li className={`plan-chip base ${block.source}`} title={`${words.gapOf(block, context)} ${words.timesOf(block)}`}>
        <span className="truncate">{words.gapOf(block, context)}</span>
        <small>{words.timesOf(block)}</small>
      </li>
    );
  }
  const said = words.said(block, context, column);
  return (
    <li>
      <button
        type="button"
        className={
          (block.rank === null ? 'plan-chip' : 'plan-chip held') +
          (isPartial(block, context.screens) ? ' partial' : '') +
          fresh
        }
        data-key={block.key}
        style={colourIn(block)}
        aria-label={said.join(', ')}
        title={said.join('\n')}
        onPointerDown={(event) => movable && drag.grip(event, deviceId, block, 'move')}
        onClick={() => !drag.justDragged.current && open()}
        {...keys}
        {...(movable && { 'aria-describedby': 'schedule-hint' })}
      >
        <strong className="truncate">
          {block.rank !== null && <Lock aria-hidden className="held-lock" />}
          {block.rank === null ? title : block.title}
        </strong>
        <small>{words.timesOf(block)}</small>
        {block.hidden.length > 0 && <TriangleAlert aria-hidden />}
      </button>
    </li>
  );
}

/** Text below the plans of a month: names of the content that plays without a plan. */
export function BaseBarText({ bar: { names, first, last }, days }: { bar: BaseBar; days: number }) {
  const baseWords = useBaseWords();
  return (
    <li
      className="bar-base"
      title={names.join('\n')}
      style={
        {
          left: `${(first / days) * 100}%`,
          width: `${((last - first + 1) / days) * 100}%`,
          '--from': first / days,
        } as CSSProperties
      }
    >
      <span className="truncate">{baseWords(names)}</span>
    </li>
  );
}

/**
 * A plan in a month as a bar from its first to its last day.
 * @param day column of the announced day, when the columns are hours
 */
export function BarButton({ bar, context, day = bar.first }: { bar: Bar; context: BlockContext; day?: number }) {
  const words = useWords();
  const { drag, deviceId } = context;
  const keys = useKeys(bar.block, context);
  const { movable, open } = useBlock(bar.block, context);
  const { block, first, last, lane } = bar;
  const { planId } = block;
  const fresh = useFreshClass(planId);
  const title = words.titleOf(block);
  const style = {
    ...colourIn(block),
    left: `${(first / context.days) * 100}%`,
    width: `${((last - first + 1) / context.days) * 100}%`,
    '--lane': lane,
    '--from': first / context.days,
  } as CSSProperties;
  if (planId === null) {
    return (
      <li className={`bar-place base ${block.source}`} style={style} title={words.gapOf(block, context)}>
        <span className="truncate">{words.gapOf(block, context)}</span>
      </li>
    );
  }
  const said = words.said(block, context, day);
  return (
    <li className="bar-place" style={style}>
      <button
        type="button"
        className={classesOf(block) + (isPartial(block, context.screens) ? ' partial' : '') + fresh}
        data-key={block.key}
        aria-label={said.join(', ')}
        title={said.join('\n')}
        onPointerDown={(event) => movable && drag.grip(event, deviceId, block, 'move')}
        onClick={() => !drag.justDragged.current && open()}
        {...keys}
        {...(movable && { 'aria-describedby': 'schedule-hint' })}
      >
        <strong className="truncate">
          {block.rank !== null && <Lock aria-hidden className="held-lock" />}
          {block.rank === null ? title : block.title}
        </strong>
        {block.hidden.length > 0 && <TriangleAlert aria-hidden />}
      </button>
    </li>
  );
}
