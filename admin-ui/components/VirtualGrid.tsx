import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
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
  /** Indices of the first and last cell that are drawn. */
  onRange?: (first: number, last: number) => void;
};

/** Rows that may come into view at once and be drawn at once. */
const JUMP_ROWS = 1;

/** A grid of which only the rows in view exist, however many there are. It scrolls with the page. */
export function VirtualGrid({
  label,
  count,
  minColumn,
  gap,
  estimateRow,
  renderCell,
  keyOf,
  onRange,
}: VirtualGridProps) {
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
    // What stands above may grow, as notices and sections do, and move the grid.
    if (element.parentElement) observer.observe(element.parentElement);
    return () => observer.disconnect();
  }, []);

  const scale = rem / 16;
  const columns = columnsFor(width, minColumn * scale, gap * scale);
  const columnWidth = (width - (columns - 1) * gap * scale) / columns;
  const rows = Math.ceil(count / columns);
  const virtualizer = useVirtualizer({
    count: width === 0 ? 0 : rows,
    getScrollElement: () => document.getElementById('pane'),
    estimateSize: () => estimateRow(columnWidth),
    gap: gap * scale,
    overscan: 2,
    scrollMargin: top,
    useFlushSync: false,
  });
  const shown = virtualizer.getVirtualItems();
  const first = (shown[0]?.index ?? 0) * columns;
  // More than can be drawn between two frames comes a moment later, piece by piece.
  const before = useRef(first);
  const jumped = Math.abs(first - before.current) > JUMP_ROWS * columns;
  useLayoutEffect(() => {
    before.current = first;
  }, [first]);
  const last = Math.min(count, ((shown.at(-1)?.index ?? -1) + 1) * columns) - 1;
  useLayoutEffect(() => {
    if (last >= first) onRange?.(first, last);
  }, [first, last, onRange]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured rows belong to a column width; another width needs other rows
  useLayoutEffect(() => virtualizer.measure(), [columnWidth, virtualizer]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows stand between list and items, which <ul> does not allow
    <div
      className="virtual-grid"
      role="list"
      ref={box}
      aria-label={label}
      style={{ height: virtualizer.getTotalSize() }}
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
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above
              <div key={keyOf(index)} role="listitem" aria-setsize={count} aria-posinset={index + 1}>
                <Cell later={jumped} height={estimateRow(columnWidth)} render={() => renderCell(index)} />
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Decides by its first `later`: a cell that was ever drawn stays drawn. */
function Cell({ later, height, render }: { later: boolean; height: number; render: () => ReactNode }) {
  const [waits] = useState(later);
  const drawn = useDeferredValue(true, !waits);
  return drawn ? render() : <div style={{ height }} />;
}
