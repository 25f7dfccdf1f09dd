import { type Rect, type Rotation, type WallGrid, wallGeometry } from '../../shared/program/wall.ts';

/** A stored wall member. Canvas values are null when they follow from the row and column. */
interface StoredMember {
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
  /** Size of the area that all members of the wall cover together, in millimetres. */
  readonly canvas: { readonly width: number; readonly height: number };
  /** The rectangle of each device in this area. */
  readonly tiles: ReadonlyMap<string, Rect>;
}

export const toWallMember = (m: StoredMember) => ({
  col: m.grid_col,
  row: m.grid_row,
  rotation: m.rotation as Rotation,
  canvas: {
    ...(m.canvas_x !== null && { x: m.canvas_x }),
    ...(m.canvas_y !== null && { y: m.canvas_y }),
    ...(m.canvas_width !== null && { width: m.canvas_width }),
    ...(m.canvas_height !== null && { height: m.canvas_height }),
  },
});

/**
 * Returns the leading panel: by default the first member. The leading panel plays the sound, and all panels align their
 * refresh to it.
 * @param members by row, then column
 */
export const leaderOf = (
  wall: { readonly leader_device_id: string | null },
  members: readonly StoredMember[],
): string | undefined => wall.leader_device_id ?? members[0]?.device_id;

export const tilesOf = (grid: WallGrid, members: readonly StoredMember[]): WallTiles => {
  const { canvas, tiles } = wallGeometry(grid, members.map(toWallMember));
  return { canvas, tiles: new Map(members.map((m, i) => [m.device_id, tiles[i]!])) };
};
