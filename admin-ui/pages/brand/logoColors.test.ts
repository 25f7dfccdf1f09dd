import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mainColors } from './logoColors.ts';

type Pixel = readonly [red: number, green: number, blue: number, alpha?: number];
const picture = (...parts: readonly (readonly [count: number, pixel: Pixel])[]): number[] =>
  parts.flatMap(([count, [red, green, blue, alpha = 255]]) =>
    Array.from({ length: count }, () => [red, green, blue, alpha]).flat(),
  );

test('main colours of a logo are its two most frequent saturated colours, the most frequent first', () => {
  const logo = picture([30, [20, 60, 160]], [50, [200, 30, 40]], [10, [30, 160, 60]]);
  assert.deepEqual(mainColors(logo), ['#C81E28', '#143CA0']);
});

test('white, black, grey and transparent pixels are no colours of a logo', () => {
  const logo = picture([90, [255, 255, 255]], [90, [5, 5, 5]], [90, [128, 128, 130]], [90, [255, 0, 0, 20]]);
  assert.deepEqual(mainColors(logo), []);
  assert.deepEqual(mainColors([...logo, ...picture([9, [0, 120, 60]])]), ['#00783C']);
});

test('shades of one hue are one colour, and rare colours are left out', () => {
  const logo = picture([60, [200, 30, 40]], [30, [210, 60, 30]], [2, [20, 60, 160]]);
  assert.equal(mainColors(logo).length, 1);
});
