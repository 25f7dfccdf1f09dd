import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../shared/contract/errors.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import { parsePeriod } from './period.ts';

const berlin = zoneOf('Europe/Berlin');
const NOW = Date.UTC(2026, 2, 30, 9, 0, 0);
const iso = ({ start, end }: { start: number; end: number }) => [
  new Date(start).toISOString(),
  new Date(end).toISOString(),
];

test('an end date without a time includes that whole day in the server’s zone, also when clocks change on it', () => {
  assert.deepEqual(iso(parsePeriod({ start: '2026-03-28', end: '2026-03-29' }, NOW, berlin)), [
    '2026-03-27T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
});

test('a date-time uses its own offset, or the server’s zone when it has none', () => {
  const cases: [string, string][] = [
    ['2026-03-10T09:00:00Z', '2026-03-10T09:00:00.000Z'],
    ['2026-03-10T09:00', '2026-03-10T08:00:00.000Z'],
    ['2026-03-10T09:00:00.25+05:30', '2026-03-10T03:30:00.250Z'],
    ['2026-03-10 09:00:00-0330', '2026-03-10T12:30:00.000Z'],
    ['2026-03-10T09:00:00 02:00', '2026-03-10T07:00:00.000Z'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ];
  for (const [text, instant] of cases)
    assert.equal(new Date(parsePeriod({ start: text }, NOW, berlin).start).toISOString(), instant, text);
});

test('a period without dates began 30 days ago and has no end, and one with only an end begins 30 days before it', () => {
  assert.equal(new Date(parsePeriod({}, NOW, berlin).start).toISOString(), '2026-02-27T23:00:00.000Z');
  assert.ok(parsePeriod({}, NOW, berlin).end > NOW + 86_400_000);
  assert.deepEqual(iso(parsePeriod({ end: '2026-01-31' }, NOW, berlin)), [
    '2026-01-01T23:00:00.000Z',
    '2026-01-31T23:00:00.000Z',
  ]);
});

test('malformed and reversed periods answer 400 and name the parameter', () => {
  for (const bad of [
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-03-10T25:00',
    '2026-03-10T09:00:61Z',
    '2026-03-10T09:00+99:00',
    '10.03.2026',
    '1773133200',
    '2026-03-10T',
    ' 2026-03-10',
  ]) {
    assert.throws(
      () => parsePeriod({ start: bad }, NOW, berlin),
      { status: 400, message: /^start: must be an ISO date/ },
      bad,
    );
    assert.throws(
      () => parsePeriod({ end: bad }, NOW, berlin),
      { status: 400, message: /^end: must be an ISO date/ },
      bad,
    );
  }
  assert.throws(
    () => parsePeriod({ start: '2026-03-11', end: '2026-03-10' }, NOW, berlin),
    (error) => error instanceof ApiError && error.status === 400 && error.message === 'end: must not be before start',
  );
});

test('a period of a single day, or of a single instant, is valid', () => {
  const { start, end } = parsePeriod({ start: '2026-03-10', end: '2026-03-10' }, NOW, berlin);
  assert.equal(end - start, 86_400_000);
  const empty = parsePeriod({ start: '2026-03-10T09:00Z', end: '2026-03-10T09:00Z' }, NOW, berlin);
  assert.equal(empty.end, empty.start);
});
