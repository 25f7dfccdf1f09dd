/** Geometry of a video wall: which part of the picture each panel shows. Pure numbers. */

/** Degrees clockwise the picture is turned to appear upright on a panel. */
export type Rotation = 0 | 90 | 180 | 270;

/** Millimetres (in wall space) or pixels (on a screen); y goes down. */
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

/** Lengths in millimetres, as in the wall's record (decisions, Walls). */
export interface WallGrid {
  /** Gap between the pictures of two columns. */
  readonly bezel_h_mm: number;
  /** Gap between the pictures of two rows. */
  readonly bezel_v_mm: number;
  /** A panel's picture, unrotated. */
  readonly screen_w_mm: number;
  readonly screen_h_mm: number;
}

export interface WallMember {
  /** 0-based cell. */
  readonly col: number;
  readonly row: number;
  readonly rotation: Rotation;
  /** Placed by hand, in wall space; what it does not say follows from the cell. */
  readonly canvas: Partial<Rect> | null;
}

export interface WallGeometry {
  /** Extent of all members' pictures: what one picture spread over the wall fills. Zero without members. */
  readonly canvas: Size;
  /** In the members' order, with the canvas's top left corner as origin. */
  readonly tiles: readonly Rect[];
}

const swaps = (rotation: Rotation): boolean => rotation === 90 || rotation === 270;

/** A panel's picture as it hangs: width and height change places at 90 and 270. */
const hungSize = ({ screen_w_mm, screen_h_mm }: WallGrid, rotation: Rotation): Size =>
  swaps(rotation) ? { width: screen_h_mm, height: screen_w_mm } : { width: screen_w_mm, height: screen_h_mm };

/**
 * Where each member's picture is in wall space, in the members' order. A column is as wide as the widest panel that
 * hangs in it, a row as high as the highest, an empty one as an unrotated panel; a smaller panel sits at the top left
 * of its cell. A member placed by hand keeps its place, yet counts for its column and row, so that placing one panel
 * does not move the others.
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

/** Tiles and canvas as the players get them: moved so that the canvas begins at 0, 0. */
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
