/** Moving and resizing zones. Pure; everything in percent of the picture, as the server keeps it. */
import type { Arrow } from '../../components/useDrag.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export type Handle = 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';
export const HANDLES: readonly Handle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

/** Smaller could not be grasped again. */
export const SMALLEST = 2;

/** Lines that something clung to, to be drawn: `x` upright ones, `y` level ones. */
export interface Guides {
  readonly x: readonly number[];
  readonly y: readonly number[];
}
export interface Placed {
  readonly rect: Rect;
  readonly guides: Guides;
}
export const NO_GUIDES: Guides = { x: [], y: [] };

/** What to cling to, and from how near (percent of width, of height). */
export interface Snap {
  readonly others: readonly Rect[];
  readonly nearX: number;
  readonly nearY: number;
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
/** 33.33 and not 33.333333: what a person reads is what is kept. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
const roundRect = (r: Rect): Rect => ({
  x: rounded(r.x),
  y: rounded(r.y),
  width: rounded(r.width),
  height: rounded(r.height),
});

/** Inside the picture, whatever was asked for. */
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

/** The smallest step by which one of the edges comes to lie on a line; undefined when none is near. */
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
  // Where nothing is near, whole percents.
  const x = px ? free.x + px.by : Math.round(free.x);
  const y = py ? free.y + py.by : Math.round(free.y);
  return { rect: inside({ ...free, x, y }), guides: { x: px ? [px.line] : [], y: py ? [py.line] : [] } };
};

/** One edge moved by `by`, the opposite one staying. */
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

/** What an arrow key does to a zone: it moves it by a percent, with Shift by a tenth of one; with Alt it resizes it. */
export const nudged = (rect: Rect, { dx, dy, shiftKey, altKey }: Arrow): Rect => {
  const step = shiftKey ? 0.1 : 1;
  return altKey ? resized(rect, 'se', dx * step, dy * step).rect : moved(rect, dx * step, dy * step).rect;
};
