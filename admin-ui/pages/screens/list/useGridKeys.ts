import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { tickBoxOf } from '../../../components/keyboard/cardKeys.ts';

/** Index of the header row. */
export const HEAD = -1;
/** Number of rows that a page key moves. */
const PAGE = 10;

type Cell = { readonly row: number; readonly column: number };
type GridKeysProps = {
  readonly rows: number;
  readonly columns: number;
  /** Indices of the first and last row that are rendered. */
  readonly seen: { readonly first: number; readonly last: number };
  /** Scrolls to a row, so that it is rendered. */
  readonly reveal: (row: number) => void;
  /** Index of the row that must stay rendered, because it has or will get the focus. */
  readonly kept: RefObject<number | undefined>;
};

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Returns the cell to which a key leads; undefined if the key does not navigate. */
export const cellAfter = (
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  { row, column }: Cell,
  { rows, columns }: Pick<GridKeysProps, 'rows' | 'columns'>,
): Cell | undefined => {
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: clamp(nextRow, HEAD, rows - 1),
    column: clamp(nextColumn, 0, columns - 1),
  });
  switch (key) {
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'PageUp':
      return to(Math.max(0, row - PAGE), column);
    case 'PageDown':
      return to(row + PAGE, column);
    case 'Home':
      return ctrlKey ? to(0, 0) : to(row, 0);
    case 'End':
      return ctrlKey ? to(rows - 1, columns - 1) : to(row, columns - 1);
    default:
      return undefined;
  }
};

const placeOf = (target: EventTarget): Cell | undefined => {
  const cell = (target as Element).closest('[aria-colindex]');
  const row = cell?.closest('[data-index]');
  if (!cell || !row) return;
  return { row: Number(row.getAttribute('data-index')), column: Number(cell.getAttribute('aria-colindex')) - 1 };
};

/** Returns the element of a cell that gets the focus: its link, button or checkbox, otherwise the cell itself. */
const focusableOf = (cell: Element): HTMLElement =>
  cell.querySelector<HTMLElement>('a, button, input') ?? (cell as HTMLElement);

/**
 * Moves the focus between the cells of a table with arrow keys. Only some rows are rendered. The table is one Tab
 * stop.
 */
export const useGridKeys = ({ rows, columns, seen, reveal, kept }: GridKeysProps) => {
  const [now, setNow] = useState<Cell>({ row: 0, column: 0 });
  const table = useRef<HTMLTableElement>(null);
  const wanted = useRef<Cell>(undefined);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { row, column } = wanted.current;
    const cell = table.current?.querySelector(`[data-index="${row}"] > [aria-colindex="${column + 1}"]`);
    if (!cell) return;
    wanted.current = undefined;
    focusableOf(cell).focus({ preventScroll: row !== HEAD });
  });
  const go = (to: Cell) => {
    wanted.current = to;
    setNow(to);
    kept.current = to.row;
    if (to.row !== HEAD) reveal(to.row);
  };
  const grid = {
    role: 'grid',
    ref: table,
    onKeyDown: (event: KeyboardEvent) => {
      const from = placeOf(event.target);
      if (!from || event.altKey || event.metaKey) return;
      const row = (event.target as Element).closest('[aria-selected]');
      // A button or checkbox handles Space itself.
      const isPressed = (event.target as Element).matches('button, input');
      if (event.key === ' ' && row && !isPressed && tickBoxOf(row, event.shiftKey)) return event.preventDefault();
      const to = cellAfter(event, from, { rows, columns });
      if (!to) return;
      event.preventDefault();
      go(to);
    },
    onFocus: (event: { target: EventTarget }) => {
      const at = placeOf(event.target);
      kept.current = at?.row;
      if (at && !wanted.current)
        setNow((before) => (before.row === at.row && before.column === at.column ? before : at));
    },
    onBlur: () => {
      if (!wanted.current) kept.current = undefined;
    },
  };
  // If the row with the Tab stop is scrolled out of view, the first visible row gets the Tab stop.
  const row = now.row === HEAD || (now.row >= seen.first && now.row <= seen.last) ? now.row : seen.first;
  const column = clamp(now.column, 0, columns - 1);
  const stopIn = useCallback((of: number): number | undefined => (of === row ? column : undefined), [row, column]);
  return { grid, stopIn, stop: (of: number, place: number): 0 | -1 => (stopIn(of) === place ? 0 : -1) };
};
