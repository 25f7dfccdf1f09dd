import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { QUARTER_MS, QUARTERS_A_DAY, splitPeriod } from './sums.ts';

const DAY_MS = QUARTERS_A_DAY * QUARTER_MS;

test('period is split into its whole quarter-hours and the rest at both ends', () => {
  const instant = fc.integer({ min: 0, max: 40 * DAY_MS });
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)];
      const { raw, quarters } = splitPeriod({ start, end });
      const covered = raw.reduce(
        (sum, edge) => sum + edge.end - edge.start,
        (quarters.to - quarters.from) * QUARTER_MS,
      );
      assert.equal(covered, end - start);
      for (const edge of raw)
        assert.equal(
          Math.floor(edge.start / QUARTER_MS),
          Math.floor((edge.end - 1) / QUARTER_MS),
          'an edge lies within one quarter',
        );
    }),
  );
});

test('adding and subtracting whole days and quarter-hours covers each quarter-hour of the period exactly once', () => {
  const quarter = fc.integer({ min: 0, max: 10 * QUARTERS_A_DAY });
  fc.assert(
    fc.property(quarter, quarter, (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const times = new Map<number, number>();
      for (const part of splitPeriod({ start: from * QUARTER_MS, end: to * QUARTER_MS }).parts) {
        const size = part.grain === 'day' ? QUARTERS_A_DAY : 1;
        for (let q = part.from * size; q < part.to * size; q++) times.set(q, (times.get(q) ?? 0) + part.sign);
      }
      const counted = [...times].filter(([, n]) => n !== 0).sort(([x], [y]) => x - y);
      assert.deepEqual(
        counted,
        Array.from({ length: to - from }, (_, i) => [from + i, 1]),
      );
    }),
  );
});

test('at most half a day of quarter-hours is read at either end of a long period', () => {
  const { parts } = splitPeriod({ start: 7 * QUARTER_MS, end: 30 * DAY_MS - 13 * QUARTER_MS });
  assert.deepEqual(parts, [
    { grain: 'quarter', from: 0, to: 7, sign: -1 },
    { grain: 'day', from: 0, to: 30, sign: 1 },
    { grain: 'quarter', from: 30 * QUARTERS_A_DAY - 13, to: 30 * QUARTERS_A_DAY, sign: -1 },
  ]);
});
