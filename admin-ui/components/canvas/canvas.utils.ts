/** Moves and resizes zones. Pure functions; all values are in percent of the picture, as the server stores them. */
import { type Arrow, stepOf } from '../hooks/useDrag.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export type Handle = 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';
export const HANDLES: readonly Handle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

/** Minimum width and height of a zone in percent. A smaller zone could not be grasped again. */
export const SMALLEST = 2;

/** Guide lines to which a zone has snapped, in percent: positions of vertical (`x`) and horizontal (`y`) lines. */
export interface Guides {
  readonly x: readonly number[];
  readonly y: readonly number[];
}
export interface Placed {
  readonly rect: Rect;
  readonly guides: Guides;
}
export const NO_GUIDES: Guides = { x: [], y: [] };

/** Zones to snap to, and the snap distance in percent of the width and of the height. */
export interface Snap {
  readonly others: readonly Rect[];
  readonly nearX: number;
  readonly nearY: number;
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
/** Rounds to hundredths of a percent, so that the stored value equals the displayed value. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
const roundRect = (r: Rect): Rect => ({
  x: rounded(r.x),
  y: rounded(r.y),
  width: rounded(r.width),
  height: rounded(r.height),
});

/** Returns the rectangle moved and shrunk so that it is inside the picture. */
export const inside = (r: Rect): Rect => {
  const width = clamp(r.width, SMALLEST, 100);
  const height = clamp(r.height, SMALLEST, 100);
  return roundRect({ x: clamp(r.x, 0, 100 - width), y: clamp(r.y, 0, 100 - height), width, height });
};

const linesOf = (others: readonly Rect[], axis: 'x' | 'y'): number[] => [
  0,
  50,
  100,
  ...others.flatMap((r) =>
    axis === 'x' ? [r.x, r.x + r.width / 2, r.x + r.width] : [r.y, r.y + r.height / 2, r.y + r.height],
  ),
];

/** Returns the smallest movement that brings one of the edges onto a guide line; undefined if no line is near. */
const pull = (
  edges: readonly number[],
  lines: readonly number[],
  near: number,
): { by: number; line: number } | undefined => {
  let best: { by: number; line: number } | undefined;
  for (const edge of edges) {
    for (const line of lines) {
      const by = line - edge;
      if (Math.abs(by) <= near && (!best || Math.abs(by) < Math.abs(best.by))) best = { by, line };
    }
  }
  return best;
};

/** @param snap absent: moves freely */
export const moved = (start: Rect, dx: number, dy: number, snap?: Snap): Placed => {
  const free = inside({ ...start, x: start.x + dx, y: start.y + dy });
  if (!snap) return { rect: free, guides: NO_GUIDES };
  const px = pull([free.x, free.x + free.width / 2, free.x + free.width], linesOf(snap.others, 'x'), snap.nearX);
  const py = pull([free.y, free.y + free.height / 2, free.y + free.height], linesOf(snap.others, 'y'), snap.nearY);
  // Rounds to whole percents if no line is near.
  const x = px ? free.x + px.by : Math.round(free.x);
  const y = py ? free.y + py.by : Math.round(free.y);
  return { rect: inside({ ...free, x, y }), guides: { x: px ? [px.line] : [], y: py ? [py.line] : [] } };
};

/** Moves one edge of a zone by `by` percent. The opposite edge stays. */
const edge = (
  low: number,
  size: number,
  by: number,
  which: 'low' | 'high',
  lines: readonly number[] | undefined,
  near: number,
): { low: number; size: number; guides: number[] } => {
  const high = low + size;
  const free = which === 'low' ? clamp(low + by, 0, high - SMALLEST) : clamp(high + by, low + SMALLEST, 100);
  const found = lines && pull([free], lines, near);
  const at = found ? found.line : lines ? Math.round(free) : free;
  const kept = which === 'low' ? clamp(at, 0, high - SMALLEST) : clamp(at, low + SMALLEST, 100);
  const guides = found && found.line === kept ? [found.line] : [];
  return which === 'low' ? { low: kept, size: high - kept, guides } : { low, size: kept - low, guides };
};

export const resized = (start: Rect, handle: Handle, dx: number, dy: number, snap?: Snap): Placed => {
  const across = handle.includes('w') ? ('low' as const) : handle.includes('e') ? ('high' as const) : undefined;
  const down = handle.includes('n') ? ('low' as const) : handle.includes('s') ? ('high' as const) : undefined;
  const x = across && edge(start.x, start.width, dx, across, snap && linesOf(snap.others, 'x'), snap?.nearX ?? 0);
  const y = down && edge(start.y, start.height, dy, down, snap && linesOf(snap.others, 'y'), snap?.nearY ?? 0);
  return {
    rect: roundRect({
      x: x?.low ?? start.x,
      y: y?.low ?? start.y,
      width: x?.size ?? start.width,
      height: y?.size ?? start.height,
    }),
    guides: { x: x?.guides ?? [], y: y?.guides ?? [] },
  };
};

/**
 * Returns the rectangle after an arrow key: moved by 1 percent, by 10 with Shift, by 0.1 with Ctrl; resized with
 * Alt.
 */
export const nudged = (rect: Rect, { dx, dy, altKey, ...keys }: Arrow): Rect => {
  const step = stepOf(keys);
  return altKey ? resized(rect, 'se', dx * step, dy * step).rect : moved(rect, dx * step, dy * step).rect;
};

/**
 * Returns the two halves of a zone, divided across its longer side in pixels. Undefined if the halves would be too
 * small to grasp.
 */
export const halved = (
  rect: Rect,
  picture: { readonly width: number; readonly height: number },
): readonly [Rect, Rect] | undefined => {
  const { x, y, width, height } = rect;
  const isWide = width * picture.width >= height * picture.height;
  if ((isWide ? width : height) < 2 * SMALLEST) return undefined;
  const [w, h] = isWide ? [rounded(width / 2), height] : [width, rounded(height / 2)];
  return [
    { x, y, width: w, height: h },
    isWide
      ? { x: rounded(x + w), y, width: rounded(width - w), height }
      : { x, y: rounded(y + h), width, height: rounded(height - h) },
  ];
};

/** Minimum width and height in percent of free space that a new zone uses. */
const ROOM = 10;
/** Width and height in percent of a new zone if there is no free space. */
const THIRD = 34;
/** Offset in percent by which a new zone is moved from a zone that it would exactly cover. */
const STEP = 5;
/**
 * Maximum number of lines between which free space is searched, since the time grows with the fourth power of their
 * number.
 */
const MOST_LINES = 14;

const overlap = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const edgesOf = (others: readonly Rect[], low: 'x' | 'y', size: 'width' | 'height'): number[] =>
  [...new Set([0, 100, ...others.flatMap((r) => [r[low], rounded(r[low] + r[size])])])]
    .filter((line) => line >= 0 && line <= 100)
    .sort((a, b) => a - b);
const spans = (lines: readonly number[]): (readonly [number, number])[] =>
  lines.flatMap((from, n) => lines.slice(n + 1).flatMap((to) => (to - from >= ROOM ? [[from, to] as const] : [])));

/**
 * Returns the place for a new zone: the largest free rectangle between the edges of the zones. Without free space, a
 * place in the middle that no zone covers exactly.
 */
export const placeFor = (others: readonly Rect[]): Rect => {
  const [across, down] = [edgesOf(others, 'x', 'width'), edgesOf(others, 'y', 'height')];
  let best: Rect | undefined;
  if (across.length <= MOST_LINES && down.length <= MOST_LINES)
    for (const [x, right] of spans(across))
      for (const [y, bottom] of spans(down)) {
        const rect = { x, y, width: rounded(right - x), height: rounded(bottom - y) };
        const isLarger = !best || rect.width * rect.height > best.width * best.height;
        if (isLarger && !others.some((other) => overlap(rect, other))) best = rect;
      }
  if (best) return best;
  const taken = (at: number) => others.some((other) => Math.abs(other.x - at) < 1 && Math.abs(other.y - at) < 1);
  let at = THIRD - 1;
  for (let n = 0; n < others.length && taken(at); n++) at = (at + STEP) % (100 - THIRD);
  return { x: at, y: at, width: THIRD, height: THIRD };
};
