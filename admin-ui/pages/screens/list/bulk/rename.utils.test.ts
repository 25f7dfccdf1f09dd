import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countsOrNames, nameBy, renamed } from './rename.utils.ts';

test('pattern counts with the given number of digits and can contain the present name', () => {
  assert.equal(nameBy('Window {n}', 'x', 7), 'Window 7');
  assert.equal(nameBy('W{nnn} {name}', 'Till', 7), 'W007 Till');
  assert.equal(nameBy('{nn}', 'x', 123), '123');
  assert.equal(nameBy(' {who} {n} ', 'x', 1), '{who} 1');
  assert.equal(nameBy('{name}', '{n}', 1), '{n}', 'a name is no pattern');
  assert.deepEqual([countsOrNames('Window'), countsOrNames('A {n}'), countsOrNames('{name}!')], [false, true, true]);
});

test('screens are numbered in the natural order of their names', () => {
  const screens = ['Screen 10', 'screen 2', 'Bar'].map((name) => ({ id: name, name }));
  assert.deepEqual(
    [...renamed(screens, { pattern: 'W {n}', first: 5, locale: 'en' })],
    [
      ['Bar', 'W 5'],
      ['screen 2', 'W 6'],
      ['Screen 10', 'W 7'],
    ],
  );
});

test('names from a pattern with a number are unique', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 0, max: 9999 }), (names, first) => {
      const screens = names.map((name) => ({ id: name, name }));
      const made = renamed(screens, { pattern: 'S{nn}', first, locale: 'de' });
      assert.equal(new Set(made.values()).size, names.length);
      assert.equal(made.size, names.length);
    }),
  );
});
