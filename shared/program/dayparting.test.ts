import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, formatDate, parseDate, parseLocal } from './civil.ts';
import { createGate, isOpen } from './dayparting.ts';
import type { Block } from './program.ts';
import { toInstant } from './zones.ts';

const block = (from: Partial<Block>): Block => ({
  days: [0, 1, 2, 3, 4, 5, 6],
  start: '09:00',
  end: '17:00',
  start_date: null,
  end_date: null,
  ...from,
});
const berlin = (text: string): number => toInstant(parseLocal(text), 'Europe/Berlin');
const gateAt = (blocks: Block[], text: string) => createGate(blocks, 'Europe/Berlin')(berlin(text));
const openAt = (blocks: Block[], text: string) => isOpen(blocks, 'Europe/Berlin', berlin(text));

test('item without blocks may always play', () => {
  assert.deepEqual(createGate([], 'Europe/Berlin')(0), { open: true, since: -Infinity, until: Infinity });
});

test('block is open from its start and closed from its end on', () => {
  assert.deepEqual(gateAt([block({})], '2026-05-04T09:00'), {
    open: true,
    since: berlin('2026-05-04T09:00'),
    until: berlin('2026-05-04T17:00'),
  });
  assert.deepEqual(gateAt([block({})], '2026-05-04T17:00'), {
    open: false,
    since: berlin('2026-05-04T17:00'),
    until: berlin('2026-05-05T09:00'),
  });
});

test('block that continues over midnight belongs to its start day, also for date limits', () => {
  const night = block({ days: [5], start: '22:00', end: '02:00', start_date: '2026-05-08', end_date: '2026-05-08' });
  assert.equal(openAt([night], '2026-05-08T23:00'), true);
  assert.equal(openAt([night], '2026-05-09T01:59'), true);
  assert.equal(openAt([night], '2026-05-09T02:00'), false);
  assert.equal(openAt([night], '2026-05-09T22:30'), false);
  assert.equal(openAt([night], '2026-05-08T01:00'), false);
});

test('adjacent blocks form one open period, also over midnight', () => {
  const { since, until } = gateAt(
    [block({ days: [1], start: '18:00', end: '24:00' }), block({ days: [2], start: '00:00', end: '07:30' })],
    '2026-05-05T03:00',
  );
  assert.deepEqual([since, until], [berlin('2026-05-04T18:00'), berlin('2026-05-05T07:30')]);
});

test('all-day block within dates is one open period from the first day to the end of the last', () => {
  const { since, until } = gateAt(
    [block({ start: '00:00', end: '24:00', start_date: '2020-02-01', end_date: '2035-06-30' })],
    '2026-05-05T03:00',
  );
  assert.deepEqual([since, until], [berlin('2020-02-01T00:00'), berlin('2035-07-01T00:00')]);
});

test('two blocks over midnight that cover the whole day are one open period that never ends', () => {
  const gate = gateAt(
    [block({ start: '12:00', end: '11:00' }), block({ start: '10:00', end: '13:00' })],
    '2026-05-05T03:00',
  );
  assert.deepEqual(gate, { open: true, since: -Infinity, until: Infinity });
});

test('years without an open block, between two dates, form one closed period', () => {
  const gate = gateAt([block({ end_date: '2001-01-01' }), block({ start_date: '2040-01-01' })], '2026-05-05T03:00');
  assert.deepEqual(gate, { open: false, since: berlin('2001-01-01T17:00'), until: berlin('2040-01-01T09:00') });
});

test('gate finds a block that begins or ended any number of days away', () => {
  const today = parseDate('2026-05-05');
  for (let days = 1; days <= 60; days++) {
    const [before, after] = [formatDate(today - days), formatDate(today + days)];
    const ended = { open: false, since: berlin(`${before}T17:00`), until: Infinity };
    assert.deepEqual(gateAt([block({ end_date: before })], '2026-05-05T12:00'), ended);
    const begins = { open: false, since: -Infinity, until: berlin(`${after}T09:00`) };
    assert.deepEqual(gateAt([block({ start_date: after })], '2026-05-05T12:00'), begins);
    const always = { start: '00:00', end: '24:00', start_date: before, end_date: after };
    assert.deepEqual(gateAt([block(always)], '2026-05-05T12:00'), {
      open: true,
      since: berlin(`${before}T00:00`),
      until: berlin(`${formatDate(today + days + 1)}T00:00`),
    });
  }
});

test('last opening is found a week earlier when a clock change removes a weekly block in one week', () => {
  const early = block({ days: [0], start: '02:30', end: '03:00' });
  assert.deepEqual(gateAt([early], '2026-03-29T12:00'), {
    open: false,
    since: berlin('2026-03-22T03:00'),
    until: berlin('2026-04-05T02:30'),
  });
});

test('block in an hour that a clock change repeats opens once, in the first of the two hours', () => {
  const early = block({ start: '02:15', end: '02:45' });
  const first = berlin('2026-10-25T02:15');
  assert.equal(isOpen([early], 'Europe/Berlin', first), true);
  assert.equal(isOpen([early], 'Europe/Berlin', first + 3_600_000), false);
});

test('malformed block never opens', () => {
  assert.equal(openAt([block({ start: 'noon' })], '2026-05-05T12:00'), false);
});

// ── against the definition ──────────────────────────────────────────────────────────────────────────────────────────

const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Africa/Cairo',
  'Pacific/Apia',
);
const clock = fc
  .oneof(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 0, max: 95 }))
  .map((n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`);
const YEAR = parseDate('2026-01-01');
const date = fc.option(fc.integer({ min: YEAR, max: YEAR + 365 }).map(formatDate), { nil: null });
const anyBlock: fc.Arbitrary<Block> = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
  start: fc.oneof(fc.constant('00:00'), clock),
  end: fc.oneof(fc.constant('24:00'), clock),
  start_date: date,
  end_date: date,
});

/** Returns all open periods of every block for a long time around the year, directly from the definition. */
function spansOf(blocks: Block[], timezone: string): [start: number, end: number][] {
  const from = Temporal.PlainDate.from('2025-06-01');
  return blocks.flatMap((it) =>
    Array.from({ length: 800 }, (_, i) => from.add({ days: i })).flatMap((day): [number, number][] => {
      const text = day.toString();
      if (!it.days.includes(day.dayOfWeek % 7)) return [];
      if ((it.start_date ?? '') > text || (it.end_date ?? '9999') < text) return [];
      const at = (on: Temporal.PlainDate, time: string) =>
        (time === '24:00' ? on.add({ days: 1 }).toPlainDateTime() : on.toPlainDateTime(time)).toZonedDateTime(timezone)
          .epochMilliseconds;
      return [[at(day, it.start), at(it.start > it.end ? day.add({ days: 1 }) : day, it.end)]];
    }),
  );
}

test('gate returns the same state and changes as the simple definition, for any blocks and zone', () => {
  fc.assert(
    fc.property(
      zone,
      fc.array(anyBlock, { minLength: 1, maxLength: 3 }),
      fc.array(fc.integer({ min: 0, max: 365 * 96 }), { minLength: 5, maxLength: 15 }),
      (timezone, blocks, asked) => {
        const gate = createGate(blocks, timezone);
        const spans = spansOf(blocks, timezone);
        const open = (at: number) => spans.some(([start, end]) => start <= at && at < end);
        const changes = [...new Set(spans.flat())].filter((at) => open(at) !== open(at - 1)).sort((a, b) => a - b);
        for (const quarters of asked) {
          const at = Date.UTC(2026, 0, 1) + quarters * 15 * 60_000;
          const window = gate(at);
          assert.equal(window.open, open(at));
          const since = changes.findLast((change) => change <= at);
          const until = changes.find((change) => change > at);
          // The definition covers only 2025-06 to 2027-08. A state that is constant over this whole time may continue
          // beyond it.
          if (since !== undefined && since > Date.UTC(2025, 5, 10)) assert.equal(window.since, since);
          else assert.ok(window.since < Date.UTC(2025, 5, 10));
          if (until !== undefined && until < Date.UTC(2027, 6, 20)) assert.equal(window.until, until);
          else assert.ok(window.until > Date.UTC(2027, 6, 20));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('gate that is asked about instants in any order gives the same results as a new gate', () => {
  fc.assert(
    fc.property(
      fc.array(anyBlock, { minLength: 1, maxLength: 3 }),
      fc.array(fc.integer({ min: 0, max: 40 * 96 })),
      (blocks, asked) => {
        const gate = createGate(blocks, 'Europe/Berlin');
        for (const quarters of asked) {
          const at = Date.UTC(2026, 2, 10) + quarters * 15 * 60_000;
          assert.deepEqual(gate(at), createGate(blocks, 'Europe/Berlin')(at));
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('gate with dates that are years away stays fast', () => {
  const far = [block({ start_date: '1990-01-01', end_date: '1990-01-02' }), block({ start_date: '2090-01-01' })];
  const began = performance.now();
  for (let day = 0; day < 200; day++) createGate(far, 'Europe/Berlin')(berlin('2026-01-01T00:00') + day * DAY_MS);
  assert.ok(performance.now() - began < 500);
});
