import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CalendarGroup } from '../../../../shared/contract/screens/plans.ts';
import { Bone } from '../../../components/frame/Page.tsx';
import { type BlockContext, Chips } from './Blocks.tsx';
import { FoldButton, groupName } from './CalendarRow.tsx';
import { type Block, blocksOf, blocksOfLine } from './rows.utils.ts';
import type { Rows } from './useRows.ts';
import { useRowsDrag } from './useRowsDrag.ts';
import './dayList.css';

/** Estimated height in pixels of a screen's entries before they have been measured. */
const ROW_PX = 110;
/** Maximum number of entries per screen. */
const MOST = 50;

type DayListProps = {
  rows: Rows;
  first: number;
  onOpen: (planId: string) => void;
  onFold?: (group: CalendarGroup, isOpen: boolean) => void;
};

/** List of a day on a phone: each screen with its entries in the order of time. */
export function DayList({ rows, first, onOpen, onFold = () => {} }: DayListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const drag = useRowsDrag({ days: 1, onShift: () => {}, onSweep: () => {} });
  const virtualizer = useVirtualizer({
    count: rows.total,
    getScrollElement: () => document.getElementById('pane'),
    estimateSize: () => ROW_PX,
    overscan: 3,
    scrollMargin: list.current?.offsetTop ?? 0,
    useFlushSync: false,
  });
  const shown = virtualizer.getVirtualItems();
  const [from, to] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: setRange is another function each time
  useLayoutEffect(() => rows.setRange(from, to), [from, to]);
  return (
    <ul className="day-list" ref={list} style={{ height: virtualizer.getTotalSize() }}>
      {shown.map(({ index, start, key }) => {
        const entry = rows.entry(index);
        const row = entry.kind === 'screen' ? entry.row : undefined;
        const chips = (blocks: readonly Block[], of: Pick<BlockContext, 'deviceId' | 'screen' | 'screens'>) => (
          <Chips
            blocks={blocks}
            column={0}
            most={MOST}
            context={{ ...of, first, days: 1, drag, canMove: false, onOpen, onShift: () => {} }}
            none={t('schedule.nothingPlanned')}
          />
        );
        return (
          <li
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
          >
            {entry.kind === 'group' ? (
              <>
                <h2>
                  <FoldButton group={entry.group} line={entry.line} isOpen={entry.isOpen} onFold={onFold} />
                </h2>
                {!entry.isOpen &&
                  (entry.line ? (
                    chips(blocksOfLine(entry.line, first, 1), {
                      deviceId: `group ${entry.group.group_id}`,
                      screen: groupName(entry.group, t),
                      screens: entry.group.screens,
                    })
                  ) : (
                    <Bone height="2rem" />
                  ))}
              </>
            ) : row ? (
              <>
                <h2>
                  <Link to="/schedule" search={{ for: `screen:${row.device_id}` }}>
                    {row.name}
                  </Link>
                </h2>
                {chips(blocksOf(row, first, 1), { deviceId: row.device_id, screen: row.name })}
              </>
            ) : (
              <Bone height="5rem" />
            )}
          </li>
        );
      })}
    </ul>
  );
}
