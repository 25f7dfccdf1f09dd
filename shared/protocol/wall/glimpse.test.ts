import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Glimpse, Glimpses, glimpseOf, MAX_PICTURES, nextWindow, picturesOf, WINDOW_MS } from './glimpse.ts';

const instant = fc.integer({ min: 0, max: 4e12 });

test('nextWindow returns one time window for each fifteen seconds, until that window is over', () => {
  fc.assert(
    fc.property(instant, (at) => {
      const { number, from, until } = nextWindow(at);
      assert.equal(until - from, WINDOW_MS);
      assert.ok(until > at && from >= number * 15_000 && until <= (number + 1) * 15_000);
      assert.deepEqual(nextWindow(until - 1), { number, from, until });
      assert.equal(nextWindow(until).number, number + 1);
    }),
  );
});

test('time windows are the same in every version and evenly distributed over the fifteen seconds', () => {
  assert.deepEqual(nextWindow(1_800_000_000_000), {
    number: 120_000_000,
    from: 1_800_000_000_000,
    until: 1_800_000_002_000,
  });
  assert.equal(nextWindow(1_800_000_015_000).from, 1_800_000_023_034);
  const seconds = Map.groupBy(
    Array.from({ length: 1300 }, (_, n) => nextWindow(n * 15_000).from % 15_000),
    (begin) => Math.min(12, Math.floor(begin / 1000)),
  );
  for (const { length } of seconds.values()) assert.ok(Math.abs(length - 100) <= 3, `${length}`);
});

test('pictures are transmitted in order and accurate to a twentieth of a millisecond', () => {
  const picture = fc.record({ at: fc.double({ min: -50, max: 2100, noNaN: true }), moves: fc.boolean() });
  fc.assert(
    fc.property(instant, fc.array(picture, { maxLength: MAX_PICTURES + 10 }), (at, seen) => {
      const window = nextWindow(at);
      const pictures = seen.map((each) => ({ ...each, at: each.at + window.from, meant: window.from + each.at / 2 }));
      const heard = picturesOf(Glimpse.parse(glimpseOf('main', window, pictures)));
      const expected = seen.slice(0, MAX_PICTURES).sort((a, b) => a.at - b.at);
      assert.equal(heard.length, expected.length);
      for (const [n, { at, meant }] of heard.entries())
        assert.ok(Math.abs(at - expected[n]!.at) < 0.051 && meant <= 1050.1, `${at}`);
      const clips = (list: readonly { moves: boolean }[]) => list.filter(({ moves }) => moves).length;
      assert.equal(clips(heard), clips(expected));
    }),
  );
});

test('glimpse has at most 250 pictures, and a message at most eight glimpses', () => {
  const glimpse = (pictures: number, zone: number) => ({
    ...{ window: 0, zone_id: 'z'.repeat(zone) },
    pictures: Array.from({ length: pictures }, () => [0, 0, 1]),
  });
  const isTaken = (value: unknown) => Glimpse.safeParse(value).success;
  assert.ok(isTaken(glimpse(250, 200)) && !isTaken(glimpse(251, 1)) && !isTaken(glimpse(1, 201)));
  assert.ok(!isTaken({ ...glimpse(1, 1), window: -1 }) && !isTaken({ ...glimpse(1, 1), window: 0.5 }));
  const isHeard = (count: number) => Glimpses.safeParse(Array(count).fill(glimpse(1, 1))).success;
  assert.ok(isHeard(8) && !isHeard(9));
});
