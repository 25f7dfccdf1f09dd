import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfCopy } from './copies.ts';

const of = (name: string, taken: readonly string[] = [], language?: 'en' | 'de') =>
  nameOfCopy(name, { language, isTaken: (one) => taken.includes(one) });

test('a copy is named after its original, in the language of the person', () => {
  assert.equal(of('Offers'), 'Offers (copy)');
  assert.equal(of('Offers', [], 'de'), 'Offers (Kopie)');
});

test('a copy gets the first free number when its name is taken', () => {
  assert.equal(of('Offers', ['Offers (copy)']), 'Offers (copy 2)');
  assert.equal(of('Offers', ['Offers (copy)', 'Offers (copy 2)']), 'Offers (copy 3)');
});

test('the copy of a copy is counted on, in either language', () => {
  assert.equal(of('Offers (copy)', ['Offers (copy)']), 'Offers (copy 2)');
  assert.equal(of('Offers (Kopie 2)', ['Offers (Kopie 2)']), 'Offers (copy)');
  assert.equal(of('(copy)'), '(copy) (copy)');
});

test('a copy of a long name has at most 200 characters', () => {
  assert.equal(of('x'.repeat(200)), `${'x'.repeat(190)} (copy)`);
  const taken = new Set(Array.from({ length: 12_000 }, (_, n) => `${'x'.repeat(190)} (Kopie${n ? ` ${n + 1}` : ''})`));
  const name = nameOfCopy('x'.repeat(200), { language: 'de', isTaken: (one) => taken.has(one) });
  assert.ok(name.length <= 200 && !taken.has(name), name);
});
