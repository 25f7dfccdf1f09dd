import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, formatLocal, parseLocal } from './civil.ts';
import { isTimeZone, toInstant, toLocal, zoneOf, zoneOrUtc } from './zones.ts';

// Time zones with special rules: half an hour of summer time, half-hour offsets, a skipped day (Samoa, 30 December
// 2011), changes at midnight.
const names = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'America/St_Johns',
  'Africa/Cairo',
  'Africa/Casablanca',
  'UTC',
];
const name = fc.constantFrom(...names);
const minute = fc.integer({ min: Date.UTC(1975, 0, 1) / 60_000, max: Date.UTC(2045, 0, 1) / 60_000 });

const ofTemporal = (local: number, zone: string): number =>
  Temporal.PlainDateTime.from(formatLocal(local)).toZonedDateTime(zone, { disambiguation: 'compatible' })
    .epochMilliseconds;

test('toInstant agrees with Temporal for any wall clock time', () => {
  fc.assert(
    fc.property(name, minute, (zone, at) => assert.equal(toInstant(at * 60_000, zone), ofTemporal(at * 60_000, zone))),
    { numRuns: 1_000 },
  );
});

test('toLocal agrees with Temporal for any instant', () => {
  fc.assert(
    fc.property(name, minute, (zone, at) => {
      const expected = Temporal.Instant.fromEpochMilliseconds(at * 60_000)
        .toZonedDateTimeISO(zone)
        .toPlainDateTime();
      assert.equal(formatLocal(toLocal(at * 60_000, zone)), expected.toString({ smallestUnit: 'second' }));
    }),
    { numRuns: 1_000 },
  );
});

test('toInstant agrees with Temporal every ten minutes around every clock change from 2010 to 2030', () => {
  for (const zone of names) {
    let change = Temporal.ZonedDateTime.from(`2010-01-01T00:00[${zone}]`).getTimeZoneTransition('next');
    while (change && change.year < 2030) {
      const around = toLocal(change.epochMilliseconds, zone);
      for (let minutes = -180; minutes <= 180; minutes += 10) {
        const local = around + minutes * 60_000;
        assert.equal(toInstant(local, zone), ofTemporal(local, zone), `${zone} ${formatLocal(local)}`);
      }
      change = change.getTimeZoneTransition('next');
    }
  }
});

test('local time that does not exist moves forward by the gap, and of a time that exists twice the first is used', () => {
  const berlin = (text: string) => new Date(toInstant(parseLocal(text), 'Europe/Berlin')).toISOString();
  assert.equal(berlin('2026-03-29T02:30'), '2026-03-29T01:30:00.000Z');
  assert.equal(berlin('2026-10-25T02:30'), '2026-10-25T00:30:00.000Z');
  assert.equal(
    toInstant(parseLocal('2026-10-04T02:15'), 'Australia/Lord_Howe'),
    toInstant(parseLocal('2026-10-04T02:45'), 'Australia/Lord_Howe'),
  );
});

test('no time zone changes its clock and changes back between two samples, on every third day of 2022–2030', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const hour = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    for (let at = Date.UTC(2022, 0, 1); at < Date.UTC(2030, 0, 1); at += 3 * DAY_MS) {
      const local = new Date(zoneOf(zone).toLocal(at));
      const expected = hour.format(at).match(/\d+/g)?.map(Number);
      assert.deepEqual([local.getUTCDate(), local.getUTCHours(), local.getUTCMinutes()], expected, `${zone} ${at}`);
    }
  }
});

test('isTimeZone accepts names of the database, and refuses offsets and other text, also after earlier calls', () => {
  assert.equal(zoneOf('+01:00').toLocal(0), 3_600_000);
  for (const zone of [...names, 'UTC']) assert.equal(isTimeZone(zone), true);
  for (const zone of ['+01:00', 'Mars/Olympus', '', 'Europe/Berlin ', '../etc']) assert.equal(isTimeZone(zone), false);
  assert.throws(() => zoneOf('Mars/Olympus'), RangeError);
  assert.equal(zoneOrUtc('Mars/Olympus').toLocal(5), 5);
});

test('results stay right with more zones and years than are cached', () => {
  for (let round = 0; round < 2; round++) {
    for (let year = 1975; year < 2040; year++) {
      const noon = Date.UTC(year, 0, 15, 11);
      assert.equal(formatLocal(toLocal(noon, 'Asia/Kolkata')), `${year}-01-15T16:30:00`);
      assert.equal(toLocal(noon, 'Europe/Berlin') - noon, 3_600_000);
    }
  }
});
