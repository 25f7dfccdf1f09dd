import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLate, TransitionCare } from './transition-care.ts';

const smooth = { frames: 36, late: 2 };
const jerky = { frames: 12, late: 6 };

test('frame is late when the previous frame was visible for more than two refreshes or more than 50 ms', () => {
  assert.deepEqual(
    [16.7, 33.4, 35, 60].map((passed) => isLate(passed, 16.7)),
    [false, false, true, true],
  );
  // A television with 24 refreshes per second is slow but regular, so its frames are not late.
  assert.deepEqual(
    [41.7, 83.4].map((passed) => isLate(passed, 41.7)),
    [false, true],
  );
});

test('transitions are disabled after three of them had too many late frames, and not after two', () => {
  const care = new TransitionCare();
  assert.deepEqual([care.add(jerky), care.add(jerky), care.able], [false, false, true]);
  assert.equal(care.add(jerky), true);
  assert.equal(care.able, false);
  assert.equal(care.add(smooth), false, 'it is said once');
});

test('one transition with late frames among good transitions disables nothing', () => {
  const care = new TransitionCare();
  for (const count of [smooth, jerky, smooth, smooth, jerky, smooth]) assert.equal(care.add(count), false);
  assert.equal(care.able, true);
});

test('transitions with few late frames stay enabled, and three with only late frames are disabled', () => {
  const frames = fc.integer({ min: 1, max: 180 });
  fc.assert(
    fc.property(fc.array(frames, { minLength: 3, maxLength: 20 }), (counts) => {
      const [fast, slow] = [new TransitionCare(), new TransitionCare()];
      const said = counts.map((n) => [
        fast.add({ frames: n, late: Math.floor(n / 4) }),
        slow.add({ frames: n, late: n }),
      ]);
      assert.ok(said.every(([tooMany]) => !tooMany));
      assert.deepEqual(
        said.flatMap(([, tooMany], i) => (tooMany ? [i] : [])),
        [2],
      );
    }),
  );
});
