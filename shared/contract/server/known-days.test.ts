import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../program/civil.ts';
import { isDayKnown, isKnownFrom } from './known-days.ts';

test("plan is known from the start of a period if recorded from the first midnight on, in the shop's zone", () => {
  const range = { start: parseDate('2026-03-10') };
  const midnight = Date.UTC(2026, 2, 9, 23) / 1000;
  assert.equal(isKnownFrom(midnight, range, 'Europe/Berlin'), true);
  assert.equal(isKnownFrom(midnight + 1, range, 'Europe/Berlin'), false);
});

test('days are known after one whole recorded day, or if the plan is recorded from the start of the period on', () => {
  const range = { start: parseDate('2026-03-08'), end: parseDate('2026-03-12') };
  const at = (day: number, hour: number) => Date.UTC(2026, 2, day, hour - 1) / 1000;
  const isKnown = (from: number, now: number) => isDayKnown(from, range, 'Europe/Berlin', now);
  assert.equal(isKnown(at(10, 9), at(10, 18)), false, 'some hours of the first day');
  assert.equal(isKnown(at(10, 9), at(11, 23)), false, 'the next day is not over');
  assert.equal(isKnown(at(10, 9), at(12, 0)), true);
  assert.equal(isKnown(at(10, 0), at(11, 0)), true, 'known since midnight');
  assert.equal(isKnown(at(12, 9), at(20, 0)), false, 'the period has no whole day after that');
  assert.equal(isKnown(at(8, 0), at(8, 9)), true, 'known from the beginning of the period');
});
