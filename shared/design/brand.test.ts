import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_BRAND, paletteOf } from './brand.ts';
import { contrastOf, MIN_CONTRAST } from './contrast.ts';

test('contrast follows WCAG 2 for known pairs', () => {
  assert.equal(contrastOf('#000000', '#FFFFFF'), 21);
  assert.equal(Math.round(contrastOf('#777777', '#FFFFFF') * 100) / 100, 4.48);
});

test('text of every brand is readable on its area', () => {
  const hex = fc
    .tuple(...[1, 2, 3].map(() => fc.integer({ min: 0, max: 255 })))
    .map((rgb) => `#${rgb.map((v) => v.toString(16).padStart(2, '0')).join('')}`);
  fc.assert(
    fc.property(hex, hex, hex, fc.constantFrom('light' as const, 'dark' as const), (paper, primary, accent, tone) => {
      const palette = paletteOf({ ...DEFAULT_BRAND, paper, primary, accent, tone });
      for (const [on, area] of [
        ['ink', 'paper'],
        ['quiet', 'paper'],
        ['on-primary', 'primary'],
        ['on-accent', 'accent'],
        ['on-second', 'second'],
      ] as const)
        assert.ok(
          contrastOf(palette[on], palette[area]) >= MIN_CONTRAST,
          `${on} on ${area}: ${JSON.stringify(palette)}`,
        );
    }),
  );
});
