import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/devices.ts';
import { Badge } from '../../components/Page.tsx';
import { SelectBox } from '../../components/SelectBox.tsx';
import { useNow } from '../../components/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { useLiveDevice } from '../../live/useLive.ts';
import { nextOrder, type ScreenColumn, type ScreenOrder, screenColumns } from './screenTable.utils.ts';
import './screenTable.css';
import { stateOf, toneOf, withLive } from './screens.utils.ts';

/** Pixels, at 16 to a rem, before a row has been measured. */
const ROW = 48;
const MEGABYTE = 1024 * 1024;

type ScreenTableProps = {
  screens: readonly Device[];
  order: ScreenOrder | undefined;
  onOrder: (order: string | undefined) => void;
  nameOfPlaylist: (id: string) => string | undefined;
  canWrite: boolean;
  isChosen: (id: string) => boolean;
  onToggle: (index: number, how: { range: boolean }) => void;
};

/** Screens as rows, of which only those in view exist. It scrolls with the page. */
export function ScreenTable({
  screens,
  order,
  onOrder,
  nameOfPlaylist,
  canWrite,
  isChosen,
  onToggle,
}: ScreenTableProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const pane = document.getElementById('pane');
    const element = box.current;
    if (!pane || !element) return;
    const measure = () =>
      setTop(element.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop);
    measure();
    // What stands above may grow, as notices and sections do, and move the rows.
    const observer = new ResizeObserver(measure);
    if (element.parentElement?.parentElement) observer.observe(element.parentElement.parentElement);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useVirtualizer({
    count: screens.length,
    getScrollElement: () => document.getElementById('pane'),
    estimateSize: () => ROW,
    overscan: 8,
    scrollMargin: top,
    useFlushSync: false,
  });
  return (
    <table
      className={canWrite ? 'screen-table choosing' : 'screen-table'}
      aria-label={t('nav.screens')}
      aria-rowcount={screens.length + 1}
    >
      <thead>
        <tr className="screen-row screen-head" aria-rowindex={1}>
          {canWrite && (
            <th scope="col">
              <span className="visually-hidden">{t('screens.column.choose')}</span>
            </th>
          )}
          {screenColumns.map((column) => (
            <Head key={column} column={column} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody ref={box} className="screen-rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((row) => {
          const screen = screens[row.index]!;
          return (
            <tr
              key={screen.id}
              className="screen-row"
              aria-rowindex={row.index + 2}
              data-index={row.index}
              ref={virtualizer.measureElement}
              {...(isChosen(screen.id) && { 'data-chosen': true })}
              style={{ transform: `translateY(${row.start - top}px)` }}
            >
              <Row
                screen={screen}
                index={row.index}
                playlist={screen.playlist_id === null ? undefined : nameOfPlaylist(screen.playlist_id)}
                canWrite={canWrite}
                isChosen={isChosen(screen.id)}
                onToggle={onToggle}
              />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Head({
  column,
  order,
  onOrder,
}: {
  column: ScreenColumn;
  order: ScreenOrder | undefined;
  onOrder: (order: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const isOn = order?.by === column;
  const Arrow = order?.down ? ArrowDown : ArrowUp;
  return (
    <th scope="col" data-column={column} aria-sort={isOn ? (order.down ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onOrder(nextOrder(order, column))}>
        {t(`screens.column.${column}`)}
        {isOn && <Arrow aria-hidden />}
      </button>
    </th>
  );
}

type RowProps = {
  screen: Device;
  index: number;
  playlist: string | undefined;
  canWrite: boolean;
  isChosen: boolean;
  onToggle: (index: number, how: { range: boolean }) => void;
};

const Row = memo(function Row({ screen: fetched, index, playlist, canWrite, isChosen, onToggle }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const screen = withLive(
    fetched,
    useLiveDevice(fetched.id, (device) => device),
  );
  const state = stateOf(screen);
  const cells: Record<Exclude<ScreenColumn, 'name'>, ReactNode> = {
    state: (
      <Badge tone={toneOf[state]} dot>
        {t(`screens.state.${state}`)}
      </Badge>
    ),
    playlist,
    tags: screen.tags.length > 0 && format.list(screen.tags),
    version: screen.version,
    address: screen.local_ip ?? screen.ip_address,
    storage: screen.storage_free_mb !== null && format.bytes(screen.storage_free_mb * MEGABYTE),
    seen: screen.last_heartbeat === null ? t('screens.neverSeen') : format.ago(screen.last_heartbeat, now),
  };
  return (
    <>
      {canWrite && (
        <td>
          <SelectBox
            label={t('selection.choose', { name: screen.name })}
            isSelected={isChosen}
            onToggle={(how) => onToggle(index, how)}
          />
        </td>
      )}
      {screenColumns.map((column) =>
        column === 'name' ? (
          <th key={column} scope="row" data-column={column}>
            <Link to="/screens/$screenId" params={{ screenId: screen.id }} className="truncate">
              {screen.name}
            </Link>
          </th>
        ) : (
          <td key={column} className="truncate" data-column={column}>
            {cells[column] || '–'}
          </td>
        ),
      )}
    </>
  );
});
