import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLate, TransitionCare } from './transition-care.ts';

const smooth = { frames: 36, late: 2 };
const jerky = { frames: 12, late: 6 };

test('a frame is late when it comes more than two refreshes after the one before, or is seen to stand', () => {
  assert.deepEqual(
    [16.7, 33.4, 35, 60].map((passed) => isLate(passed, 16.7)),
    [false, false, true, true],
  );
  // A television at 24 Hz is slow and in order.
  assert.deepEqual(
    [41.7, 83.4].map((passed) => isLate(passed, 41.7)),
    [false, true],
  );
});

test('three transitions of which too many frames were late are enough; two are not', () => {
  const care = new TransitionCare();
  assert.deepEqual([care.add(jerky), care.add(jerky), care.able], [false, false, true]);
  assert.equal(care.add(jerky), true);
  assert.equal(care.able, false);
  assert.equal(care.add(smooth), false, 'it is said once');
});

test('a single jerk among smooth ones is forgiven', () => {
  const care = new TransitionCare();
  for (const count of [smooth, jerky, smooth, smooth, jerky, smooth]) assert.equal(care.add(count), false);
  assert.equal(care.able, true);
});

test('what is always smooth never gives up, what is always late does at the third', () => {
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
