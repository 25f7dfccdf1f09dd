import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bestOf, orderOf, rankOf, typed } from './rank.ts';

test('names that start with the query rank first, then names whose words do, then names that contain each word', () => {
  const cases: [name: string, text: string, rank: number | undefined][] = [
    ['window left', 'window', 0],
    ['window left', 'wind', 0],
    ['window left', 'left', 1],
    ['window left', 'left win', 1],
    ['summer_sale-2026.jpg', 'sale', 1],
    ['summer_sale-2026.jpg', '2026', 1],
    ['till (front)', 'front', 1],
    ['bookshop shop', 'shop', 1],
    ['bookshop', 'shop', 2],
    ['window left', 'left ow', 2],
    ['window left', 'left right', undefined],
    ['window', 'windows', undefined],
  ];
  for (const [name, text, rank] of cases) assert.equal(rankOf(name, typed(text)), rank, `${name} by ${text}`);
});

test('rank ignores spaces at both ends and repeated spaces between words', () => {
  assert.deepEqual(typed('  a   b '), { text: 'a b', words: ['a', 'b'] });
});

test('numbers in names are sorted by value', () => {
  const names = ['till 10', 'till 2 b', 'till 2 a', 'till 1'];
  const all = names.map((text) => ({ id: text, text, order: orderOf(text) }));
  assert.deepEqual(
    bestOf(all, typed('till'), 9).best.map(({ id }) => id),
    ['till 1', 'till 2 a', 'till 2 b', 'till 10'],
  );
});

test('bestOf returns the first entries of a full sort by rank and name', () => {
  const word = fc.stringMatching(/^[ab -]{0,6}$/);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), word, fc.integer({ min: 1, max: 10 }), (texts, q, limit) => {
      const all = texts.map((text, i) => ({ id: String(i).padStart(3, '0'), text, order: orderOf(text) }));
      const wanted = typed(q);
      const sorted = all
        .filter(({ text }) => rankOf(text, wanted) !== undefined)
        .toSorted(
          (a, b) =>
            rankOf(a.text, wanted)! - rankOf(b.text, wanted)! ||
            (a.text < b.text ? -1 : a.text > b.text ? 1 : a.id < b.id ? -1 : 1),
        );
      assert.deepEqual(bestOf(all, wanted, limit), { best: sorted.slice(0, limit), total: sorted.length });
    }),
  );
});
