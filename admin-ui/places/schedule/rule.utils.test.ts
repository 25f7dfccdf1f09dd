import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../../shared/program/civil.ts';
import { once, repeatOf, ruleOf } from './rule.utils.ts';

// The third and last-but-one Friday of the month.
const friday = parseDate('2026-11-20');
const last = parseDate('2026-11-27');

for (const [recurrence, day] of [
  ['FREQ=DAILY', friday],
  ['FREQ=DAILY;INTERVAL=3', friday],
  ['FREQ=WEEKLY;BYDAY=MO,FR', friday],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=5', friday],
  ['FREQ=MONTHLY', friday],
  ['FREQ=MONTHLY;BYDAY=3FR', friday],
  ['FREQ=MONTHLY;BYDAY=-1FR', last],
  ['FREQ=YEARLY', friday],
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', friday],
  ['FREQ=WEEKLY;BYDAY=MO', friday],
] as const) {
  test(`${recurrence} is the same after it was in the form`, () => {
    assert.equal(ruleOf(repeatOf(recurrence, null, day), day).recurrence, recurrence);
  });
}

test('what the form cannot say is kept as it is', () => {
  assert.equal(repeatOf('FREQ=MONTHLY;BYMONTHDAY=1,15', null, friday).kind, 'custom');
  assert.equal(repeatOf('FREQ=YEARLY;BYMONTH=12', null, friday).kind, 'custom');
  assert.equal(
    repeatOf('FREQ=WEEKLY;BYDAY=MO', null, friday).kind,
    'custom',
    'a start that does not match its rule is no occurrence',
  );
});

test('until a date is the schedule’s own member, so many times is the rule’s', () => {
  const repeat = { ...once(friday), kind: 'weekly' as const };
  assert.deepEqual(ruleOf({ ...repeat, ending: { kind: 'date', date: '2026-12-24' } }, friday), {
    recurrence: 'FREQ=WEEKLY;BYDAY=FR',
    recurrence_end: '2026-12-24',
  });
  assert.deepEqual(ruleOf({ ...repeat, ending: { kind: 'count', count: 3 } }, friday), {
    recurrence: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3',
    recurrence_end: null,
  });
  assert.deepEqual(ruleOf({ ...once(friday), ending: { kind: 'date', date: '2026-12-24' } }, friday), {
    recurrence: null,
    recurrence_end: null,
  });
});

test('a weekly plan is always on the day it starts', () => {
  assert.equal(ruleOf({ ...once(friday), kind: 'weekly', days: [1] }, friday).recurrence, 'FREQ=WEEKLY;BYDAY=MO,FR');
});
