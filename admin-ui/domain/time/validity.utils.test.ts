import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLocal } from '../../../shared/program/civil.ts';
import {
  bothValid,
  boundsInWords,
  endsBeforeItBegins,
  neverMeet,
  standingInWords,
  standingOf,
} from './validity.utils.ts';

const NOW = parseLocal('2026-11-23T15:00:00');
const standing = (valid_from: string | null, valid_until: string | null) =>
  standingOf({ valid_from, valid_until }, NOW)?.kind ?? null;

test('validity is reported if it is over, lies in the future or ends soon', () => {
  assert.equal(standing(null, null), null);
  assert.equal(standing('2026-11-01T00:00', '2026-12-24T18:00'), null);
  assert.equal(standing(null, '2026-11-23T15:00'), 'over');
  assert.equal(standing(null, '2026-11-23T15:01'), 'today');
  assert.equal(standing('2026-11-23T15:01', null), 'future');
  assert.equal(standing('2026-11-23T15:00', null), null);
  // A period that has ended counts as over, not as future.
  assert.equal(standing('2026-11-20T00:00', '2026-11-21T00:00'), 'over');
  assert.equal(standing('soon', 'later'), null);
});

test('remaining days of a validity are counted by the calendar, and midnight is the end of the day before', () => {
  const days = (valid_until: string) => {
    const found = standingOf({ valid_from: null, valid_until }, NOW);
    return found?.kind === 'soon' ? found.days : found?.kind;
  };
  assert.equal(days('2026-11-24T00:00'), 'today');
  assert.equal(days('2026-11-24T00:01'), 1);
  assert.equal(days('2026-11-30T15:00'), 7);
  assert.equal(days('2026-11-30T15:01'), undefined);
});

test('validity that ends at midnight ends today at 24:00', () => {
  const words = (valid_until: string) =>
    standingInWords(standingOf({ valid_from: null, valid_until }, NOW)!, {
      t: ((key: string, { time }: { time: string }) => `${key} ${time}`) as never,
      locale: 'de-DE',
    });
  assert.equal(words('2026-11-24T00:00'), 'content.validity.today 24:00');
  assert.equal(words('2026-11-23T18:30'), 'content.validity.today 18:30');
});

test('item is valid while both the item and its content are valid', () => {
  const valid = (valid_from: string | null, valid_until: string | null) => ({ valid_from, valid_until });
  assert.deepEqual(bothValid(valid(null, '2026-11-24T00:00'), valid('2026-11-01T00:00', null)), {
    valid_from: '2026-11-01T00:00',
    valid_until: '2026-11-24T00:00',
  });
  assert.deepEqual(
    bothValid(valid('2026-11-02T00:00', '2026-11-24T00:00'), valid('2026-11-01T00:00', '2026-11-23T00:00')),
    valid('2026-11-02T00:00', '2026-11-23T00:00'),
  );
  assert.equal(endsBeforeItBegins(valid('2026-11-02T00:00', '2026-11-02T00:00')), true);
  assert.equal(endsBeforeItBegins(valid('2026-11-02T00:00', null)), false);
});

test('text of a validity names the year only if it is not the present year', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 23) });
  const words = (valid_from: string | null, valid_until: string | null) =>
    boundsInWords(
      { valid_from, valid_until },
      {
        t: ((key: string, { date }: { date: string }) => `${key.split('.').at(-1)} ${date}`) as never,
        locale: 'en-GB',
      },
    );
  assert.equal(words(null, null), '');
  assert.equal(words('2026-12-01T09:00', null), 'from 1 Dec, 09:00');
  assert.equal(words('2026-12-01T09:00', '2027-01-06T18:30'), 'from 1 Dec, 09:00 until 6 Jan 2027, 18:30');
  assert.equal(words(null, 'soon'), '');
});

test('validities that touch at one instant never overlap, and validities that share a minute do', () => {
  const until = { valid_from: null, valid_until: '2026-12-01T00:00' };
  const from = (valid_from: string) => ({ valid_from, valid_until: null });
  assert.equal(neverMeet(until, from('2026-12-01T00:00')), true);
  assert.equal(neverMeet(until, from('2026-11-30T23:59')), false);
  assert.equal(neverMeet(until, from('2027-01-01T00:00')), true);
});
