import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { overlayArea, overlayAreas } from './overlay-area.ts';

const side = fc.integer({ min: 200, max: 8_000 });

test('every overlay area lies within the screen, on the side that its name says', () => {
  fc.assert(
    fc.property(side, side, fc.constantFrom(...overlayAreas), (width, height, area) => {
      const at = overlayArea(area, { width, height });
      assert.ok(at.x >= 0 && at.y >= 0 && at.x + at.width <= width && at.y + at.height <= height);
      assert.ok(at.width > 0 && at.height > 0);
      const [middle, centre] = [at.x + at.width / 2, at.y + at.height / 2];
      if (area.endsWith('left')) assert.ok(middle < width / 2);
      if (area.endsWith('right')) assert.ok(middle > width / 2);
      if (area.startsWith('top')) assert.ok(centre < height / 2);
      if (area.startsWith('bottom')) assert.ok(centre > height / 2);
      if (!area.includes('-')) assert.ok(Math.abs(middle - width / 2) <= 1);
    }),
  );
});

test("area `full` is the whole screen, and a band has the screen's width and the same height in both orientations", () => {
  assert.deepEqual(overlayArea('full', { width: 7_680, height: 4_320 }), { x: 0, y: 0, width: 7_680, height: 4_320 });
  assert.deepEqual(overlayArea('bottom', { width: 1_920, height: 1_080 }), { x: 0, y: 821, width: 1_920, height: 259 });
  assert.deepEqual(overlayArea('top', { width: 1_080, height: 1_920 }), { x: 0, y: 0, width: 1_080, height: 259 });
});
