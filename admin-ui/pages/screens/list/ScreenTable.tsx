import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { stateOf } from '../../../../shared/contract/screens/device-state.ts';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { useLiveDevice } from '../../../api/live/useLive.ts';
import { playlistsQuery } from '../../../api/playlists.ts';
import { SelectBox } from '../../../components/choices/SelectBox.tsx';
import { Badge, Bone } from '../../../components/frame/Page.tsx';
import { printedRows, usePrinting } from '../../../components/hooks/printing.ts';
import { useNow } from '../../../components/hooks/useNow.ts';
import { withKept } from '../../../components/lists/keptRow.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { isSortable, nextOrder, type ScreenColumn, type ScreenOrder, textOfColumns } from './screenTable.utils.ts';
import './screenTable.css';
import { useWhyPlaying } from '../preview/useWhyPlaying.ts';
import { toneOf, withLive } from '../screens.utils.ts';
import { HEAD, useGridKeys } from './useGridKeys.ts';

/** Pixels, at 16 to a rem, before a row has been measured. */
const ROW = 48;
/** Rows drawn above and below the visible ones. */
const OVERSCAN = 8;
const MEGABYTE = 1024 * 1024;

type ScreenTableProps = {
  count: number;
  /** The screen of a row; undefined while loading. */
  at: (index: number) => Device | undefined;
  /** Called with the visible rows. */
  onRange: (first: number, last: number) => void;
  columns: readonly ScreenColumn[];
  onColumns: (columns: string | undefined) => void;
  order: ScreenOrder | undefined;
  onOrder: (order: string | undefined) => void;
  canWrite: boolean;
  isChosen: (id: string) => boolean;
  onToggle: (index: number, how: { range: boolean }) => void;
};

/**
 * Screens as rows, of which only visible ones are drawn. The table scrolls with the page; arrow keys move between
 * cells.
 */
export function ScreenTable({
  count,
  at,
  onRange,
  columns,
  onColumns,
  order,
  onOrder,
  canWrite,
  isChosen,
  onToggle,
}: ScreenTableProps) {
  const { t } = useTranslation();
  const playlists = useQuery(playlistsQuery).data;
  const names = useMemo(() => new Map(playlists?.map(({ id, name }) => [id, name])), [playlists]);
  const { box, top, kept, virtualizer, rows, first, last } = useTableRows(count, onRange);
  const before = canWrite ? 1 : 0;
  const keys = useGridKeys({
    rows: count,
    columns: columns.length + before,
    seen: { first, last },
    reveal: (row) => virtualizer.scrollToIndex(row, { align: 'auto' }),
    kept,
  });
  return (
    <div className="screen-table-frame">
      <ColumnsMenu columns={columns} onColumns={onColumns} />
      <table
        {...keys.grid}
        className="screen-table"
        aria-label={t('nav.screens')}
        aria-rowcount={count + 1}
        data-printed={count}
        aria-colcount={columns.length + before}
        {...(textOfColumns(columns) !== undefined && { 'data-own-columns': true })}
      >
        <thead>
          <tr className="screen-row screen-head" aria-rowindex={1} data-index={HEAD}>
            {canWrite && (
              <th scope="col" aria-colindex={1} data-column="choose" tabIndex={keys.stop(HEAD, 0)}>
                <span className="visually-hidden">{t('screens.column.choose')}</span>
              </th>
            )}
            {columns.map((column, i) => (
              <Head
                key={column}
                column={column}
                index={i + before}
                order={order}
                onOrder={onOrder}
                tabIndex={keys.stop(HEAD, i + before)}
              />
            ))}
          </tr>
        </thead>
        <tbody ref={box} className="screen-rows" style={{ height: virtualizer.getTotalSize() }}>
          {rows.map((row) => {
            const screen = at(row.index);
            const chosen = screen !== undefined && isChosen(screen.id);
            return (
              <tr
                key={screen?.id ?? row.index}
                className="screen-row"
                aria-rowindex={row.index + 2}
                data-index={row.index}
                ref={virtualizer.measureElement}
                {...(canWrite && { 'aria-selected': chosen })}
                {...(chosen && { 'data-chosen': true })}
                style={{ transform: `translateY(${row.start - top}px)` }}
              >
                {screen ? (
                  <Row
                    screen={screen}
                    index={row.index}
                    columns={columns}
                    playlist={screen.playlist_id === null ? undefined : names.get(screen.playlist_id)}
                    canWrite={canWrite}
                    isChosen={chosen}
                    onToggle={onToggle}
                    stop={keys.stopIn(row.index)}
                  />
                ) : (
                  <td data-column="name">
                    <Bone height="1rem" />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/**
 * The rows that are drawn: those in view and some around them, or all for print. `top`: distance of the first row from
 * the top of the page.
 */
const useTableRows = (count: number, onRange: ScreenTableProps['onRange']) => {
  const box = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const pane = document.getElementById('pane');
    const element = box.current;
    if (!pane || !element) return;
    const measure = () =>
      setTop(element.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop);
    measure();
    // Content above, such as notices, may grow and move the rows.
    const observer = new ResizeObserver(measure);
    const above = element.closest('.screen-table-frame')?.parentElement;
    if (above) observer.observe(above);
    return () => observer.disconnect();
  }, []);
  const kept = useRef<number>(undefined);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => document.getElementById('pane'),
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    rangeExtractor: (range) => withKept(kept.current)(range),
    scrollMargin: top,
    useFlushSync: false,
  });
  const isPrinting = usePrinting();
  const inView = virtualizer.getVirtualItems();
  const rows = isPrinting ? printedRows(count) : inView;
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: -1 };
  const first = isPrinting ? 0 : Math.max(0, startIndex - OVERSCAN);
  const last = rows.length === 0 ? -1 : Math.min(count - 1, isPrinting ? rows.length - 1 : endIndex + OVERSCAN);
  useLayoutEffect(() => {
    if (last >= first) onRange(first, last);
  }, [first, last, onRange]);
  return { box, top, kept, virtualizer, rows, first, last };
};

function Head({
  column,
  index,
  order,
  onOrder,
  tabIndex,
}: {
  column: ScreenColumn;
  index: number;
  order: ScreenOrder | undefined;
  onOrder: (order: string | undefined) => void;
  tabIndex: 0 | -1;
}) {
  const { t } = useTranslation();
  const isOn = order?.by === column;
  const Arrow = order?.down ? ArrowDown : ArrowUp;
  const title = t(`screens.column.${column}`);
  if (!isSortable(column))
    return (
      <th scope="col" aria-colindex={index + 1} data-column={column} tabIndex={tabIndex}>
        {title}
      </th>
    );
  return (
    <th
      scope="col"
      aria-colindex={index + 1}
      data-column={column}
      aria-sort={isOn ? (order.down ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" tabIndex={tabIndex} onClick={() => onOrder(nextOrder(order, column))}>
        {title}
        {isOn && <Arrow aria-hidden />}
      </button>
    </th>
  );
}

type RowProps = {
  screen: Device;
  index: number;
  columns: readonly ScreenColumn[];
  playlist: string | undefined;
  canWrite: boolean;
  isChosen: boolean;
  onToggle: (index: number, how: { range: boolean }) => void;
  /** The column of the Tab stop; undefined if it is not in this row. */
  stop: number | undefined;
};

const Row = memo(function Row({
  screen: fetched,
  index,
  columns,
  playlist,
  canWrite,
  isChosen,
  onToggle,
  stop,
}: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const screen = withLive(
    fetched,
    useLiveDevice(fetched.id, (device) => device),
  );
  const state = stateOf(screen);
  const before = canWrite ? 1 : 0;
  const cells: Record<Exclude<ScreenColumn, 'name'>, () => ReactNode> = {
    state: () => (
      <Badge tone={toneOf[state]} dot>
        {t(`screens.state.${state}`)}
      </Badge>
    ),
    playlist: () => playlist,
    plan: () => <InForce id={screen.id} />,
    tags: () => screen.tags.length > 0 && format.list(screen.tags),
    version: () => screen.version,
    address: () => screen.local_ip ?? screen.ip_address,
    storage: () => screen.storage_free_mb !== null && format.bytes(screen.storage_free_mb * MEGABYTE),
    seen: () => (screen.last_heartbeat === null ? t('screens.neverSeen') : format.ago(screen.last_heartbeat, now)),
  };
  return (
    <>
      {canWrite && (
        <td aria-colindex={1} data-column="choose">
          <SelectBox
            label={t('selection.choose', { name: screen.name })}
            isSelected={isChosen}
            onToggle={(how) => onToggle(index, how)}
            tabIndex={stop === 0 ? 0 : -1}
          />
        </td>
      )}
      {columns.map((column, i) => {
        const place = i + before;
        const tabIndex = stop === place ? 0 : -1;
        if (column === 'name')
          return (
            <th key={column} scope="row" aria-colindex={place + 1} data-column={column}>
              <Link to="/screens/$screenId" params={{ screenId: screen.id }} className="truncate" tabIndex={tabIndex}>
                {screen.name}
              </Link>
            </th>
          );
        return (
          <td key={column} aria-colindex={place + 1} className="truncate" data-column={column} tabIndex={tabIndex}>
            {cells[column]() || '–'}
          </td>
        );
      })}
    </>
  );
});

/** The source of the screen's present playlist. */
function InForce({ id }: { id: string }) {
  const { t } = useTranslation();
  const why = useWhyPlaying(id);
  return why ? t(`screens.why.${why.source}`, { playlist: why.playlist }) : '–';
}
