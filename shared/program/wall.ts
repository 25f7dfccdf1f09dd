/** Geometry of a video wall: computes which part of the picture each panel shows. Pure. */

/** Clockwise rotation in degrees that makes the picture upright on a panel. */
export type Rotation = 0 | 90 | 180 | 270;

/** Lengths in millimetres (in wall space) or pixels (on a screen). y points down. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Lengths in millimetres, as in the wall's record. */
export interface WallGrid {
  /** Gap between the pictures of two columns. */
  readonly bezel_h_mm: number;
  /** Gap between the pictures of two rows. */
  readonly bezel_v_mm: number;
  /** Size of a panel's picture, unrotated. */
  readonly screen_w_mm: number;
  readonly screen_h_mm: number;
}

export interface WallMember {
  /** Cell of the panel: row and column, from 0. */
  readonly col: number;
  readonly row: number;
  readonly rotation: Rotation;
  /** Manual position in wall space. Missing fields follow from the cell. */
  readonly canvas: Partial<Rect> | null;
}

export interface WallGeometry {
  /** Size of the rectangle around all panels: one picture is spread over it. Zero without panels. */
  readonly canvas: Size;
  /** Tiles in the order of the wall's members (panels), with the canvas's top left corner as origin. */
  readonly tiles: readonly Rect[];
}

const swaps = (rotation: Rotation): boolean => rotation === 90 || rotation === 270;

/** Returns the size of a panel's picture after rotation: width and height are swapped at 90° and 270°. */
const hungSize = ({ screen_w_mm, screen_h_mm }: WallGrid, rotation: Rotation): Size =>
  swaps(rotation) ? { width: screen_h_mm, height: screen_w_mm } : { width: screen_w_mm, height: screen_h_mm };

/**
 * Returns the position of each panel's picture in wall space, in the order of the wall's members. A column is as wide
 * as its widest panel, a row as high as its highest; an empty column or row has the size of an unrotated panel. A
 * smaller panel is at the top left of its cell. A manually placed panel keeps its position but still counts for its
 * column and row, so that placing one panel does not move other panels.
 */
export function placeMembers(grid: WallGrid, members: readonly WallMember[]): Rect[] {
  const widths = new Map<number, number>();
  const heights = new Map<number, number>();
  for (const { col, row, rotation } of members) {
    const { width, height } = hungSize(grid, rotation);
    widths.set(col, Math.max(widths.get(col) ?? 0, width));
    heights.set(row, Math.max(heights.get(row) ?? 0, height));
  }
  const offset = (index: number, sizes: ReadonlyMap<number, number>, usual: number, gap: number): number => {
    let sum = 0;
    for (let i = 0; i < index; i++) sum += (sizes.get(i) ?? usual) + gap;
    return sum;
  };
  return members.map(({ col, row, rotation, canvas }) => ({
    x: offset(col, widths, grid.screen_w_mm, grid.bezel_h_mm),
    y: offset(row, heights, grid.screen_h_mm, grid.bezel_v_mm),
    ...hungSize(grid, rotation),
    ...canvas,
  }));
}

/** Returns tiles and canvas in the form for players: moved so that the canvas begins at 0, 0. */
export function wallGeometry(grid: WallGrid, members: readonly WallMember[]): WallGeometry {
  const placed = placeMembers(grid, members);
  if (placed.length === 0) return { canvas: { width: 0, height: 0 }, tiles: [] };
  const left = Math.min(...placed.map(({ x }) => x));
  const top = Math.min(...placed.map(({ y }) => y));
  return {
    canvas: {
      width: Math.max(...placed.map(({ x, width }) => x + width)) - left,
      height: Math.max(...placed.map(({ y, height }) => y + height)) - top,
    },
    tiles: placed.map(({ x, y, width, height }) => ({ x: x - left, y: y - top, width, height })),
  };
}
