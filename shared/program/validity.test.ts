import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatLocal, MINUTE_MS, parseLocal } from './civil.ts';
import { createItemGate, isOpen } from './dayparting.ts';
import { PLAIN_ITEM } from './plain-item.ts';
import type { Program, ProgramItem, ProgramSchedule } from './program.ts';
import { resolve } from './resolve.ts';
import { toInstant, toLocal } from './zones.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string): number => toInstant(parseLocal(`${text}:00`), BERLIN);
const item = (name: string, from: Partial<ProgramItem> = {}): ProgramItem => ({
  ...PLAIN_ITEM,
  name,
  // Duration of each item, longer than the examined time, so that no play ends by itself.
  duration_ms: 24 * 3_600_000,
  ...from,
});
const until = (minute: string): Partial<ProgramItem> => ({ valid: { from: null, until: minute } });
const schedule = (from: Partial<ProgramSchedule>): ProgramSchedule => ({
  id: 's',
  title: 's',
  target: 'device',
  priority: 0,
  created_at: 0,
  start: '2026-05-04T12:00:00',
  end: '2026-05-04T14:00:00',
  timezone: BERLIN,
  recurrence: null,
  recurrence_end: null,
  zone_id: null,
  item: null,
  playlist_id: null,
  layout_id: null,
  ...from,
});
const program = (items: ProgramItem[], from: Partial<Program> = {}): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: 'p', item: null, source: 'device' },
  fallback: null,
  layouts: [],
  playlists: [{ id: 'p', name: 'p', anchor_ms: 0, items }],
  schedules: [],
  assets: [],
  ...from,
});
const shown = (of: Program, instant: number) => resolve(of, BERLIN, instant).zones[0]?.cue?.item.name ?? null;

test('item plays within its validity and its blocks, and never outside, across clock changes', () => {
  const zones = fc.constantFrom(BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC');
  // Instants around both clock changes of a year.
  const local = fc
    .integer({ min: 0, max: 400 * 24 * 60 })
    .map((minutes) => formatLocal(parseLocal('2026-01-01T00:00:00') + minutes * MINUTE_MS).slice(0, 16));
  const bound = fc.option(local);
  const block = fc.record({
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    start: fc.constantFrom('00:00', '02:30', '22:00'),
    end: fc.constantFrom('03:30', '12:00', '24:00'),
    start_date: fc.constant(null),
    end_date: fc.constant(null),
  });
  fc.assert(
    fc.property(zones, bound, bound, fc.array(block, { maxLength: 2 }), local, (zone, from, end, blocks, asked) => {
      const instant = toInstant(parseLocal(`${asked}:00`), zone);
      const gate = createItemGate({ blocks, valid: { from, until: end } }, zone);
      const edge = (minute: string | null, none: number) =>
        minute === null ? none : toInstant(parseLocal(`${minute}:00`), zone);
      const expected = (now: number) =>
        now >= edge(from, -Infinity) && now < edge(end, Infinity) && isOpen(blocks, zone, now);
      const window = gate(instant);
      assert.equal(window.open, expected(instant));
      assert.ok(window.since <= instant && instant < window.until);
      // Within the time range the state is constant, and the range ends with the validity.
      for (const near of [window.since, window.until - 1])
        if (Number.isFinite(near)) assert.equal(expected(near), window.open);
      if (window.open && end !== null) assert.ok(window.until <= edge(end, Infinity));
    }),
    { numRuns: 500 },
  );
});

test('item disappears at the minute when its validity ends, and the other items continue', () => {
  const both = program([item('a', until('2026-05-04T12:00')), item('b', { duration_ms: 1 })]);
  const before = resolve(both, BERLIN, at('2026-05-04T12:00') - 1);
  assert.equal(before.until, at('2026-05-04T12:00'));
  for (let s = 0; s < 60; s += 5) assert.equal(shown(both, at('2026-05-04T12:00') + s * 1000), 'b');
  assert.equal(shown(program([item('a', until('2026-05-04T12:00'))]), at('2026-05-04T12:00')), null);
});

test('item starts at the minute of its validity', () => {
  const later = program([item('a', { valid: { from: '2026-05-04T12:00', until: null } })], { fallback: item('f') });
  assert.equal(shown(later, at('2026-05-04T12:00') - 1), 'f');
  assert.equal(resolve(later, BERLIN, at('2026-05-04T11:59')).until, at('2026-05-04T12:00'));
  assert.equal(shown(later, at('2026-05-04T12:00')), 'a');
});

test('validity uses the clock of the screen', () => {
  const one = program([item('a', until('2026-05-04T12:00'))]);
  const noon = parseLocal('2026-05-04T12:00:00');
  for (const zone of ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York']) {
    const end = toInstant(noon, zone);
    assert.equal(toLocal(end, zone), noon);
    assert.equal(resolve(one, zone, end - 1).zones[0]?.cue?.item.name, 'a');
    assert.equal(resolve(one, zone, end).zones[0]?.cue, null);
  }
});

test('schedule whose single content has expired does not hide lower-ranking content', () => {
  const sale = schedule({ item: item('sale', until('2026-05-04T13:00')), priority: 5 });
  const other = schedule({ id: 'o', item: item('other') });
  const one = program([item('a')], { schedules: [sale] });
  assert.equal(shown(one, at('2026-05-04T12:30')), 'sale');
  assert.equal(resolve(one, BERLIN, at('2026-05-04T12:30')).until, at('2026-05-04T13:00'));
  assert.equal(shown(one, at('2026-05-04T13:00')), 'a');
  const two = program([item('a')], { schedules: [sale, other] });
  assert.equal(shown(two, at('2026-05-04T13:00')), 'other');
  assert.deepEqual(resolve(two, BERLIN, at('2026-05-04T13:00')).losing, []);
  // The layout of the schedule still applies.
  const layout = { id: 'l', name: 'l', width: 16, height: 9, zones: resolve(one, BERLIN, 0).zones.map((z) => z.zone) };
  const framed = program([item('a')], { layouts: [layout], schedules: [{ ...sale, layout_id: 'l' }] });
  assert.equal(resolve(framed, BERLIN, at('2026-05-04T13:00')).layout?.id, 'l');
  assert.equal(shown(framed, at('2026-05-04T13:00')), 'a');
});

test('expired fallback is replaced by the next fallback', () => {
  const chain = program([], {
    fallback: item('own', until('2026-05-04T12:00')),
    fallbacks: [item('group', until('2026-05-04T13:00')), item('store')],
  });
  assert.equal(shown(chain, at('2026-05-04T11:59')), 'own');
  assert.equal(resolve(chain, BERLIN, at('2026-05-04T11:59')).until, at('2026-05-04T12:00'));
  assert.equal(shown(chain, at('2026-05-04T12:00')), 'group');
  assert.equal(shown(chain, at('2026-05-04T13:00')), 'store');
});

test('item whose validity is malformed, or ends before it begins, never plays', () => {
  for (const valid of [
    { from: '2026-05-04T12:00', until: '2026-05-04T12:00' },
    { from: '2026-02-30T12:00', until: null },
    { from: 'soon', until: null },
  ]) {
    assert.equal(shown(program([item('a', { valid })]), at('2026-05-04T12:00')), null);
    const never = { open: false, since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
    assert.deepEqual(createItemGate({ blocks: [], valid }, BERLIN)(at('2026-05-04T12:00')), never);
  }
});
