import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPastedTable } from './tablePaste.ts';

/** Returns the rows as short text: `name|note|price|price`, headings with `# ` before them. */
const rowsOf = (text: string): string[] =>
  readPastedTable(text).rows.map(({ name, note, prices, heading }) =>
    heading ? `# ${name}` : [name, note, ...prices].join('|'),
  );

const ONE_LINE: readonly (readonly [line: string, row: string])[] = [
  ['Wiener Schnitzel … 14,50', 'Wiener Schnitzel||14,50'],
  ['Wiener Schnitzel...14.50', 'Wiener Schnitzel||14.50'],
  ['Wiener Schnitzel ........ 14,50 €', 'Wiener Schnitzel||14,50'],
  ['Tomato soup 6.50', 'Tomato soup||6.50'],
  ['Tomato soup 6.5', 'Tomato soup||6.5'],
  ['Tomato soup $6.50', 'Tomato soup||6.50'],
  ['Tomato soup - 9,50 €', 'Tomato soup||9,50'],
  ['Tomato soup – 9,50€', 'Tomato soup||9,50'],
  ['Tomato soup: £9.50', 'Tomato soup||9.50'],
  ['Tomato soup - 12', 'Tomato soup||12'],
  ['Tomato soup € 12', 'Tomato soup||12'],
  ['Tomato soup EUR 12,00', 'Tomato soup||12,00'],
  ['Tomato soup 12,00 EUR', 'Tomato soup||12,00'],
  ['Käsespätzle CHF 19.50', 'Käsespätzle||19.50'],
  ['Käsespätzle Fr. 19.50', 'Käsespätzle||19.50'],
  ['Käsespätzle 9,–', 'Käsespätzle||9'],
  ['Käsespätzle 9,- €', 'Käsespätzle||9'],
  ['Pierogi 24 zł', 'Pierogi||24'],
  ['Fernseher 55" 1.234,50 €', 'Fernseher 55"||1234,50'],
  ['Television $1,234.50', 'Television||1234.50'],
  ['Sofa 1.299 €', 'Sofa||1299'],
  ["Sofa CHF 1'299.00", 'Sofa||1299.00'],
  ['Bier 0,5 l 4,20', 'Bier 0,5 l||4,20'],
  ['Pizza 4 Jahreszeiten 11,90', 'Pizza 4 Jahreszeiten||11,90'],
  ['12 Pad Thai 9.50', '12 Pad Thai||9.50'],
  ['• Soup 4.50', 'Soup||4.50'],
  ['- Soup 4.50', 'Soup||4.50'],
  ['Schnitzel (A, C, G) 14,50', 'Schnitzel (A, C, G)||14,50'],
  ['Soup, bread and butter 4.50', 'Soup, bread and butter||4.50'],
  ['Soup\u00a09,50\u00a0€', 'Soup||9,50'],
  ['Äpfel 2,99 €/kg', 'Äpfel||2,99 €/kg'],
  ['Apples 2.99 per kg', 'Apples||2.99 per kg'],
  ['Soup\t6.50', 'Soup||6.50'],
  ['Soup\t12', 'Soup||12'],
  ['Soup\twith bread\t6.50', 'Soup|with bread|6.50'],
  ['Name; note; 9,50', 'Name|note|9,50'],
  ['Name;9,50 €', 'Name||9,50'],
  ['Name | 9,50', 'Name||9,50'],
  ['Cola\t2,90\t3,90', 'Cola||2,90|3,90'],
  ['"Soup ""Royal"""\t6.50', 'Soup "Royal"||6.50'],
  ['"Soup\nof the day"\t6.50', 'Soup of the day||6.50'],
  ['Opens at 10:30', 'Opens at 10:30|'],
  ['Until 24.12.2026', 'Until 24.12.2026|'],
  ['10:30', '10:30|'],
  ['Tomato soup', 'Tomato soup|'],
];

for (const [line, row] of ONE_LINE)
  test(`pasted line ${JSON.stringify(line)} becomes the row ${row}`, () => assert.deepEqual(rowsOf(line), [row]));

test('line without price between lines with prices becomes a heading', () => {
  assert.deepEqual(rowsOf('Starters\nSoup 4.50\n\nMAIN COURSES:\nSchnitzel 14.50\n# Desserts\nCake 3.90'), [
    '# Starters',
    'Soup||4.50',
    '# MAIN COURSES',
    'Schnitzel||14.50',
    '# Desserts',
    'Cake||3.90',
  ]);
});

test('line that begins with a small letter, a bracket or spaces becomes the note of the dish above', () => {
  assert.deepEqual(
    rowsOf('Wiener Schnitzel 14,50\nmit Kartoffelsalat\nSuppe 4,50\n(vegan)\nTofu 9,00\n  Reis und Gemüse'),
    ['Wiener Schnitzel|mit Kartoffelsalat|14,50', 'Suppe|vegan|4,50', 'Tofu|Reis und Gemüse|9,00'],
  );
});

test('bare number at the end of a line is a price if most lines end with a number', () => {
  assert.deepEqual(rowsOf('Soup 6\nSteak 24.50\nCake 5'), ['Soup||6', 'Steak||24.50', 'Cake||5']);
  assert.deepEqual(rowsOf('Room 12\nKitchen\nOffice of the manager'), [
    'Room 12|',
    'Kitchen|',
    'Office of the manager|',
  ]);
});

test('lines without any price become ordinary rows', () => {
  assert.deepEqual(rowsOf('Anna\nBen\nClara'), ['Anna|', 'Ben|', 'Clara|']);
});

test('cells of a line with separators are kept in order', () => {
  assert.deepEqual(readPastedTable('08:00\tYoga\tRoom 2').rows[0]!.cells, ['08:00', 'Yoga', 'Room 2']);
});

test('currency is read when all prices have the same currency', () => {
  assert.equal(readPastedTable('Soup 4,50 €\nCake € 3').currency, 'EUR');
  assert.equal(readPastedTable('Soup CHF 4.50\nCake 3.00').currency, 'CHF');
  assert.equal(readPastedTable('Soup 4,50 €\nCake £3').currency, undefined);
  assert.equal(readPastedTable('Soup 4,50').currency, undefined);
});

test('empty text has no rows', () => assert.deepEqual(readPastedTable(' \n\t\n').rows, []));

test('200 lines are read in less than 200 ms', () => {
  const lines = Array.from({ length: 200 }, (_, i) => `Dish ${i} ${'.'.repeat(180)} ${i},50 €`).join('\n');
  const begin = performance.now();
  assert.equal(readPastedTable(lines).rows.length, 200);
  assert.ok(performance.now() - begin < 200);
});
