import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { PRINTED, printedRows, usePrinting } from '../hooks/printing.ts';
import { useCardKeys } from '../keyboard/useCardKeys.ts';
import { withKept } from './keptRow.ts';
import './VirtualGrid.css';
import { columnsFor } from './virtualGrid.utils.ts';

type VirtualGridProps = {
  label: string;
  count: number;
  /** Pixels, at 16 to a rem. */
  minColumn: number;
  gap: number;
  /** Pixels of a row before it has been measured. */
  estimateRow: (columnWidth: number) => number;
  renderCell: (index: number) => ReactNode;
  keyOf: (index: number) => string | number;
  /** Whether a cell is selected, if cells can be. */
  isChosen?: ((index: number) => boolean) | undefined;
  /** Indices of the first and last cell that are drawn. */
  onRange?: (first: number, last: number) => void;
};

/** Number of new rows that are drawn at once. */
const JUMP_ROWS = 1;
/** Rows drawn above and below the visible ones. */
const OVERSCAN = 2;

/**
 * A grid that draws only visible rows, for any number of rows. It scrolls with the page. It is one Tab stop, and other
 * keys move inside (useCardKeys.ts).
 */
export function VirtualGrid({
  label,
  count,
  minColumn,
  gap,
  estimateRow,
  renderCell,
  keyOf,
  isChosen,
  onRange,
}: VirtualGridProps) {
  const { box, width, top, scale } = usePlaceInPane();
  const columns = columnsFor(width, minColumn * scale, gap * scale);
  const columnWidth = (width - (columns - 1) * gap * scale) / columns;
  const rows = Math.ceil(count / columns);
  const kept = useRef<number>(undefined);
  const virtualizer = useVirtualizer({
    count: width === 0 ? 0 : rows,
    getScrollElement: () => document.getElementById('pane'),
    estimateSize: () => estimateRow(columnWidth),
    gap: gap * scale,
    overscan: OVERSCAN,
    rangeExtractor: (range) =>
      withKept(kept.current === undefined ? undefined : Math.floor(kept.current / columns))(range),
    scrollMargin: top,
    useFlushSync: false,
  });
  const { shown, first, last, jumped } = useDrawnRows({ virtualizer, count, rows, columns, onRange });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured rows belong to a column width; another width needs other rows
  useLayoutEffect(() => virtualizer.measure(), [columnWidth, virtualizer]);
  const keys = useCardKeys({
    box,
    kept,
    count,
    columns,
    seen: { first, last },
    reveal: (index) => virtualizer.scrollToIndex(Math.floor(index / columns)),
  });

  return (
    // biome-ignore lint/a11y/useSemanticElements: cards are no table, and only some of them exist
    <div
      className="virtual-grid"
      role="grid"
      ref={box}
      aria-label={label}
      aria-rowcount={count}
      data-printed={count}
      {...(isChosen && { 'aria-multiselectable': true })}
      style={{ height: virtualizer.getTotalSize() }}
      {...keys}
    >
      {shown.map((row) => (
        <div
          key={row.key}
          className="virtual-row"
          role="presentation"
          ref={virtualizer.measureElement}
          data-index={row.index}
          style={{
            transform: `translateY(${row.start - top}px)`,
            gap: gap * scale,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {Array.from({ length: Math.min(columns, count - row.index * columns) }, (_, i) => {
            const index = row.index * columns + i;
            const key = keyOf(index);
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: what opens it has the focus
              <div
                key={key}
                role="row"
                aria-rowindex={index + 1}
                {...(isChosen && { 'aria-selected': isChosen(index) })}
              >
                {/* biome-ignore lint/a11y/useSemanticElements: as above */}
                <div role="gridcell" tabIndex={-1} className="virtual-card" data-card={index} data-key={key}>
                  <Cell later={jumped} height={estimateRow(columnWidth)} render={() => renderCell(index)} />
                </div>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The grid's width, and its distance from the top of the page, in pixels. `scale`: size of a rem as a share of 16 px. */
const usePlaceInPane = () => {
  const box = useRef<HTMLDivElement>(null);
  const [{ width, top, rem }, setPlace] = useState({ width: 0, top: 0, rem: 16 });
  useLayoutEffect(() => {
    const element = box.current;
    const pane = document.getElementById('pane');
    if (!element || !pane) return;
    const measure = () => {
      const rootSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const next = {
        width: element.clientWidth,
        top: element.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop,
        rem: rootSize,
      };
      setPlace((now) => (now.width === next.width && now.top === next.top && now.rem === next.rem ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // Content above, such as notices, may grow and move the grid.
    if (element.parentElement) observer.observe(element.parentElement);
    return () => observer.disconnect();
  }, []);
  return { box, width, top, scale: rem / 16 };
};

/**
 * The rows that are drawn, and the indices of their first and last cell. `jumped`: more rows have come than can be drawn
 * between two frames.
 */
const useDrawnRows = ({
  virtualizer,
  count,
  rows,
  columns,
  onRange,
}: {
  virtualizer: Virtualizer<HTMLElement, Element>;
  count: number;
  rows: number;
  columns: number;
  onRange: VirtualGridProps['onRange'];
}) => {
  const isPrinting = usePrinting();
  const inView = virtualizer.getVirtualItems();
  const shown = isPrinting ? printedRows(Math.min(rows, Math.ceil(PRINTED / columns))) : inView;
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: -1 };
  const first = isPrinting ? 0 : Math.max(0, startIndex - OVERSCAN) * columns;
  // More rows than can be drawn between two frames follow a moment later, piece by piece.
  const before = useRef(first);
  const jumped = Math.abs(first - before.current) > JUMP_ROWS * columns;
  useLayoutEffect(() => {
    before.current = first;
  }, [first]);
  const end = isPrinting ? shown.length : endIndex + OVERSCAN + 1;
  const last = shown.length === 0 ? -1 : Math.min(count, end * columns) - 1;
  useLayoutEffect(() => {
    if (last >= first) onRange?.(first, last);
  }, [first, last, onRange]);
  return { shown, first, last, jumped };
};

/** Uses only the first value of `later`: a cell that was drawn stays drawn. */
function Cell({ later, height, render }: { later: boolean; height: number; render: () => ReactNode }) {
  const [waits] = useState(later);
  const drawn = useDeferredValue(true, !waits);
  return drawn ? render() : <div style={{ height }} />;
}
