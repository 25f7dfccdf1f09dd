import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HANDLES, halved, inside, moved, nudged, placeFor, resized, SMALLEST } from './canvas.utils.ts';

const zone = { x: 10, y: 10, width: 30, height: 20 };
const near = { others: [{ x: 60, y: 0, width: 40, height: 50 }], nearX: 1.5, nearY: 1.5 };

test("zone that is moved near another zone's edge snaps to it, and the guide line is returned", () => {
  assert.deepEqual(moved(zone, 19, 0, near), {
    rect: { x: 30, y: 10, width: 30, height: 20 },
    guides: { x: [60], y: [] },
  });
});

test('middle of a zone snaps to the middle of the picture', () => {
  const { rect, guides } = moved(zone, 24, 0, { ...near, others: [] });
  assert.equal(rect.x, 35);
  assert.deepEqual(guides.x, [50]);
});

test('zone moves in whole percents when nothing is near, and in hundredths without snapping', () => {
  assert.equal(moved(zone, 7.3, 0, near).rect.x, 17);
  assert.equal(moved(zone, 7.314, 0).rect.x, 17.31);
});

test('dragged edge snaps to other edges, and the opposite edge stays', () => {
  const { rect, guides } = resized(zone, 'e', 19, 0, near);
  assert.deepEqual(rect, { ...zone, width: 50 });
  assert.deepEqual(guides, { x: [60], y: [] });
  assert.deepEqual(resized(zone, 'nw', -50, 5).rect, { x: 0, y: 15, width: 40, height: 15 });
});

test('arrow keys move a zone by 1 percent, with Shift by 10, with Ctrl by 0.1, and resize it with Alt', () => {
  const plain = { shiftKey: false, altKey: false, ctrlKey: false };
  assert.equal(nudged(zone, { dx: 1, dy: 0, ...plain }).x, 11);
  assert.equal(nudged(zone, { dx: 1, dy: 0, ...plain, shiftKey: true }).x, 20);
  assert.equal(nudged(zone, { dx: 0, dy: -1, ...plain, ctrlKey: true }).y, 9.9);
  assert.equal(nudged(zone, { dx: 1, dy: 0, ...plain, altKey: true }).width, 31);
  assert.equal(nudged(zone, { dx: 0, dy: 1, ...plain, altKey: true, shiftKey: true }).height, 30);
});

test('zone stays inside the picture and large enough to grasp after any drag', () => {
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  const anyRect = fc.record({ x: percent, y: percent, width: percent, height: percent }).map(inside);
  const by = fc.double({ min: -200, max: 200, noNaN: true });
  fc.assert(
    fc.property(
      anyRect,
      fc.array(anyRect, { maxLength: 3 }),
      fc.constantFrom(...HANDLES, 'move' as const),
      by,
      by,
      fc.boolean(),
      (start, others, how, dx, dy, free) => {
        const snap = free ? undefined : { others, nearX: 2, nearY: 2 };
        const { rect } = how === 'move' ? moved(start, dx, dy, snap) : resized(start, how, dx, dy, snap);
        const slack = 0.011;
        assert.ok(
          rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= 100 + slack && rect.y + rect.height <= 100 + slack,
          JSON.stringify(rect),
        );
        assert.ok(rect.width >= SMALLEST - slack && rect.height >= SMALLEST - slack, JSON.stringify(rect));
      },
    ),
  );
});

test('new zone takes the largest free space, and never exactly covers another zone', () => {
  const whole = { x: 0, y: 0, width: 100, height: 100 };
  assert.deepEqual(placeFor([]), whole);
  assert.deepEqual(placeFor([{ x: 0, y: 0, width: 60, height: 100 }]), { x: 60, y: 0, width: 40, height: 100 });
  assert.deepEqual(
    placeFor([
      { x: 0, y: 0, width: 100, height: 80 },
      { x: 0, y: 80, width: 30, height: 20 },
    ]),
    { x: 30, y: 80, width: 70, height: 20 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), (count) => {
      const placed = [whole];
      for (let n = 0; n < count; n++) placed.push(placeFor(placed));
      const corners = new Set(placed.map(({ x, y }) => `${x} ${y}`));
      return corners.size === placed.length && placed.every((r) => r.x + r.width <= 100 && r.y + r.height <= 100);
    }),
  );
});

test('zone is divided across its longer side into halves, unless they would be too small to grasp', () => {
  const screen = { width: 1920, height: 1080 };
  assert.deepEqual(halved({ x: 0, y: 0, width: 100, height: 100 }, screen), [
    { x: 0, y: 0, width: 50, height: 100 },
    { x: 50, y: 0, width: 50, height: 100 },
  ]);
  assert.deepEqual(halved({ x: 10, y: 20, width: 33, height: 75 }, screen), [
    { x: 10, y: 20, width: 33, height: 37.5 },
    { x: 10, y: 57.5, width: 33, height: 37.5 },
  ]);
  assert.equal(halved({ x: 0, y: 0, width: 3, height: 1 }, screen), undefined);
});
