import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Filter,
  filterKinds,
  filtersFrom,
  fromSaved,
  membersOf,
  textOf,
  toggled,
  toSaved,
} from './filters.utils.ts';

const filter = fc.record(
  { kind: fc.constantFrom(...filterKinds), id: fc.string({ minLength: 1 }) },
  { noNullPrototype: true },
);
const chosen = fc.array(filter).map((all) => all.reduce<Filter[]>(toggled, []));

test('filters are unchanged after being written to the address and read again', () => {
  fc.assert(fc.property(chosen, (filters) => assert.deepEqual(filtersFrom(textOf(filters)), filters)));
  assert.deepEqual(filtersFrom('nonsense,tag:,content:a,planet:b,tag:%E0%A4%A'), [{ kind: 'content', id: 'a' }]);
  assert.equal(textOf([]), undefined);
});

test('filter replaces another filter of its kind, except contents, and a repeated choice removes it', () => {
  const [a, b]: Filter[] = [
    { kind: 'content', id: 'a' },
    { kind: 'content', id: 'b' },
  ] as [Filter, Filter];
  const tags = ['x', 'y'].map((id): Filter => ({ kind: 'tag', id }));
  const all = [a, b, ...tags].reduce<Filter[]>(toggled, []);
  assert.deepEqual(all, [a, b, tags[1]]);
  assert.deepEqual(membersOf(all), { content_id: 'a,b', tag: 'y' });
  assert.deepEqual(toggled(all, a), [b, tags[1]]);
  assert.deepEqual(toSaved(all), { content_id: ['a', 'b'], tag: 'y' });
  assert.deepEqual(fromSaved(toSaved(all)), all);
});
