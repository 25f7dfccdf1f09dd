import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PLAIN_ITEM } from './plain-item.ts';
import { Transition } from './program.ts';
import { meetingAt, progressAt, transitionOf, USUAL_TRANSITION_MS } from './transition.ts';

const kinds = Transition.shape.kind.options;
const turn = (transition: Transition | undefined, lasts = 10_000) => ({
  item: { ...PLAIN_ITEM, ...(transition && { transition }) },
  since: 1_000_000,
  until: 1_000_000 + lasts,
});

test('play without a transition, or with a transition of 0 ms, begins with a cut', () => {
  assert.equal(transitionOf(turn(undefined)), null);
  assert.equal(transitionOf(turn({ kind: 'cut', ms: 600 })), null);
  assert.equal(transitionOf(turn({ kind: 'fade', ms: 0 })), null);
  assert.deepEqual(transitionOf(turn({ kind: 'fade', ms: 600 })), { kind: 'fade', ms: 600 });
});

test('transition takes at most half of its play', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 20_000 }), (ms, lasts) => {
      const found = transitionOf(turn({ kind: 'push', ms }, lasts))?.ms ?? 0;
      assert.ok(found <= lasts / 2 && found <= ms);
      assert.ok(found === ms || found === Math.floor(lasts / 2));
    }),
  );
});

test('progress goes from 0 to 1 by the clock and never back', () => {
  const transition: Transition = { kind: 'wipe', ms: 600 };
  assert.deepEqual(
    [-50, 0, 150, 300, 600, 9_000].map((after) => progressAt(transition, 5_000, 5_000 + after)),
    [0, 0, 0.25, 0.5, 1, 1],
  );
});

test('usual transition is complete in a play of little more than a second', () => {
  assert.equal(transitionOf(turn({ kind: 'fade', ms: USUAL_TRANSITION_MS }, 1_200))?.ms, USUAL_TRANSITION_MS);
});

test('meetingAt half progress returns a picture that is half opaque, half moved or half uncovered, by kind', () => {
  const whole = { right: 0, uncovered: 1, opacity: 1, left: 0 };
  for (const [kind, half] of [
    ['cut', {}],
    ['fade', { opacity: 0.5 }],
    ['push', { right: 0.5, left: 0.5 }],
    ['wipe', { uncovered: 0.5 }],
  ] as const)
    assert.deepEqual(meetingAt(kind, 0.5), { ...whole, ...half });
});

test('old and new picture cover the zone together at each instant, and only the new picture remains at the end', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.double({ min: 0, max: 1, noNaN: true }), (kind, progress) => {
      const { right, uncovered, opacity, left } = meetingAt(kind, progress);
      // The old picture ends where the new picture begins, or is completely behind the new picture.
      assert.ok(Math.abs(1 - left - right) < 1e-9 || left === 0);
      assert.ok(opacity > 0 && opacity <= 1 && uncovered > 0 && uncovered <= 1 && right >= 0 && right < 1);
    }),
  );
  for (const kind of kinds) {
    const { right, uncovered, opacity } = meetingAt(kind, 1);
    assert.deepEqual([right, uncovered, opacity], [0, 1, 1], kind);
  }
});
