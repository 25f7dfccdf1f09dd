import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ArrowKey, nearestToward, type Place } from './toward.ts';

const at = (left: number, top: number, width = 90, height = 40): Place => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const step = (places: readonly Place[], from: number, key: ArrowKey) => nearestToward(places[from]!, places, key);

test('in a grid of tiles, each arrow leads to the neighbour on its side, and nowhere at the edge', () => {
  const tiles = Array.from({ length: 9 }, (_, i) => at((i % 3) * 100, Math.floor(i / 3) * 50));
  assert.deepEqual(
    (['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const).map((key) => step(tiles, 4, key)),
    [3, 5, 1, 7],
  );
  assert.deepEqual(
    [step(tiles, 0, 'ArrowLeft'), step(tiles, 2, 'ArrowRight'), step(tiles, 8, 'ArrowDown')],
    [undefined, undefined, undefined],
  );
});

test('in a week, up and down keys stay in the day, and left and right keys lead to the nearest item of another day', () => {
  const monday = [at(0, 80, 90, 20), at(0, 300, 90, 60)];
  const wednesday = [at(200, 90, 90, 30), at(200, 310, 90, 30)];
  const week = [...monday, ...wednesday];
  assert.equal(step(week, 0, 'ArrowDown'), 1);
  assert.equal(step(week, 1, 'ArrowDown'), undefined);
  assert.equal(step(week, 0, 'ArrowRight'), 2);
  assert.equal(step(week, 1, 'ArrowRight'), 3);
  assert.equal(step(week, 3, 'ArrowLeft'), 1);
});

test('in a timetable, left and right keys stay in the row, and up and down keys lead to the nearest item of another row', () => {
  const lines = [at(100, 0), at(300, 0), at(220, 50), at(600, 50)];
  const next = (from: number, key: ArrowKey) => nearestToward(lines[from]!, lines, key, 'rows');
  assert.deepEqual(
    [next(0, 'ArrowRight'), next(1, 'ArrowRight'), next(0, 'ArrowDown'), next(3, 'ArrowUp')],
    [1, undefined, 2, 1],
  );
});

test('items side by side at the same time are reached from each other, and none of them is skipped', () => {
  const lanes = [at(0, 100, 44, 80), at(45, 120, 44, 20), at(0, 185, 90, 20)];
  assert.equal(step(lanes, 0, 'ArrowRight'), 1);
  assert.equal(step(lanes, 1, 'ArrowDown'), 2);
  assert.equal(step(lanes, 2, 'ArrowUp'), 0);
});
