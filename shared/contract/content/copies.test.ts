import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfCopy } from './copies.ts';

const of = (name: string, taken: readonly string[] = [], language?: 'en' | 'de') =>
  nameOfCopy(name, { language, isTaken: (one) => taken.includes(one) });

test('copy gets the name of its original plus a word in the language of the person', () => {
  assert.equal(of('Offers'), 'Offers (copy)');
  assert.equal(of('Offers', [], 'de'), 'Offers (Kopie)');
});

test('copy gets the first free number when its name is taken', () => {
  assert.equal(of('Offers', ['Offers (copy)']), 'Offers (copy 2)');
  assert.equal(of('Offers', ['Offers (copy)', 'Offers (copy 2)']), 'Offers (copy 3)');
});

test('copy of a copy gets the next number in either language', () => {
  assert.equal(of('Offers (copy)', ['Offers (copy)']), 'Offers (copy 2)');
  assert.equal(of('Offers (Kopie 2)', ['Offers (Kopie 2)']), 'Offers (copy)');
  assert.equal(of('(copy)'), '(copy) (copy)');
});

test('copy of a long name has at most 200 characters', () => {
  assert.equal(of('x'.repeat(200)), `${'x'.repeat(190)} (copy)`);
  const taken = new Set(Array.from({ length: 12_000 }, (_, n) => `${'x'.repeat(190)} (Kopie${n ? ` ${n + 1}` : ''})`));
  const name = nameOfCopy('x'.repeat(200), { language: 'de', isTaken: (one) => taken.has(one) });
  assert.ok(name.length <= 200 && !taken.has(name), name);
});
