import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, formatLocal, parseLocal } from './civil.ts';
import { RecurrenceError } from './recurrence.ts';
import { createSeries, MOST_AT_ONCE, type Occurrence, overlapsTooMuch, type SeriesSpec, whyNever } from './series.ts';
import { toInstant, zoneOf } from './zones.ts';

const BERLIN = 'Europe/Berlin';
const spec = (from: Partial<SeriesSpec>): SeriesSpec => ({
  start: '2026-01-01T09:00:00',
  end: '2026-01-01T10:00:00',
  timezone: BERLIN,
  recurrence: null,
  recurrence_end: null,
  ...from,
});
const inZone = (timezone: string, text: string): number => toInstant(parseLocal(text), timezone);
const local = ({ start, end }: Occurrence, timezone = BERLIN): string =>
  [start, end].map((at) => formatLocal(zoneOf(timezone).toLocal(at)).slice(0, 16)).join(' – ');
const during = (from: Partial<SeriesSpec>, start: string, end: string): string[] => {
  const whole = spec(from);
  const found = createSeries(whole).occurrences(inZone(whole.timezone, start), inZone(whole.timezone, end));
  return [...found].map((occurrence) => local(occurrence, whole.timezone));
};

test('night from 22:00 to 06:00 ends at 06:00 also when the clocks change during the night', () => {
  const night = { start: '2020-01-01T22:00:00', end: '2020-01-02T06:00:00', recurrence: 'FREQ=DAILY' };
  assert.deepEqual(during(night, '2026-03-28T12:00', '2026-03-29T12:00'), ['2026-03-28T22:00 – 2026-03-29T06:00']);
  const [spring] = createSeries(spec(night)).occurrences(
    inZone(BERLIN, '2026-03-28T12:00'),
    inZone(BERLIN, '2026-03-29T12:00'),
  );
  const [autumn] = createSeries(spec(night)).occurrences(
    inZone(BERLIN, '2026-10-24T12:00'),
    inZone(BERLIN, '2026-10-25T12:00'),
  );
  assert.equal(spring && spring.end - spring.start, 7 * 3_600_000);
  assert.equal(autumn && autumn.end - autumn.start, 9 * 3_600_000);
});

test('occurrence that lasts many days is found from each of its days', () => {
  const fair = { start: '2019-05-01T08:00:00', end: '2019-05-11T20:00:00', recurrence: 'FREQ=YEARLY' };
  assert.deepEqual(during(fair, '2026-05-11T19:59', '2026-05-11T20:30'), ['2026-05-01T08:00 – 2026-05-11T20:00']);
  assert.deepEqual(during(fair, '2026-05-11T20:00', '2026-05-12T00:00'), []);
  assert.deepEqual(createSeries(spec(fair)).window(inZone(BERLIN, '2026-05-11T20:00')), {
    since: inZone(BERLIN, '2026-05-11T20:00'),
    until: inZone(BERLIN, '2027-05-01T08:00'),
    occurrence: null,
  });
});

test('recurrence_end is the last day on which an occurrence starts, and that occurrence runs to its end', () => {
  const night = {
    start: '2026-01-01T22:00:00',
    end: '2026-01-02T06:00:00',
    recurrence: 'FREQ=DAILY',
    recurrence_end: '2026-01-02',
  };
  assert.deepEqual(during(night, '2026-01-02T12:00', '2026-02-01T00:00'), ['2026-01-02T22:00 – 2026-01-03T06:00']);
});

test('COUNT counts only starts that match the rule', () => {
  assert.deepEqual(during({ recurrence: 'FREQ=WEEKLY;BYDAY=MO;COUNT=2' }, '2026-01-01T00:00', '2027-01-01T00:00'), [
    '2026-01-05T09:00 – 2026-01-05T10:00',
    '2026-01-12T09:00 – 2026-01-12T10:00',
  ]);
});

test('occurrence that starts exactly at UNTIL is included, for UNTIL as a date, a local time or an instant', () => {
  for (const until of ['20260103', '20260103T090000', '20260103T080000Z']) {
    assert.equal(
      during({ recurrence: `FREQ=DAILY;UNTIL=${until}` }, '2026-01-01T00:00', '2027-01-01T00:00').length,
      3,
      until,
    );
  }
  for (const until of ['20260102', '20260103T085959', '20260103T075959Z']) {
    assert.equal(
      during({ recurrence: `FREQ=DAILY;UNTIL=${until}` }, '2026-01-01T00:00', '2027-01-01T00:00').length,
      2,
      until,
    );
  }
});

test('occurrence whose times a clock change removes does not exist', () => {
  const early = { start: '2026-03-27T02:30:00', end: '2026-03-27T03:00:00', recurrence: 'FREQ=DAILY' };
  assert.deepEqual(during(early, '2026-03-28T00:00', '2026-03-31T00:00'), [
    '2026-03-28T02:30 – 2026-03-28T03:00',
    '2026-03-30T02:30 – 2026-03-30T03:00',
  ]);
  const hour = { ...early, start: '2026-03-27T02:00:00' };
  assert.deepEqual(during(hour, '2026-03-28T00:00', '2026-03-31T00:00'), [
    '2026-03-28T02:00 – 2026-03-28T03:00',
    '2026-03-30T02:00 – 2026-03-30T03:00',
  ]);
});

test('time ranges of a series have no gaps, also around a removed occurrence, in any order of calls', () => {
  const early = spec({ start: '2026-03-27T02:15:00', end: '2026-03-27T03:00:00', recurrence: 'FREQ=DAILY' });
  const oneByOne = createSeries(early);
  for (let at = inZone(BERLIN, '2026-03-28T00:00'); at < inZone(BERLIN, '2026-03-31T00:00'); ) {
    const { since, until } = createSeries(early).window(at);
    assert.deepEqual(createSeries(early).window(until - 1), createSeries(early).window(at));
    assert.deepEqual(oneByOne.window(at), createSeries(early).window(at));
    assert.equal(createSeries(early).window(until).since, until);
    assert.ok(since <= at);
    at = until;
  }
});

test('clocks set back over midnight do not hide an occurrence that began at the first of the two midnights', () => {
  // St John's, 7 November 2010: at 00:01 the clock was set back to 23:01 of the previous day.
  const series = createSeries(
    spec({
      timezone: 'America/St_Johns',
      start: '2010-11-01T00:00:00',
      end: '2010-11-01T00:30:00',
      recurrence: 'FREQ=DAILY',
    }),
  );
  const began = inZone('America/St_Johns', '2010-11-07T00:00');
  assert.deepEqual(series.window(began + 30 * 60_000).occurrence, { start: began, end: began + 90 * 60_000 });
});

test('occurrence that started last is active when several occurrences overlap', () => {
  const series = createSeries(
    spec({ start: '2026-01-01T09:00:00', end: '2026-01-02T12:00:00', recurrence: 'FREQ=DAILY' }),
  );
  assert.equal(series.window(inZone(BERLIN, '2026-01-05T08:59')).occurrence?.start, inZone(BERLIN, '2026-01-04T09:00'));
  assert.equal(series.window(inZone(BERLIN, '2026-01-05T09:00')).occurrence?.start, inZone(BERLIN, '2026-01-05T09:00'));
});

test('schedule without a rule has one occurrence, and a rule that never matches has none', () => {
  assert.deepEqual(during({}, '2000-01-01T00:00', '2100-01-01T00:00'), ['2026-01-01T09:00 – 2026-01-01T10:00']);
  const never = createSeries(spec({ recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5' }));
  assert.deepEqual(never.window(0), {
    since: Number.NEGATIVE_INFINITY,
    until: Number.POSITIVE_INFINITY,
    occurrence: null,
  });
});

test('whyNever returns the reason why a series never occurs', () => {
  const why = (from: Partial<SeriesSpec>) => whyNever(spec(from));
  assert.equal(why({}), null);
  assert.equal(why({ recurrence: 'FREQ=DAILY' }), null);
  assert.equal(why({ recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }), 'rule');
  assert.equal(why({ recurrence: 'FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31;UNTIL=20251231' }), 'rule');
  // The next 29 February after the start on 1 January 2026 is in 2028.
  const leapDay = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29';
  assert.equal(why({ recurrence: leapDay }), null);
  assert.equal(why({ recurrence: `${leapDay};UNTIL=20280228` }), 'until');
  assert.equal(why({ recurrence: `${leapDay};UNTIL=20280229` }), null);
  assert.equal(why({ recurrence: leapDay, recurrence_end: '2028-02-28' }), 'recurrence_end');
  assert.equal(why({ recurrence: leapDay, recurrence_end: '2028-02-29' }), null);
  assert.equal(why({ recurrence: `${leapDay};UNTIL=20280228`, recurrence_end: '2027-01-01' }), 'until');
  // The start is a Thursday at 09:00 in Berlin, 08:00 UTC.
  assert.equal(why({ recurrence: 'FREQ=WEEKLY;BYDAY=TH;UNTIL=20260101T075959Z' }), 'until');
  assert.equal(why({ recurrence: 'FREQ=WEEKLY;BYDAY=TH;UNTIL=20260101T080000Z' }), null);
  assert.equal(why({ recurrence: 'FREQ=WEEKLY;BYDAY=WE', recurrence_end: '2026-01-06' }), 'recurrence_end');
  assert.throws(() => why({ recurrence: 'FREQ=SECONDLY' }), RecurrenceError);
});

test('createSeries throws for an invalid rule, zone or date', () => {
  assert.throws(() => createSeries(spec({ recurrence: 'FREQ=SECONDLY' })), RecurrenceError);
  assert.throws(() => createSeries(spec({ timezone: 'Mars/Olympus' })), RangeError);
  assert.throws(() => createSeries(spec({ start: '2026-02-30T00:00:00' })), RangeError);
});

test('time range of a daily schedule that started in 1980 is computed in well under a millisecond', () => {
  const series = createSeries(
    spec({ start: '1980-01-01T09:00:00', end: '1980-01-01T10:00:00', recurrence: 'FREQ=DAILY;INTERVAL=3' }),
  );
  series.window(inZone(BERLIN, '2026-01-01T00:00'));
  const began = performance.now();
  for (let day = 0; day < 1_000; day++) series.window(inZone(BERLIN, '2026-01-01T00:00') + day * DAY_MS);
  assert.ok(performance.now() - began < 500);
});

const WEEK = [Date.UTC(2100, 5, 6), Date.UTC(2100, 5, 13)] as const;

/** Returns a schedule that begins with the year 2026. */
const newYear = (recurrence: string | null, end: string) => spec({ start: '2026-01-01T00:00:00', end, recurrence });

test('of a thousand occurrences that run at the same time, only those that started last are returned', () => {
  const told = [...createSeries(newYear('FREQ=DAILY', '2126-01-01T09:00:00')).occurrences(...WEEK)];
  const before = told.filter(({ start }) => start < WEEK[0]).length;
  assert.ok(before >= MOST_AT_ONCE && before <= MOST_AT_ONCE + 2, String(before));
  assert.ok(told.every(({ start }, i) => i === 0 || start > told[i - 1]!.start));
  assert.equal(told.at(-1)!.start, Date.UTC(2100, 5, 12, 22));
});

const overlapping: [rule: string | null, end: string, tooMuch: boolean][] = [
  [null, '2126-01-01T09:00:00', false],
  ['FREQ=DAILY', '2026-01-01T10:00:00', false],
  ['FREQ=DAILY', '2026-12-31T00:00:00', false],
  ['FREQ=DAILY', '2027-01-05T00:00:00', true],
  ['FREQ=DAILY;COUNT=20', '2126-01-01T00:00:00', false],
  ['FREQ=DAILY;COUNT=366', '2126-01-01T00:00:00', false],
  ['FREQ=DAILY;COUNT=400', '2126-01-01T00:00:00', true],
  ['FREQ=DAILY;UNTIL=20260110', '2126-01-01T00:00:00', false],
  ['FREQ=WEEKLY;BYDAY=MO', '2032-12-31T00:00:00', false],
  ['FREQ=WEEKLY;BYDAY=MO', '2033-03-01T00:00:00', true],
  ['FREQ=MONTHLY', '2028-01-01T00:00:00', false],
  ['FREQ=YEARLY', '2056-01-01T00:00:00', false],
  ['FREQ=YEARLY', '2126-01-01T00:00:00', false],
  ['FREQ=DAILY;INTERVAL=9', '2034-10-01T00:00:00', false],
  ['FREQ=YEARLY;INTERVAL=3;BYMONTH=6;BYDAY=MO,TU,WE,TH,FR,SA,SU', '2056-02-15T00:00:00', false],
  ['FREQ=YEARLY;INTERVAL=3;BYMONTH=6,7;BYDAY=MO,TU,WE,TH,FR,SA,SU', '2056-02-15T00:00:00', true],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '2126-01-01T00:00:00', false],
];
for (const [rule, end, tooMuch] of overlapping) {
  test(`occurrence to ${end.slice(0, 10)}, rule ${rule ?? 'none'}, ${tooMuch ? 'overlaps too often' : 'is accepted'}`, () => {
    assert.equal(overlapsTooMuch(newYear(rule, end)), tooMuch);
  });
}

const zone = fc.constantFrom(BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Cairo');
const rule = fc.constantFrom(
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=DAILY;COUNT=40',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;BYDAY=SA,SU',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU',
  'FREQ=MONTHLY;BYDAY=-1SU',
  'FREQ=MONTHLY;BYMONTHDAY=29,-1',
  'FREQ=YEARLY',
  'FREQ=WEEKLY;BYDAY=SU;COUNT=7',
  'FREQ=DAILY;UNTIL=20261024T230000Z',
);
// Quarter hours, mostly in nights and early mornings, when clocks change.
const quarter = fc.oneof(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 0, max: 95 })).map((n) => n * 15);

test('active occurrence and list of occurrences agree with rrule-temporal and Temporal through all clock changes', () => {
  fc.assert(
    fc.property(
      zone,
      rule,
      fc.integer({ min: 0, max: 700 }),
      quarter,
      fc.integer({ min: 1, max: 3 * 96 }),
      fc.array(fc.integer({ min: 0, max: 900 * 96 }), { minLength: 5, maxLength: 20 }),
      (timezone, recurrence, day, minute, quarters, asked) => {
        const start = Temporal.PlainDateTime.from('2025-01-01T00:00').add({ days: day, minutes: minute });
        const end = start.add({ minutes: quarters * 15 });
        const asText = (at: Temporal.PlainDateTime) => at.toString({ smallestUnit: 'second' });
        const series = createSeries(spec({ start: asText(start), end: asText(end), timezone, recurrence }));

        // Computes the starts by the wall clock alone. Then each end is converted separately in the zone.
        const limit = Temporal.PlainDateTime.from('2027-10-01T00:00');
        const dates = new RRuleTemporal({
          rruleString: recurrence.replace(/;UNTIL.*/, ''),
          dtstart: start.toZonedDateTime('UTC'),
        })
          .all((at, i) => i < 1_100 && Temporal.PlainDateTime.compare(at.toPlainDateTime(), limit) < 0)
          .map((at) => at.toPlainDateTime())
          .filter((at) => Temporal.PlainDateTime.compare(at, limit) < 0);
        const instant = (at: Temporal.PlainDateTime) => at.toZonedDateTime(timezone).epochMilliseconds;
        const until = recurrence.includes('UNTIL') ? Date.UTC(2026, 9, 24, 23) : Number.POSITIVE_INFINITY;
        const expected = dates
          .map((at) => ({ start: instant(at), end: instant(at.add({ minutes: quarters * 15 })) }))
          .filter((occurrence) => occurrence.start <= until);

        for (const minutes of asked) {
          const at = Date.UTC(2025, 0, 1) + minutes * 15 * 60_000;
          const last = expected.findLast((occurrence) => occurrence.start <= at);
          const window = series.window(at);
          assert.deepEqual(window.occurrence, last && last.end > at ? last : null, `${recurrence} at ${at}`);
          assert.ok(window.since <= at && at < window.until);
          for (const edge of expected.filter((o) => o.end > o.start).flatMap((o) => [o.start, o.end])) {
            if (edge <= window.since || edge >= window.until || edge > limit.toZonedDateTime('UTC').epochMilliseconds)
              continue;
            // A border inside the time range belongs to the end of an overlapping occurrence, which changes nothing.
            assert.ok(window.occurrence && edge < window.occurrence.end, `an edge ${edge} was passed over`);
          }
          const to = at + 40 * DAY_MS;
          const listed = expected.filter((o) => o.start < to && o.end > at && o.end > o.start);
          assert.deepEqual([...series.occurrences(at, to)], listed);
        }
      },
    ),
    { numRuns: 60 },
  );
});
