/** Edits of the rows and columns of a table. Pure functions: each returns the changed fields. */
import { type Element, MAX_COLUMNS, MAX_ROWS } from '../../../../shared/design/elements.ts';
import { isPrice, type PastedRow, readPastedTable } from './tablePaste.ts';

export type TableElement = Extract<Element, { type: 'table' }>;
export type Row = TableElement['rows'][number];
export type Column = TableElement['columns'][number];
type Table = Pick<TableElement, 'rows' | 'columns' | 'currency'>;

/** Characters of a cell, a note or a title. */
export const MAX_CELL = 200;
const short = (text: string): string => text.slice(0, MAX_CELL);

const EMPTY_ROW: Row = { cells: [], heading: false, note: '' };

export const isEmptyRow = ({ cells, note }: Row): boolean => note === '' && cells.every((cell) => cell === '');

export const cellOf = ({ cells }: Row, column: number): string => cells[column] ?? '';

export const withRow = (rows: readonly Row[], at: number, change: Partial<Row>): Row[] =>
  rows.map((row, i) => (i === at ? { ...row, ...change } : row));

export const withCell = (rows: readonly Row[], at: number, column: number, text: string): Row[] => {
  const { cells = [] } = rows[at] ?? {};
  const next = Array.from({ length: Math.max(cells.length, column + 1) }, (_, i) => cells[i] ?? '');
  next[column] = short(text);
  return withRow(rows, at, { cells: next });
};

/** Inserts an empty row. Returns the rows unchanged when the table is full. */
export const withNewRow = (rows: readonly Row[], at: number): Row[] =>
  rows.length >= MAX_ROWS ? [...rows] : [...rows.slice(0, at), EMPTY_ROW, ...rows.slice(at)];

export const withoutRow = (rows: readonly Row[], at: number): Row[] => rows.filter((_, i) => i !== at);

export const withMovedRow = (rows: readonly Row[], from: number, to: number): Row[] => {
  const row = rows[from];
  if (!row) return [...rows];
  const others = withoutRow(rows, from);
  return [...others.slice(0, to), row, ...others.slice(to)];
};

export const withColumn = (columns: readonly Column[], at: number, change: Partial<Column>): Column[] =>
  columns.map((column, i) => (i === at ? { ...column, ...change } : column));

const newColumn = (kind: Column['kind']): Column => ({
  ...{ title: '', kind },
  ...(kind === 'price' ? { align: 'end', weight: 1 } : { align: 'start', weight: 2 }),
});

/** Adds a column at the end. Returns the columns unchanged when the table has {@link MAX_COLUMNS}. */
export const withNewColumn = (columns: readonly Column[], kind: Column['kind']): Column[] =>
  columns.length >= MAX_COLUMNS ? [...columns] : [...columns, newColumn(kind)];

/** Removes a column with its cells. The last column stays. */
export const withoutColumn = ({ columns, rows }: Table, at: number): Pick<Table, 'columns' | 'rows'> =>
  columns.length === 1
    ? { columns, rows }
    : {
        columns: columns.filter((_, i) => i !== at),
        rows: rows.map((row) => ({ ...row, cells: row.cells.filter((_, i) => i !== at) })),
      };

const morePrices = (columns: readonly Column[], prices: number): Column[] => {
  let next = [...columns];
  while (next.filter(({ kind }) => kind === 'price').length < prices && next.length < MAX_COLUMNS)
    next = withNewColumn(next, 'price');
  return next;
};

/** Returns the cells of a line in the columns of a table: the name first, prices in the price columns. */
const menuRow = ({ name, note, prices, heading }: PastedRow, columns: readonly Column[]): Row => {
  const left = [...prices];
  const cells = columns.map(({ kind }, i) => (i === 0 ? short(name) : kind === 'price' ? (left.shift() ?? '') : ''));
  return { cells: heading ? [short(name)] : cells, heading, note: short(note) };
};

/** Returns whether the cells of a line stand in the order of the columns of a table with several columns of text. */
const isInOrder = ({ cells }: PastedRow, columns: readonly Column[]): boolean =>
  cells?.length === columns.length &&
  columns.filter(({ kind }) => kind === 'text').length > 1 &&
  columns.every(({ kind }, i) => kind === 'text' || cells[i] === '' || isPrice(cells[i]!));

const inOrder = ({ cells = [] }: PastedRow): Row => ({ ...EMPTY_ROW, cells: cells.slice(0, MAX_COLUMNS).map(short) });

const currencyOf = (found: string | undefined, now: string): string =>
  // "$" is the sign of many dollars.
  found === undefined || (found === 'USD' && /D$/.test(now)) ? now : found;

export interface Pasted extends Table {
  /** Number of new rows. */
  readonly added: number;
  /** Number of lines that a full table has no room for. */
  readonly leftOut: number;
}

/**
 * Inserts pasted lines after a row, or in its place if the row is empty.
 * @param isSample whether all rows are examples, which the lines replace
 */
export const withPasted = (table: Table, text: string, at: number, isSample: boolean): Pasted => {
  const { rows: lines, currency } = readPastedTable(text);
  const isPlain = lines.every(({ prices }) => prices.length === 0) && lines.some(({ cells }) => cells !== undefined);
  let columns: Column[];
  if (isPlain) {
    columns = isSample
      ? table.columns.map((column) => ({ ...column, kind: 'text', align: 'start' }))
      : [...table.columns];
    const widest = Math.max(...lines.map(({ cells = [] }) => cells.length));
    while (columns.length < Math.min(widest, MAX_COLUMNS)) columns = withNewColumn(columns, 'text');
  } else {
    const others = lines.filter((line) => !isInOrder(line, table.columns));
    columns = morePrices(table.columns, Math.max(0, ...others.map(({ prices }) => prices.length)));
  }
  const made = lines.map((line) =>
    line.cells && (isPlain || isInOrder(line, columns)) ? inOrder(line) : menuRow(line, columns),
  );
  const row = table.rows[at];
  const from = row && isEmptyRow(row) ? at : at + 1;
  const before = isSample ? [] : table.rows.slice(0, from);
  const after = isSample ? [] : table.rows.slice(at + 1);
  const added = made.slice(0, Math.max(0, MAX_ROWS - before.length - after.length));
  return {
    ...{ columns, rows: [...before, ...added, ...after], currency: currencyOf(currency, table.currency) },
    ...{ added: added.length, leftOut: made.length - added.length },
  };
};

/** Returns whether pasted text becomes rows. A single word is pasted into the cell. */
export const isTableText = (text: string, row: Row | undefined): boolean => {
  const { rows } = readPastedTable(text);
  if (rows.length > 1) return true;
  const [line] = rows;
  return line !== undefined && (!row || isEmptyRow(row)) && (line.prices.length > 0 || line.cells !== undefined);
};
