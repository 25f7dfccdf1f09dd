import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ROWS, TableElement } from '../../../../shared/design/elements.ts';
import {
  isTableText,
  type Row,
  withCell,
  withMovedRow,
  withNewColumn,
  withNewRow,
  withoutColumn,
  withPasted,
} from './tableEdits.ts';

const PLACE = { horizontal: 'center', vertical: 'middle', dx: 0, dy: 0, width: 900, height: 600 } as const;
const table = (rows: readonly (readonly string[])[], kinds: readonly ('text' | 'price')[] = ['text', 'price']) =>
  TableElement.parse({
    ...{ type: 'table', id: 'menu', place: PLACE, size: 40 },
    columns: kinds.map((kind) => ({ title: '', align: 'start', weight: 1, kind })),
    rows: rows.map((cells) => ({ cells })),
  });
const cellsOf = (rows: readonly Row[]): string[] => rows.map(({ cells }) => cells.join('|'));

const MENU = 'Soup … 4,50 €\nSchnitzel … 14,50 €';

test('pasted lines become rows after the row with the cursor', () => {
  const { rows, added } = withPasted(
    table([
      ['Salad', '5'],
      ['Cake', '3'],
    ]),
    MENU,
    0,
    false,
  );
  assert.deepEqual(cellsOf(rows), ['Salad|5', 'Soup|4,50', 'Schnitzel|14,50', 'Cake|3']);
  assert.equal(added, 2);
});

test('pasted lines replace an empty row', () => {
  const { rows } = withPasted(
    table([
      ['Salad', '5'],
      ['', ''],
    ]),
    MENU,
    1,
    false,
  );
  assert.deepEqual(cellsOf(rows), ['Salad|5', 'Soup|4,50', 'Schnitzel|14,50']);
});

test('pasted lines replace all rows of a table of examples', () => {
  assert.deepEqual(cellsOf(withPasted(table([['Dish 1', '1']]), MENU, 0, true).rows), ['Soup|4,50', 'Schnitzel|14,50']);
});

test('pasted lines with two prices add a price column', () => {
  const { columns, rows } = withPasted(table([]), 'Cola\t2,90\t3,90', -1, false);
  assert.deepEqual(
    columns.map(({ kind }) => kind),
    ['text', 'price', 'price'],
  );
  assert.deepEqual(cellsOf(rows), ['Cola|2,90|3,90']);
});

test('pasted cells stand in the order of the columns when the table has several columns of text', () => {
  const { rows } = withPasted(table([], ['text', 'text', 'price']), 'Riesling; 2023; 9,50', -1, false);
  assert.deepEqual(cellsOf(rows), ['Riesling|2023|9,50']);
});

test('pasted text between name and price becomes the note when the table has one column of text', () => {
  const { rows } = withPasted(table([]), 'Riesling; dry; 9,50', -1, false);
  assert.deepEqual(rows, [{ cells: ['Riesling', '9,50'], heading: false, note: 'dry' }]);
});

test('pasted cells without prices make columns of text of a table of examples', () => {
  const { columns, rows } = withPasted(
    table([['Dish 1', '1']]),
    '08:00\tYoga\tRoom 2\n09:00\tPilates\tRoom 1',
    0,
    true,
  );
  assert.deepEqual(
    columns.map(({ kind }) => kind),
    ['text', 'text', 'text'],
  );
  assert.deepEqual(cellsOf(rows), ['08:00|Yoga|Room 2', '09:00|Pilates|Room 1']);
});

test('pasted currency becomes the currency of the table, except dollars in a table of other dollars', () => {
  assert.equal(withPasted(table([]), 'Soup CHF 4.50', -1, false).currency, 'CHF');
  assert.equal(withPasted({ ...table([]), currency: 'CAD' }, 'Soup $4.50', -1, false).currency, 'CAD');
  assert.equal(withPasted(table([]), 'Soup 4.50', -1, false).currency, 'EUR');
});

test('pasted lines beyond the limit of rows are left out and counted', () => {
  const lines = Array.from({ length: MAX_ROWS + 7 }, (_, i) => `Dish ${i} … 1.00`).join('\n');
  const pasted = withPasted(table([['Salad'], ['Cake']]), lines, 0, false);
  assert.equal(pasted.rows.length, MAX_ROWS);
  assert.equal(pasted.leftOut, 9);
});

test('every pasted table is a valid element, whatever is pasted', () => {
  for (const text of [
    MENU,
    'x'.repeat(900),
    'a\tb\tc\td\te\tf\tg\th\ti\tj',
    'Cola\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10',
    '\u0000',
  ])
    for (const isSample of [true, false]) {
      const { added: _, leftOut: __, ...fields } = withPasted(table([['Salad', '5']]), text, 0, isSample);
      assert.ok(TableElement.safeParse({ ...table([]), ...fields }).success, JSON.stringify(text.slice(0, 40)));
    }
});

test('text becomes rows if it has several lines, or a price in an empty row', () => {
  const [full, empty] = table([['Salad', '5'], ['']]).rows;
  assert.equal(isTableText('Soup', empty), false);
  assert.equal(isTableText('Soup 4.50', empty), true);
  assert.equal(isTableText('Soup 4.50', full), false);
  assert.equal(isTableText('Soup\nCake', full), true);
});

test('cell beyond the cells of a row is added', () => {
  assert.deepEqual(cellsOf(withCell(table([['Soup']]).rows, 0, 2, 'x')), ['Soup||x']);
});

test('moved row keeps the order of the other rows', () => {
  const { rows } = table([['a'], ['b'], ['c']]);
  assert.deepEqual(cellsOf(withMovedRow(rows, 0, 2)), ['b', 'c', 'a']);
  assert.deepEqual(cellsOf(withMovedRow(rows, 2, 0)), ['c', 'a', 'b']);
});

test('full table gets no further row and no further column', () => {
  const { rows } = table(Array.from({ length: MAX_ROWS }, () => ['x']));
  assert.equal(withNewRow(rows, 0).length, MAX_ROWS);
  const columns = table(
    [],
    Array.from({ length: 8 }, () => 'text' as const),
  ).columns;
  assert.equal(withNewColumn(columns, 'price').length, 8);
});

test('removed column takes its cells along, and the last column stays', () => {
  const { rows, columns } = withoutColumn(table([['Soup', '4.50']]), 0);
  assert.deepEqual(cellsOf(rows), ['4.50']);
  assert.equal(columns.length, 1);
  assert.equal(withoutColumn(table([['Soup']], ['text']), 0).columns.length, 1);
});
