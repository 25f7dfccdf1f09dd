import { type Rect, type Rotation, type WallGrid, wallGeometry } from '../../shared/program/wall.ts';

/** A wall member as it is stored: canvas members null where they follow from the cell. */
export interface StoredMember {
  readonly device_id: string;
  readonly grid_col: number;
  readonly grid_row: number;
  readonly rotation: number;
  readonly canvas_x: number | null;
  readonly canvas_y: number | null;
  readonly canvas_width: number | null;
  readonly canvas_height: number | null;
}

export interface WallTiles {
  /** Extent of the members, millimetres. */
  readonly canvas: { readonly width: number; readonly height: number };
  /** Each member's part of it, by device. */
  readonly tiles: ReadonlyMap<string, Rect>;
}

export const toWallMember = (m: StoredMember) => ({
  col: m.grid_col,
  row: m.grid_row,
  rotation: m.rotation as Rotation,
  canvas:
    m.canvas_x === null || m.canvas_y === null || m.canvas_width === null || m.canvas_height === null
      ? null
      : { x: m.canvas_x, y: m.canvas_y, width: m.canvas_width, height: m.canvas_height },
});

export const tilesOf = (grid: WallGrid, members: readonly StoredMember[]): WallTiles => {
  const { canvas, tiles } = wallGeometry(grid, members.map(toWallMember));
  return { canvas, tiles: new Map(members.map((m, i) => [m.device_id, tiles[i]!])) };
};
