import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  civilOf,
  DAY_MS,
  dayNumber,
  dayOf,
  daysInMonth,
  formatDate,
  formatLocal,
  mod,
  parseClock,
  parseDate,
  parseLocal,
  weekdayOf,
} from './civil.ts';

const day = fc.integer({ min: dayNumber(100, 1, 1), max: dayNumber(9999, 12, 31) });

test('civilOf returns the date from which dayNumber made the day, from the year 100 to 9999', () => {
  const agrees = (number: number) => {
    const date = new Date(number * DAY_MS);
    const { year, month, day: dayOfMonth } = civilOf(number);
    assert.deepEqual([year, month, dayOfMonth], [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
    assert.equal(dayNumber(year, month, dayOfMonth), number);
    assert.equal(parseDate(formatDate(number)), number);
    assert.equal(weekdayOf(number), date.getUTCDay());
    assert.equal(daysInMonth(year, month), new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate());
  };
  fc.assert(fc.property(day, agrees));
  // Dates around changes of centuries, leap years and months of 31 days.
  for (let year = 1600; year <= 2400; year++)
    for (const day of [-1, 0, 30, 58, 59, 60]) agrees(Date.UTC(year, 0, 1) / DAY_MS + day);
});

test('parseLocal reads local times with and without seconds, and formatLocal writes seconds', () => {
  assert.equal(formatLocal(parseLocal('2026-05-17T08:09')), '2026-05-17T08:09:00');
  assert.equal(formatLocal(parseLocal('2026-05-17T08:09:10')), '2026-05-17T08:09:10');
  assert.equal(formatLocal(parseLocal('2026-05-17T08:09:10') + 999.9), '2026-05-17T08:09:10');
});

test('parseClock reads times of day from 00:00 to 24:00', () => {
  assert.equal(parseClock('00:00'), 0);
  assert.equal(parseClock('13:45'), 13.75 * 3_600_000);
  assert.equal(parseClock('24:00'), DAY_MS);
});

test('dayOf returns the day of a local time from 00:00 on, also before 1970', () => {
  for (const date of ['1969-05-17', '2026-05-17'])
    for (const time of ['00:00', '23:59:59']) assert.equal(dayOf(parseLocal(`${date}T${time}`)), parseDate(date));
});

for (const text of [
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-1',
  '0001-01-01',
  '0000-01-01',
  'today',
  '',
]) {
  test(`parseDate refuses "${text}"`, () => assert.throws(() => parseDate(text), RangeError));
}
for (const text of ['24:01', '12:60', '1:00', '', 'noon']) {
  test(`parseClock refuses "${text}"`, () => assert.throws(() => parseClock(text), RangeError));
}
for (const text of [
  '2026-01-01T24:00',
  '2026-01-01T10:00Z',
  '2026-01-01',
  '2026-02-30T10:00',
  '2026-01-01T10:00:00+01:00',
]) {
  test(`parseLocal refuses "${text}"`, () => assert.throws(() => parseLocal(text), RangeError));
}

test('parsers refuse a text with one changed character, unless the text is still a valid date or time', () => {
  const [isDate, isLocal] = [/^\d{4}-\d\d-\d\d$/, /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/];
  const readable = (read: (text: string) => number, text: string): number | null => {
    try {
      return read(text);
    } catch (error) {
      assert.ok(error instanceof RangeError);
      return null;
    }
  };
  const spoilt = fc
    .tuple(
      day.map(formatDate),
      fc.constantFrom('', 'T00:00', 'T23:59', 'T09:30:15'),
      fc.nat(19),
      fc.constantFrom('', '0', '1', '5', '9', '/', ':', '-', 'T', ' ', '٣', '００'),
    )
    .map(([date, time, i, wrong]) => `${date}${time}`.slice(0, i) + wrong + `${date}${time}`.slice(i + 1));
  fc.assert(
    fc.property(spoilt, (text) => {
      const utc = Date.parse(`${text.slice(0, 10)}${text.slice(10) || 'T00:00'}Z`);
      const exists = !Number.isNaN(utc) && formatDate(Math.floor(utc / DAY_MS)) === text.slice(0, 10) && text > '0100';
      assert.equal(readable(parseDate, text), isDate.test(text) && exists ? utc / DAY_MS : null);
      assert.equal(readable(parseLocal, text), isLocal.test(text) && exists ? utc : null);
    }),
    { numRuns: 2_000 },
  );
});

test('mod of a negative number is not negative', () => {
  assert.equal(mod(-1, 7), 6);
  assert.equal(mod(-7, 7), 0);
});
