import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Glimpse, nextWindow } from '../../../shared/protocol/wall/glimpse.ts';
import { WallSync } from './wall-sync.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
const EVERY_MS = 15_000;
const hang = () => {
  let now = NOON;
  const walls = new WallSync(() => now);
  return {
    walls,
    pass: (ms: number) => void (now += ms),
    /** Returns the report of a panel that shows a clip with 25 frames per second, `late` ms after the other panels. */
    glimpse: (late: number, zone_id = 'full'): Glimpse => ({
      window: nextWindow(now).number - 1,
      zone_id,
      pictures: Array.from({ length: 51 }, (_, n) => [n * 40 - 20 + (n === 0 ? 0 : late), n * 40, 1]),
    }),
  };
};

test('panels of a wall are compared when all connected panels have reported, without waiting for older players', () => {
  const { walls, glimpse, pass } = hang();
  walls.record('w', 'a', ['a', 'b', 'old'], [glimpse(0)]);
  walls.record('w', 'b', ['a', 'b', 'old'], [glimpse(10)]);
  assert.equal(walls.of('w'), undefined, 'the third may still tell');
  for (let n = 0; n < 3; n++) {
    pass(EVERY_MS);
    for (const [panel, late] of [
      ['a', 0],
      ['b', 10],
    ] as const)
      walls.record('w', panel, ['a', 'b', 'old'], [glimpse(late)]);
  }
  const found = walls.of('w');
  assert.deepEqual([found?.panels, found?.apart_p50_ms, found?.apart_p99_ms, found?.change_p99_ms], [2, 0, 40, null]);
  assert.ok(Math.abs((found?.same_share ?? 0) - 0.75) < 0.01, `${found?.same_share}`);
});

test('measurements of a wall cover the last five minutes and expire some time after the last report', () => {
  const { walls, glimpse, pass } = hang();
  const tell = (late: number) => {
    walls.record('w', 'a', ['a', 'b'], [glimpse(0)]);
    walls.record('w', 'b', ['a', 'b'], [glimpse(late)]);
    pass(EVERY_MS);
  };
  for (let n = 0; n < 5; n++) tell(30);
  assert.ok((walls.of('w')?.same_share ?? 1) < 0.3);
  for (let n = 0; n < 20; n++) tell(0);
  assert.equal(walls.of('w')?.same_share, 1);
  pass(2 * 60_000);
  assert.equal(walls.of('w'), undefined);
});

test('zones of a wall are compared separately, and still pictures by the time of their change', () => {
  const { walls, glimpse } = hang();
  const still = (late: number): Glimpse => ({
    ...glimpse(0, 'side'),
    pictures: [
      [-1, -8_000, 0],
      [500 + late, 500, 0],
    ],
  });
  walls.record('w', 'a', ['a', 'b'], [glimpse(0), still(0)]);
  walls.record('w', 'b', ['a', 'b'], [glimpse(0), still(16)]);
  assert.deepEqual(walls.of('w')?.change_p99_ms, 16);
  assert.ok((walls.of('w')?.same_share ?? 0) > 0.99);
});

test('panel with a different clock or outdated reports is left out, and each wall is measured separately', () => {
  const { walls, glimpse } = hang();
  for (const window of [0, nextWindow(NOON).number - 50, nextWindow(NOON).number + 1, Number.MAX_SAFE_INTEGER]) {
    walls.record('w', 'a', ['a', 'b'], [{ ...glimpse(0), window }]);
    walls.record('w', 'b', ['a', 'b'], [{ ...glimpse(0), window }]);
  }
  assert.equal(walls.of('w'), undefined);
  assert.equal(walls.of('other'), undefined);
});
