import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, dayOf, formatDate, parseDate, weekdayOf } from '../../../shared/program/civil.ts';
import { createSeries } from '../../../shared/program/series.ts';
import { EVERY_DAY, meantBy, newWhen, type Times, timesOf, type When, whenOf, withFirst } from './when.utils.ts';

const MONDAY = parseDate('2026-11-30');
const campaign = (change: Partial<When> = {}): When => ({
  ...newWhen(MONDAY),
  allDay: false,
  ending: { kind: 'date', date: '2026-12-11' },
  ...change,
});
const stored = (when: When): Times => {
  const said = timesOf(when);
  if ('mistake' in said) assert.fail(said.mistake);
  return said.times;
};
const times = (start: string, end: string, recurrence: string | null = null, until: string | null = null): Times => ({
  start_time: `${start}:00`,
  end_time: `${end}:00`,
  recurrence,
  recurrence_end: until,
});

const MON_FRI = [1, 2, 3, 4, 5];
const compiled: [what: string, when: When, times: Times][] = [
  [
    'one day’s hours',
    campaign({ ending: { kind: 'date', date: '2026-11-30' } }),
    times('2026-11-30T09:00', '2026-11-30T18:00'),
  ],
  ['one whole day', newWhen(MONDAY), times('2026-11-30T00:00', '2026-12-01T00:00')],
  [
    'hours over midnight',
    campaign({ from: '22:00', to: '06:00', ending: { kind: 'date', date: '2026-11-30' } }),
    times('2026-11-30T22:00', '2026-12-01T06:00'),
  ],
  ['hours of each day', campaign(), times('2026-11-30T09:00', '2026-11-30T18:00', 'FREQ=DAILY', '2026-12-11')],
  [
    'hours of weekdays',
    campaign({ days: MON_FRI }),
    times('2026-11-30T09:00', '2026-11-30T18:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2026-12-11'),
  ],
  ['several whole days, as one', campaign({ allDay: true }), times('2026-11-30T00:00', '2026-12-12T00:00')],
  [
    'whole weekdays',
    campaign({ allDay: true, days: [6, 0] }),
    times('2026-12-05T00:00', '2026-12-06T00:00', 'FREQ=WEEKLY;BYDAY=SU,SA', '2026-12-11'),
  ],
  [
    'without an end',
    campaign({ ending: { kind: 'never' } }),
    times('2026-11-30T09:00', '2026-11-30T18:00', 'FREQ=DAILY'),
  ],
  [
    'so many times',
    campaign({ days: [5], ending: { kind: 'count', count: 3 } }),
    times('2026-12-04T09:00', '2026-12-04T18:00', 'FREQ=WEEKLY;BYDAY=FR;COUNT=3'),
  ],
  ['one stretch', campaign({ rhythm: 'through' }), times('2026-11-30T09:00', '2026-12-11T18:00')],
  [
    'every second week',
    campaign({ rhythm: 'everyWeeks', interval: 2, days: [1, 3] }),
    times('2026-11-30T09:00', '2026-11-30T18:00', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE', '2026-12-11'),
  ],
  [
    'the last Monday of each month',
    campaign({ rhythm: 'monthly', monthly: 'last' }),
    times('2026-11-30T09:00', '2026-11-30T18:00', 'FREQ=MONTHLY;BYDAY=-1MO', '2026-12-11'),
  ],
  [
    'the last working day of each month, from a day on which the month has none left',
    campaign({ first: '2027-01-30', rhythm: 'monthly', monthly: 'lastWorking', ending: { kind: 'never' } }),
    times('2027-02-26T09:00', '2027-02-26T18:00', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'),
  ],
  [
    'the first working day of every second month',
    campaign({ rhythm: 'monthly', interval: 2, monthly: 'firstWorking', ending: { kind: 'count', count: 3 } }),
    times('2026-12-01T09:00', '2026-12-01T18:00', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3'),
  ],
];
for (const [what, when, expected] of compiled) {
  test(`plan with the repetition “${what}” is stored and read into the form again`, () => {
    assert.deepEqual(stored(when), expected);
    assert.deepEqual(stored(whenOf(expected)), expected);
  });
}

for (const [recurrence, end] of [
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', '2026-11-30T10:00'],
  ['FREQ=YEARLY;BYMONTH=12', '2026-11-30T10:00'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', '2026-11-30T10:00'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU', '2026-11-30T10:00'],
  ['FREQ=DAILY;UNTIL=20261231T120000Z', '2026-11-30T10:00'],
  ['FREQ=WEEKLY;BYDAY=MO', '2026-12-03T10:00'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2', '2026-11-30T10:00'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1', '2026-11-30T10:00'],
  ['what nobody can read', '2026-11-30T10:00'],
] as const) {
  test(`form cannot express the rule ${recurrence} with the first end ${end}, and stores it unchanged`, () => {
    const made = times('2026-11-30T09:00', end, recurrence);
    assert.equal(whenOf(made).rhythm, 'custom');
    assert.deepEqual(stored(whenOf(made)), made);
  });
}

test('form keeps the seconds of a start time that an API client has stored', () => {
  const made = { ...times('2026-11-30T09:00', '2026-11-30T18:00'), start_time: '2026-11-30T09:00:30' };
  assert.deepEqual(stored(whenOf(made)), made);
});

for (const [mistake, change] of [
  ['badFirst', { first: '' }],
  ['badLast', { ending: { kind: 'date', date: '2026-02-30' } }],
  ['badHours', { to: '' }],
  ['lastBeforeFirst', { ending: { kind: 'date', date: '2026-11-29' } }],
  ['noDays', { days: [] }],
  ['noDayBetween', { days: [0], ending: { kind: 'date', date: '2026-12-02' } }],
  ['endBeforeStart', { rhythm: 'through', ending: { kind: 'date', date: '2026-11-30' }, from: '10:00', to: '09:00' }],
] as const satisfies [string, Partial<When>][]) {
  test(`form reports the mistake ${mistake}`, () => assert.deepEqual(timesOf(campaign(change)), { mistake }));
}

test('plan whose occurrences overlap is corrected to the same hours of each day until its last day', () => {
  const mistaken = times('2026-11-30T09:00', '2026-12-11T18:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR');
  const meant = meantBy(whenOf(mistaken));
  assert.ok(meant);
  assert.deepEqual(stored(meant), stored(campaign({ days: MON_FRI })));
  assert.equal(meantBy(campaign()), null);
});

test('change of the first day moves the last day by the same number of days', () => {
  assert.deepEqual(withFirst(campaign(), '2026-12-01').ending, { kind: 'date', date: '2026-12-12' });
  assert.deepEqual(withFirst(campaign(), '').ending, campaign().ending);
});

test('plan occurs on each chosen weekday from the first day to the last, and on no other', () => {
  const minutes = fc.integer({ min: 0, max: 1439 });
  const clock = (m: number) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 1, max: 60 }),
      fc.uniqueArray(fc.constantFrom(...EVERY_DAY), { minLength: 1, maxLength: 7 }),
      minutes,
      minutes,
      (shift, length, days, from, to) => {
        const [first, last] = [MONDAY + shift, MONDAY + shift + length];
        const wanted = Array.from({ length: length + 1 }, (_, i) => first + i).filter((day) =>
          days.includes(weekdayOf(day)),
        );
        const said = timesOf({
          ...newWhen(first),
          allDay: false,
          from: clock(from),
          to: clock(to),
          days,
          ending: { kind: 'date', date: formatDate(last) },
        });
        if ('mistake' in said) return assert.deepEqual([said.mistake, wanted], ['noDayBetween', []]);
        const { start_time: start, end_time: end, ...rule } = said.times;
        const series = createSeries({ start, end, timezone: 'UTC', ...rule });
        const found = [...series.occurrences(first * DAY_MS, (last + 3) * DAY_MS)];
        assert.deepEqual(
          found.map((o) => dayOf(o.start)),
          wanted,
        );
        const hours = (to > from ? to - from : to - from + 1440) * 60_000;
        assert.ok(found.every((o) => o.end - o.start === hours));
      },
    ),
  );
});
