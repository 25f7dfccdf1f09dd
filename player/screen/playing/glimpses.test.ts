import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Glimpse, MAX_PICTURES, nextWindow, picturesOf } from '../../../shared/protocol/wall/glimpse.ts';
import { Glimpses } from './glimpses.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
const watching = (): Glimpses => {
  const glimpses = new Glimpses();
  glimpses.on = true;
  return glimpses;
};

test('every fifteen seconds contain one time window of two seconds, the same on all panels, at another position', () => {
  const places = new Set<number>();
  for (let n = 0; n < 40; n++) {
    const { number, from, until } = nextWindow(NOON + n * 15_000);
    assert.equal(until - from, 2_000);
    assert.ok(from >= number * 15_000 && until <= (number + 1) * 15_000);
    assert.deepEqual(nextWindow(from), nextWindow(until - 1));
    assert.equal(nextWindow(until).number, number + 1);
    places.add(Math.floor((from - number * 15_000) / 1_000));
  }
  assert.ok(places.size >= 12);
});

test('pictures of a time window are returned once, after its end, with the picture at its start', () => {
  const glimpses = watching();
  const { number, from, until } = nextWindow(NOON);
  for (const at of [from - 110, from - 100, from + 100, from + 140.04, until + 20])
    glimpses.record('full', { at, meant: at - 3, moves: true });
  assert.deepEqual(glimpses.collect(until), []);
  assert.deepEqual(glimpses.collect(until + 1_000), [
    {
      window: number,
      zone_id: 'full',
      pictures: [
        [-1, -103, 1],
        [100, 97, 1],
        [140, 137, 1],
      ],
    },
  ]);
  assert.deepEqual(glimpses.collect(until + 2_000), []);
  // The visible picture counts for the next time window too.
  const next = nextWindow(until);
  assert.deepEqual(glimpses.collect(next.until + 1_000)[0]?.pictures.length, 1);
});

test('nothing is recorded outside of a wall, and nothing is returned for an empty zone', () => {
  const { from, until } = nextWindow(NOON);
  const alone = new Glimpses();
  alone.record('full', { at: from, meant: from, moves: false });
  assert.deepEqual(alone.collect(until + 1_000), []);
  const dark = watching();
  dark.record('full', { at: from, meant: from, moves: false });
  dark.gone('full');
  assert.deepEqual(dark.collect(until + 1_000), []);
});

test('recorded pictures are limited in number and valid for any pictures and clock jumps', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: -40_000, max: 40_000 }), fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')), {
        maxLength: 900,
      }),
      (seen) => {
        const glimpses = watching();
        let at = NOON;
        for (const [n, [step, zone]] of seen.entries()) {
          at += n % 50 === 0 ? step : Math.abs(step) / 4_000;
          glimpses.record(zone, { at, meant: at, moves: true });
          const told = glimpses.collect(at);
          assert.ok(told.length <= 4);
          for (const glimpse of told) {
            assert.deepEqual(Glimpse.parse(glimpse), glimpse);
            assert.ok(picturesOf(glimpse).length <= MAX_PICTURES);
          }
        }
      },
    ),
    { numRuns: 50 },
  );
});
