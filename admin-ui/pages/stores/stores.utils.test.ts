import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, isNarrowed, numberShown } from './stores.utils.ts';

test('invalid values in the address are ignored, and stores with the worst problems come first', () => {
  assert.deepEqual(filterOf({ q: '  ', line: 'sideways', trouble: 'rain', place: 'some', order: 'colour' }), {
    q: undefined,
    region: undefined,
    tag: undefined,
    line: undefined,
    trouble: undefined,
    place: undefined,
    order: 'worst',
  });
  assert.equal(filterOf({ trouble: 'any' }).trouble, 'any');
  assert.equal(filterOf({ order: 'name' }).order, 'name');
  assert.ok(!isNarrowed(filterOf({ order: 'name' })));
  assert.ok(isNarrowed(filterOf({ line: 'left' })));
});

test('key number is marked as selected when the list shows exactly its stores', () => {
  const shown = (search: Parameters<typeof filterOf>[0]) => numberShown(filterOf(search));
  assert.deepEqual(
    [{}, { line: 'down' }, { line: 'left' }, { trouble: 'any' }, { trouble: 'screens_dark' }].map(shown),
    ['all', 'down', undefined, 'any', 'dark'],
  );
  assert.deepEqual(
    [{ q: 'Köln' }, { line: 'up', region: 'West' }, { line: 'up', trouble: 'any' }, { trouble: 'disk_low' }].map(shown),
    [undefined, undefined, undefined, undefined],
  );
});
