import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeMembers, type Rect, type Rotation, type WallMember, wallGeometry } from './wall.ts';

const grid = { bezel_h_mm: 10, bezel_v_mm: 20, screen_w_mm: 400, screen_h_mm: 225 };
const at = (col: number, row: number, rotation: Rotation = 0, canvas: Partial<Rect> | null = null): WallMember => ({
  col,
  row,
  rotation,
  canvas,
});

test('pictures of a 2 × 2 wall are separated by the gaps of the bezels', () => {
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

test('rotated panels swap width and height, and a column is as wide as its widest panel', () => {
  assert.deepEqual(placeMembers(grid, [at(0, 0, 90), at(1, 0, 270), at(1, 1), at(2, 0)]), [
    { x: 0, y: 0, width: 225, height: 400 },
    { x: 235, y: 0, width: 225, height: 400 },
    { x: 235, y: 420, width: 400, height: 225 },
    { x: 645, y: 0, width: 400, height: 225 },
  ]);
});

test('empty first column is not part of the canvas, which begins at the first picture', () => {
  const { canvas, tiles } = wallGeometry(grid, [at(1, 1), at(2, 1)]);
  assert.deepEqual(canvas, { width: 810, height: 225 });
  assert.deepEqual(tiles[0], { x: 0, y: 0, width: 400, height: 225 });
});

test('manually placed panel keeps its position, and the positions of all other panels stay the same', () => {
  const { canvas, tiles } = wallGeometry(grid, [at(0, 0, 0, { x: -50, y: 30, width: 300, height: 200 }), at(1, 0)]);
  assert.deepEqual(tiles, [
    { x: 0, y: 30, width: 300, height: 200 },
    { x: 460, y: 0, width: 400, height: 225 },
  ]);
  assert.deepEqual(canvas, { width: 860, height: 230 });
});

test('missing fields of a position that was set by hand are computed from the cell of the panel', () => {
  assert.deepEqual(
    placeMembers(grid, [at(1, 1, 0, { x: 1000 }), at(0, 0, 90, { width: 300, y: 5 }), at(0, 1, 0, {})]),
    [
      { x: 1000, y: 420, width: 400, height: 225 },
      { x: 0, y: 5, width: 300, height: 400 },
      { x: 0, y: 420, width: 400, height: 225 },
    ],
  );
});

test('wall without panels has no extent', () => {
  assert.deepEqual(wallGeometry(grid, []), { canvas: { width: 0, height: 0 }, tiles: [] });
});
