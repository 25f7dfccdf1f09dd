import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cellsOf,
  draggedTo,
  extentOf,
  freeCell,
  inchesOf,
  membersOf,
  movedToCell,
  type PanelDraft,
  panelSize,
  placed,
  turned,
  type WallDraft,
  withGrid,
  withoutPanel,
} from './wall.utils.ts';

const panel = (device_id: string, col: number, row: number): PanelDraft => ({
  device_id,
  name: device_id,
  col,
  row,
  rotation: 0,
  canvas: null,
});
const wall: WallDraft = {
  name: 'W',
  grid_cols: 2,
  grid_rows: 1,
  bezel_h_mm: 10,
  bezel_v_mm: 10,
  screen_w_mm: 400,
  screen_h_mm: 225,
  leader_device_id: 'a',
  content_id: null,
  playlist_id: null,
  panels: [panel('a', 0, 0), panel('b', 1, 0)],
};

test('panel that is moved to an occupied cell swaps places with the panel there', () => {
  assert.deepEqual(
    movedToCell(wall, 'a', 1, 0).panels.map((p) => [p.device_id, p.col]),
    [
      ['a', 1],
      ['b', 0],
    ],
  );
  assert.equal(movedToCell(wall, 'a', 2, 0), wall, 'outside the grid nothing happens');
});

test('panel that is not freely placed is at its cell, with gaps between cells', () => {
  assert.deepEqual(placed(wall)[1], { x: 410, y: 0, width: 400, height: 225 });
  const [cell] = cellsOf(withoutPanel(wall, 'b'));
  assert.deepEqual([cell?.x, cell?.col], [410, 1]);
  assert.equal(freeCell(wall), undefined);
  assert.deepEqual(freeCell(withoutPanel(wall, 'a')), { col: 0, row: 0 });
});

test('freely placed panel keeps its middle when it is rotated', () => {
  const { rotation, canvas } = turned({ ...panel('a', 0, 0), canvas: { x: 0, y: 0, width: 400, height: 200 } });
  assert.deepEqual([rotation, canvas], [90, { x: 100, y: -100, width: 200, height: 400 }]);
});

test('smaller grid removes panels outside it, and the leader role of a removed panel', () => {
  const small = withGrid({ ...wall, leader_device_id: 'b' }, { grid_cols: 1 });
  assert.deepEqual([small.panels.length, small.leader_device_id], [1, null]);
});

test('position of a panel is sent only if the panel is freely placed', () => {
  const [a, b] = membersOf({
    ...wall,
    panels: [panel('a', 0, 0), { ...panel('b', 1, 0), canvas: { x: 420, y: 5, width: 400, height: 225 } }],
  });
  assert.equal(a && 'canvas_x' in a, false);
  assert.equal(b?.canvas_x, 420);
});

test('dragged panel snaps to other panels at the distance of a bezel', () => {
  const rect = draggedTo(
    { x: 413, y: 2, width: 400, height: 225 },
    [{ x: 0, y: 0, width: 400, height: 225 }],
    { h: 10, v: 10 },
    5,
  );
  assert.deepEqual([rect.x, rect.y], [410, 0]);
  assert.equal(draggedTo({ ...rect, x: 413 }, [], { h: 10, v: 10 }, 0).x, 413);
});

test('drawing has room for panels beyond the grid', () => {
  assert.deepEqual(
    extentOf({ ...wall, panels: [{ ...panel('a', 0, 0), canvas: { x: -50, y: -20, width: 400, height: 225 } }] }),
    { x: -50, y: -20, width: 860, height: 245 },
  );
});

test('panel of 55 inches at 16:9 is 1217.6 by 684.9 mm, and the size gives 55 inches', () => {
  const size = panelSize(55, 16 / 9);
  assert.deepEqual(size, { screen_w_mm: 1217.6, screen_h_mm: 684.9 });
  assert.equal(inchesOf(size), 55);
});
