import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { panelAt, type WallDraft } from './wall.utils.ts';

/** How panels are placed: in the cells of the grid, or freely. */
export type Arrange = 'cells' | 'free';
export type Cell = { readonly col: number; readonly row: number };

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
export const cellId = ({ col, row }: Cell) => `wall-cell-${col}-${row}`;
export const panelId = (deviceId: string) => `wall-panel-${deviceId}`;

/**
 * Keyboard focus in the grid of a wall. In cells, the grid is one Tab stop, and arrow keys move between cells. Freely
 * placed panels are a Tab stop each.
 */
export const useCellFocus = (draft: WallDraft, arrange: Arrange) => {
  /** The cell of the Tab stop. */
  const [at, setStop] = useState<Cell>({ col: 0, row: 0 });
  /** A cell whose button gets the focus as soon as its content differs from `now`. */
  const wanted = useRef<Cell & { readonly now: string }>(undefined);
  const stop = { col: Math.min(at.col, draft.grid_cols - 1), row: Math.min(at.row, draft.grid_rows - 1) };
  const isStop = (cell: Cell) => arrange === 'free' || (cell.col === stop.col && cell.row === stop.row);
  /** The id of the element of a cell, or of its panel. */
  const idIn = (cell: Cell) => {
    const panel = panelAt(draft, cell.col, cell.row);
    return panel ? panelId(panel.device_id) : cellId(cell);
  };
  const goTo = (cell: Cell) => document.getElementById(idIn(cell))?.querySelector('button')?.focus();
  /** Focuses the cell as soon as it gets or loses its panel. */
  const focusAfterChange = (cell: Cell) => {
    wanted.current = { col: cell.col, row: cell.row, now: idIn(cell) };
  };
  const stay = () => {
    wanted.current = undefined;
  };
  useLayoutEffect(() => {
    const cell = wanted.current;
    if (!cell || idIn(cell) === cell.now) return;
    wanted.current = undefined;
    // By then, the dialog for choosing the screen is closed.
    requestAnimationFrame(() => goTo(cell));
  });
  /** For `onKeyDown`. Returns whether the key moved the focus. */
  const arrowKey = (event: KeyboardEvent, { col, row }: Cell): boolean => {
    const by = ARROWS[event.key];
    const isChord = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (arrange !== 'cells' || !by || isChord) return false;
    event.preventDefault();
    goTo({ col: col + by[0], row: row + by[1] });
    return true;
  };
  return { isStop, setStop, idIn, focusAfterChange, stay, arrowKey };
};
