import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityEntry } from '../../../shared/contract/activity.ts';
import { byDay, nounOf, piecesOf, placeholders, sentenceKey } from './activity.utils.ts';

test('names stand out in a sentence and are never read as markup', () => {
  const { who, what } = placeholders;
  assert.deepEqual(piecesOf(`${who} published ${what}`, { who: 'Ines', what: '<b>Till</b> {{who}}', screen: '' }), [
    { text: 'Ines', name: true },
    { text: ' published ', name: false },
    { text: '<b>Till</b> {{who}}', name: true },
  ]);
});

test('entries of one day stand together in their order', () => {
  const at = (created_at: number) => ({ created_at }) as ActivityEntry;
  const days = byDay([at(30), at(21), at(9)], (t) => String(Math.floor(t / 10)));
  assert.deepEqual(
    days.map((d) => [d.day, d.entries.length]),
    [
      ['3', 1],
      ['2', 1],
      ['0', 1],
    ],
  );
});

test('an action has the key of its sentence and a picture, also one that this window does not know', () => {
  assert.equal(sentenceKey('user.sign_in_failed'), 'user_sign_in_failed');
  assert.equal(nounOf('user.sign_in_failed'), 'problem');
  assert.equal(nounOf('something.new'), 'screen');
});
