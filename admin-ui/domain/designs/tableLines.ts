/**
 * Tables as text, so that people type and paste lists: one row per line, `name | note … value`. A line that begins with
 * `#` is a heading. Pure.
 */
import { amountOf } from '../../../shared/design/draw/price.ts';
import type { Element } from '../../../shared/design/elements.ts';

type Table = Extract<Element, { type: 'table' }>;
type Row = Table['rows'][number];

const BETWEEN = ' … ';
/** Longest text of a cell or note (elements.ts). */
const MAX_CELL = 200;
/** Separators between cells: tabs of a spreadsheet, dots of a menu, or several spaces of an aligned text. */
const SEPARATOR = /\t+|\s*(?:…|\.{2,}|_{2,})[.…_\s]*|\s{2,}/;
/** A price at the end of a line without a separator: `Soup 5.80`, `Soup 5,80 €`, `Soup € 5.80`. */
const PRICE_AT_END = /^(.*\S)\s+((?:\p{Sc}\s?)?\d{1,6}(?:[.,](?:\d{1,2}|–|-))?(?:\s?(?:\p{Sc}|[A-Z]{3}))?)$/u;

type Columns = Table['columns'];

/** Returns a price with two decimals, as in a list: `5.8` becomes `5.80`. Other texts stay. */
const inFull = (price: string): string => price.replace(/^(\d+[.,]\d)$/, '$10');

/** Returns a row as a line. */
const lineOf = ({ cells, note, heading }: Row, columns: Columns): string => {
  const [name = '', ...values] = cells.map((cell, i) => (columns[i]?.kind === 'price' ? inFull(cell) : cell));
  if (heading) return `# ${name}`;
  return [note === '' ? name : `${name} | ${note}`, ...values].join(BETWEEN).trimEnd();
};

export const linesOf = ({ rows, columns }: Pick<Table, 'rows' | 'columns'>): string =>
  rows.map((row) => lineOf(row, columns)).join('\n');

const short = (text: string): string => text.trim().slice(0, MAX_CELL);

/** Removes the currency from a price, because the table writes its own. Another text stays. */
const priceCell = (text: string): string => {
  const found = /\d[\d.,]*/.exec(text);
  return amountOf(text) === undefined || !found ? text : found[0];
};

/** Returns the cells of a line: the name, and one value for each further column. */
const cellsOf = (line: string, columns: Columns): string[] => {
  const values = columns.length - 1;
  const hasPrice = columns.some(({ kind }) => kind === 'price');
  const parts = line.split(SEPARATOR).map((part) => part.trim());
  while (parts.length > 1 && parts.at(-1) === '' && !line.trimEnd().endsWith(BETWEEN.trim())) parts.pop();
  if (parts.length === 1 && values > 0 && hasPrice) {
    const [, name, price] = PRICE_AT_END.exec(line.trim()) ?? [];
    if (name !== undefined && price !== undefined) parts.splice(0, 1, name, price);
  }
  // Further parts belong to the name, because a name may contain dots.
  const names = parts.splice(0, Math.max(parts.length - values, 1));
  return [names.join(' '), ...parts];
};

/** Returns the row of a line. */
export const rowOf = (line: string, columns: Columns): Row => {
  if (line.trim().startsWith('#')) {
    return { cells: [short(line.trim().slice(1)), ...columns.slice(1).map(() => '')], note: '', heading: true };
  }
  const [first = '', ...values] = cellsOf(line, columns);
  const bar = first.indexOf('|');
  const [name, note] = bar < 0 ? [first, ''] : [first.slice(0, bar), first.slice(bar + 1)];
  const cells = columns.map(({ kind }, i) => {
    const text = short(i === 0 ? name : (values[i - 1] ?? ''));
    return kind === 'price' ? priceCell(text) : text;
  });
  return { cells, note: short(note), heading: false };
};

/**
 * Returns the rows of a text. A row whose line is unchanged stays as it is, also where a line cannot express it. Empty
 * lines are left out.
 * @param most largest number of rows
 */
export const rowsOf = (text: string, { columns, rows }: Pick<Table, 'columns' | 'rows'>, most: number): Row[] => {
  const known = new Map<string, Row[]>();
  for (const row of rows) {
    const line = lineOf(row, columns);
    known.set(line, [...(known.get(line) ?? []), row]);
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, most)
    .map((line) => known.get(line)?.shift() ?? rowOf(line, columns));
};
