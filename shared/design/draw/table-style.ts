/** Look and words of tables. Used by the DOM renderer and by thumbnails. Pure. */
import type { Element } from '../elements.ts';
import { cellPrice } from './price.ts';

type TableElement = Extract<Element, { type: 'table' }>;

/** Lengths are in em of a row; `noteSize` is also the size of titles. */
export const TABLE = {
  weight: 500,
  columnGap: 1.2,
  rowGap: 0.34,
  headingGap: 0.5,
  noteSize: 0.7,
  /** Space before a note, in em of the note. */
  noteGap: 0.5,
  noteOpacity: 0.78,
  noteWeight: 400,
  titleSpacing: 0.06,
  lineOpacity: 0.16,
};

/** Returns the text of a cell. Numbers of a price column are formatted in the currency. */
export const cellText = (
  { columns, currency }: TableElement,
  row: TableElement['rows'][number],
  column: number,
  locale: string,
): string => {
  const text = row.cells[column] ?? '';
  return columns[column]?.kind === 'price' ? cellPrice(text, currency, locale) : text;
};

/** Returns whether a line separates a row from the row above. */
export const hasLineAbove = ({ lines, rows }: TableElement, row: number): boolean =>
  lines && row > 0 && !rows[row - 1]?.heading;
