import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOverlay, stageGeometry } from './stage-geometry.ts';
import { placement } from './testing/programs.ts';

const PANEL = { width: 1920, height: 1080 };

test('screen of 1920 × 1080 that is rotated by 90° or 270° has an upright picture of 1080 × 1920', () => {
  for (const orientation of ['90', '270'] as const) {
    assert.deepEqual(stageGeometry(PANEL, placement({ orientation })).upright, { width: 1080, height: 1920 });
  }
  assert.deepEqual(stageGeometry(PANEL, null), {
    turn: 0,
    upright: PANEL,
    canvas: { x: 0, y: 0, ...PANEL, stretchY: 1 },
  });
});

test('panel of a wall uses the rotation of its tile instead of the orientation, and the tile fills the panel', () => {
  const wall = {
    wall_id: 'w',
    canvas: { width: 820, height: 460 },
    tile: { x: 420, y: 235, width: 400, height: 225 },
    rotation: 180 as const,
    audio: true,
  };
  const { turn, upright, canvas } = stageGeometry(PANEL, placement({ orientation: '90', wall }));
  assert.equal(turn, 180);
  assert.deepEqual(upright, PANEL);
  assert.deepEqual(canvas, { x: -420 * 4.8, y: -235 * 4.8, width: 820 * 4.8, height: 460 * 4.8, stretchY: 1 });
});

test('if pixels are not square, the whole canvas is stretched, so that shapes keep their form on the wall', () => {
  const wall = {
    wall_id: 'w',
    canvas: { width: 800, height: 300 },
    tile: { x: 0, y: 150, width: 400, height: 150 },
    rotation: 0 as const,
    audio: true,
  };
  const { canvas } = stageGeometry(PANEL, placement({ wall }));
  assert.equal(canvas.stretchY, 1.5);
  assert.equal(canvas.y, -1080);
  assert.equal(canvas.width / canvas.height, 800 / 300);
});

test('tile of a wall fills the upright picture of its panel at each rotation', () => {
  for (const rotation of [0, 90, 180, 270] as const) {
    const part = { canvas: { width: 825, height: 645 }, tile: { x: 410, y: 235, width: 400, height: 225 } };
    const { upright, canvas } = stageGeometry(
      PANEL,
      placement({ wall: { wall_id: 'w', ...part, rotation, audio: false } }),
    );
    const across = canvas.width / part.canvas.width;
    const down = (canvas.height * canvas.stretchY) / part.canvas.height;
    const filled = [
      canvas.x + part.tile.x * across,
      canvas.y + part.tile.y * down,
      part.tile.width * across,
      part.tile.height * down,
    ];
    assert.deepEqual(filled.map(Math.round), [0, 0, upright.width, upright.height]);
  }
});

test('overlays have a margin of 32 px on a 1080-line screen, and lose the margin before they are made smaller', () => {
  const small = { width: 480, height: 360 };
  assert.deepEqual(placeOverlay(PANEL, small, 'top-left'), { x: 32, y: 32, ...small });
  assert.deepEqual(placeOverlay(PANEL, small, 'top-right'), { x: 1408, y: 32, ...small });
  assert.deepEqual(placeOverlay(PANEL, small, 'bottom-left'), { x: 32, y: 688, ...small });
  assert.deepEqual(placeOverlay(PANEL, small, 'bottom-right'), { x: 1408, y: 688, ...small });
  assert.deepEqual(placeOverlay(PANEL, small, 'center'), { x: 720, y: 360, ...small });
  assert.deepEqual(placeOverlay(PANEL, { width: 1900, height: 3840 }, 'bottom-right'), {
    x: 10,
    y: 0,
    width: 1900,
    height: 1080,
  });
});
