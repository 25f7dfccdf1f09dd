import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categoriesFromTable, categoriesIn } from './directory.utils.ts';

const entry = (identifier: string, name: string, subtitle = '') => ({ identifier, name, subtitle, available: true });

test('rows from a spreadsheet become categories in the order of their first row', () => {
  assert.deepEqual(
    categoriesFromTable('Floor 1\t101\tDr. Brunner\tDentist\nFloor 2\t201\tLaw office\nFloor 1\t102\tOptician\r\n\n'),
    [
      { name: 'Floor 1', entries: [entry('101', 'Dr. Brunner', 'Dentist'), entry('102', 'Optician')] },
      { name: 'Floor 2', entries: [entry('201', 'Law office')] },
    ],
  );
});

test('table with two columns has no categories, and a table with one column has only names', () => {
  assert.deepEqual(categoriesFromTable('101;"Brunner, Ines"\n102;Optician'), [
    { name: '', entries: [entry('101', 'Brunner, Ines'), entry('102', 'Optician')] },
  ]);
  assert.deepEqual(categoriesFromTable('Brunner\nOptician'), [
    { name: '', entries: [entry('', 'Brunner'), entry('', 'Optician')] },
  ]);
  assert.deepEqual(categoriesFromTable(' \n'), []);
});

test('stored values of an unexpected shape are read without an error', () => {
  assert.deepEqual(categoriesIn({ categories: [{ entries: [{ name: 'A', available: false }, 'x'] }, null] }), [
    { name: '', entries: [{ identifier: '', name: 'A', subtitle: '', available: false }] },
  ]);
  assert.deepEqual(categoriesIn({ categories: 'none' }), []);
});
