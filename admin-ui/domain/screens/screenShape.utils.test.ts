import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapesOf, turnedTo } from './screenShape.utils.ts';

const screen = (orientation: '0' | '90' | '180' | '270', screen_width = 1920, screen_height = 1080) => ({
  orientation,
  screen_width,
  screen_height,
});

test('shape of screens follows their rotation and pixels, and the most frequent shape comes first', () => {
  assert.deepEqual(shapesOf([]), []);
  assert.deepEqual(shapesOf([screen('0'), screen('180')]), ['landscape']);
  assert.deepEqual(shapesOf([screen('90')]), ['portrait']);
  assert.deepEqual(shapesOf([screen('0', 1080, 1920)]), ['portrait']);
  assert.deepEqual(shapesOf([screen('270', 1080, 1920)]), ['landscape']);
  assert.deepEqual(shapesOf([screen('0'), screen('90'), screen('270')]), ['portrait', 'landscape']);
});

test('screen without reported pixels counts as landscape', () => {
  assert.deepEqual(shapesOf([screen('0', 0, 0)]), ['landscape']);
  assert.deepEqual(shapesOf([screen('90', 0, 0)]), ['portrait']);
});

test('picture is rotated only if its shape differs from the wanted shape', () => {
  assert.deepEqual(turnedTo({ width: 1920, height: 1080 }, 'portrait'), { width: 1080, height: 1920 });
  assert.deepEqual(turnedTo({ width: 1080, height: 1920 }, 'portrait'), { width: 1080, height: 1920 });
});
