import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  placeMembers,
  type Rect,
  type Rotation,
  type ScreenTransform,
  screenTransform,
  type WallMember,
  wallGeometry,
} from './wall.ts';

const grid = { bezel_h_mm: 10, bezel_v_mm: 20, screen_w_mm: 400, screen_h_mm: 225 };
const at = (col: number, row: number, rotation: Rotation = 0, canvas: Partial<Rect> | null = null): WallMember => ({
  col,
  row,
  rotation,
  canvas,
});
const rotation = fc.constantFrom<Rotation>(0, 90, 180, 270);

/** Where a point of the element (in pixels) lands on the panel. */
const project = ({ matrix: [a, b, c, d, e, f] }: ScreenTransform, x: number, y: number) => [
  a * x + c * y + e,
  b * x + d * y + f,
];
const near = (actual: readonly number[], expected: readonly number[]) =>
  assert.ok(
    actual.every((value, i) => Math.abs(value - (expected[i] as number)) < 1e-6),
    `${actual} is not ${expected}`,
  );

test('a 2 × 2 wall has the bezel gaps between its pictures', () => {
  assert.deepEqual(wallGeometry(grid, [at(0, 0), at(1, 0), at(0, 1), at(1, 1)]), {
    canvas: { width: 810, height: 470 },
    tiles: [
      { x: 0, y: 0, width: 400, height: 225 },
      { x: 410, y: 0, width: 400, height: 225 },
      { x: 0, y: 245, width: 400, height: 225 },
      { x: 410, y: 245, width: 400, height: 225 },
    ],
  });
});

test('panels on end swap width and height, and their column is as wide as its widest panel', () => {
  assert.deepEqual(placeMembers(grid, [at(0, 0, 90), at(1, 0, 270), at(1, 1), at(2, 0)]), [
    { x: 0, y: 0, width: 225, height: 400 },
    { x: 235, y: 0, width: 225, height: 400 },
    { x: 235, y: 420, width: 400, height: 225 },
    { x: 645, y: 0, width: 400, height: 225 },
  ]);
});

test('an empty first column takes no part in the canvas, which begins at the first picture', () => {
  const { canvas, tiles } = wallGeometry(grid, [at(1, 1), at(2, 1)]);
  assert.deepEqual(canvas, { width: 810, height: 225 });
  assert.deepEqual(tiles[0], { x: 0, y: 0, width: 400, height: 225 });
});

test('a panel placed by hand stays there and moves no other', () => {
  const { canvas, tiles } = wallGeometry(grid, [at(0, 0, 0, { x: -50, y: 30, width: 300, height: 200 }), at(1, 0)]);
  assert.deepEqual(tiles, [
    { x: 0, y: 30, width: 300, height: 200 },
    { x: 460, y: 0, width: 400, height: 225 },
  ]);
  assert.deepEqual(canvas, { width: 860, height: 230 });
});

test('what a panel placed by hand does not say follows from its cell', () => {
  assert.deepEqual(
    placeMembers(grid, [at(1, 1, 0, { x: 1000 }), at(0, 0, 90, { width: 300, y: 5 }), at(0, 1, 0, {})]),
    [
      { x: 1000, y: 420, width: 400, height: 225 },
      { x: 0, y: 5, width: 300, height: 400 },
      { x: 0, y: 420, width: 400, height: 225 },
    ],
  );
});

test('a wall without members has no extent', () => {
  assert.deepEqual(wallGeometry(grid, []), { canvas: { width: 0, height: 0 }, tiles: [] });
});

test('whatever the rotation, the four corners of the tile land on the four corners of the panel', () => {
  const length = fc.integer({ min: 1, max: 4_000 });
  fc.assert(
    fc.property(length, length, length, length, length, length, rotation, (w, h, x, y, tw, th, turn) => {
      const panel = { width: w, height: h };
      const canvas = { width: x + tw + 100, height: y + th + 100 };
      const tile = { x, y, width: tw, height: th };
      const transform = screenTransform(panel, turn, { canvas, tile });
      const [sx, sy] = [transform.width / canvas.width, transform.height / canvas.height];
      // Going clockwise round the panel from its top left, as the upright picture's corners follow after turning it.
      const corners = [
        [0, 0],
        [w, 0],
        [w, h],
        [0, h],
      ];
      const upright = [
        [x, y],
        [x + tw, y],
        [x + tw, y + th],
        [x, y + th],
      ];
      upright.forEach(([px, py], i) => {
        near(project(transform, (px as number) * sx, (py as number) * sy), corners[(i + turn / 90) % 4] as number[]);
      });
    }),
  );
});

test('a screen on its own at 90 degrees is a picture on end, its top at the right of the panel', () => {
  const transform = screenTransform({ width: 1920, height: 1080 }, 90);
  assert.deepEqual(transform, { width: 1080, height: 1920, matrix: [0, 1, -1, 0, 1920, 0] });
});

test('pixels that are not square are stretched by the transform, the element keeps square millimetres', () => {
  const part = { canvas: { width: 800, height: 225 }, tile: { x: 0, y: 0, width: 400, height: 225 } };
  const transform = screenTransform({ width: 1366, height: 768 }, 0, part);
  near([transform.width / transform.height], [800 / 225]);
  near(project(transform, transform.width, transform.height), [2732, 768]);
});
