import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mistakeIn, rowsOf, tableIn, valuesIn } from './values.utils.ts';

test('values become rows sorted by name, and empty rows are not read back', () => {
  const rows = rowsOf({ price: '3', phone: '112' });
  assert.deepEqual(rows, [
    { name: 'phone', text: '112' },
    { name: 'price', text: '3' },
  ]);
  assert.deepEqual(valuesIn([...rows, { name: ' size ', text: ' XL ' }, { name: 'none', text: ' ' }]), {
    phone: '112',
    price: '3',
    size: 'XL',
  });
});

test('table is read as UTF-8, otherwise as Windows-1252', () => {
  const bytes = (...all: number[]) => new Uint8Array(all).buffer;
  assert.equal(tableIn(bytes(0xc3, 0xa4)), 'ä');
  assert.equal(tableIn(bytes(0xe4, 0x80)), 'ä€');
});

test('row needs a valid and unique name unless the row is empty', () => {
  const rows = ['price', 'pri-ce', '', '', ' price'].map((name, i) => ({ name, text: i === 3 ? '' : 'x' }));
  assert.deepEqual(
    rows.map((_, at) => mistakeIn(rows, at)),
    [undefined, 'name', 'name', undefined, 'twice'],
  );
});
