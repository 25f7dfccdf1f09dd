import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collate } from '../kernel/collate.ts';
import { fold, orderKey } from './fold.ts';

test('fold turns text into lower case without accents', () => {
  assert.deepEqual(['Über', 'ÉTÉ', 'Kasse 2', null].map(fold), ['uber', 'ete', 'kasse 2', '']);
});

test('names sort alike in SQL and in memory, with Über before Zoo and Till 2 before Till 10', () => {
  const sorted = ['Äpfel', 'apricots', 'Öffnungszeiten', 'Till 2', 'till 02b', 'TILL 10', 'Über uns', 'Zoo', 'Zoo 1'];
  const mixed = [...sorted].reverse();
  const byKey = [...mixed].sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
  assert.deepEqual(byKey, sorted);
  assert.deepEqual([...mixed].sort(collate), sorted);
});
