/**
 * Rules that place elements in every format: a tree of rows and columns. A group divides its rectangle among its
 * children by weight, along the long or the short side, so that a picture beside a text becomes a picture above a text
 * on a portrait screen. No text is measured: text adapts to its rectangle. Pure.
 */
import { z } from 'zod';
import type { Rect } from './box.ts';
import { PAGE_FORMATS, type PageFormat } from './page-formats.ts';

/** Levels of nested groups. Templates need at most five. */
const MAX_DEPTH = 8;
const MAX_CHILDREN = 60;

/** Side along which a group places its children. `long` and `short` refer to the rectangle of the group itself. */
const Direction = z.enum(['row', 'column', 'long', 'short']);
/** Length in units (page-formats.ts). */
const Units = z.number().min(0).max(1000);
const Weight = z.number().min(0.01).max(100);

/** Values of a node in one format, in place of its own values. */
const Variant = z.object({
  direction: Direction.optional(),
  weight: Weight.optional(),
  gap: Units.optional(),
  padding: Units.optional(),
  reverse: z.boolean().optional(),
  hidden: z.boolean().optional(),
});

const common = {
  /** Share of the parent's length, relative to the weights of the other children. */
  weight: Weight,
  in: z.partialRecord(z.enum(PAGE_FORMATS), Variant).optional(),
};

const Leaf = z.object({
  ...common,
  element: z.string().max(40),
  /** Ratio of width to height that the element keeps within its rectangle, centred; absent: it fills the rectangle. */
  ratio: z.number().positive().max(20).optional(),
});

interface Group {
  readonly weight: number;
  readonly in?: Partial<Record<PageFormat, z.infer<typeof Variant>>> | undefined;
  readonly direction: z.infer<typeof Direction>;
  readonly gap: number;
  readonly padding: number;
  readonly children: readonly LayoutNode[];
}
export type LayoutNode = z.infer<typeof Leaf> | Group;

const node = (depth: number): z.ZodType<LayoutNode> =>
  depth === 0
    ? Leaf
    : z.union([
        Leaf,
        z.object({
          ...common,
          direction: Direction,
          /** Space between children, in units. */
          gap: Units,
          /** Space at the four edges, in units. */
          padding: Units,
          children: z.array(node(depth - 1)).max(MAX_CHILDREN),
        }),
      ]);
export const LayoutNode = node(MAX_DEPTH);

const isLeaf = (found: LayoutNode): found is z.infer<typeof Leaf> => 'element' in found;

/** Gaps and padding never take more than this share of a side, so that a narrow zone still shows its elements. */
const MOST_SPACE = 0.5;

/** Returns the largest centred rectangle with this ratio of width to height. */
const withRatio = ({ x, y, width, height }: Rect, ratio: number): Rect => {
  const fitting = Math.min(width, height * ratio);
  const size = { width: fitting, height: fitting / ratio };
  return { x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, ...size };
};

/**
 * Returns the rectangles of the elements in the tree, by id. Hidden elements are absent. Children never overlap and
 * never leave the rectangle of their group.
 * @param unit pixels per unit
 */
export const placeTree = (tree: LayoutNode, area: Rect, format: PageFormat, unit: number): Map<string, Rect> => {
  const placed = new Map<string, Rect>();
  const visit = (found: LayoutNode, rect: Rect): void => {
    if (isLeaf(found)) {
      placed.set(found.element, found.ratio === undefined ? rect : withRatio(rect, found.ratio));
      return;
    }
    const variant = found.in?.[format];
    const shown = found.children.filter((child) => child.in?.[format]?.hidden !== true);
    if (shown.length === 0) return;
    const padding = Math.min(
      (variant?.padding ?? found.padding) * unit,
      (Math.min(rect.width, rect.height) * MOST_SPACE) / 2,
    );
    const inner = {
      x: rect.x + padding,
      y: rect.y + padding,
      width: rect.width - 2 * padding,
      height: rect.height - 2 * padding,
    };
    const direction = variant?.direction ?? found.direction;
    const isWide = inner.width >= inner.height;
    const isRow = direction === 'row' || direction === (isWide ? 'long' : 'short');
    const total = isRow ? inner.width : inner.height;
    const gap = Math.min((variant?.gap ?? found.gap) * unit, (total * MOST_SPACE) / Math.max(shown.length - 1, 1));
    const weights = shown.map((child) => child.in?.[format]?.weight ?? child.weight);
    const length = (total - gap * (shown.length - 1)) / weights.reduce((sum, weight) => sum + weight, 0);
    let at = isRow ? inner.x : inner.y;
    const order = shown.map((child, i) => [child, weights[i]! * length] as const);
    for (const [child, share] of variant?.reverse ? order.reverse() : order) {
      visit(child, isRow ? { ...inner, x: at, width: share } : { ...inner, y: at, height: share });
      at += share + gap;
    }
  };
  visit(tree, area);
  return placed;
};
