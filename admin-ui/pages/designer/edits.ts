/**
 * Edits of a page of a design. Pure functions: each returns a changed copy. Rectangles are in percent of the page, as
 * the canvas shows them (components/canvas/canvas.utils.ts).
 */

import { boxOfRect, placeOfRect } from '../../../shared/design/box.ts';
import { type Design, MAX_ELEMENTS, type Page } from '../../../shared/design/design.ts';
import { Element } from '../../../shared/design/elements.ts';
import type { LayoutNode } from '../../../shared/design/layout-tree.ts';
import { FORMAT_SIZES, type PageFormat, unitOf } from '../../../shared/design/page-formats.ts';
import { layoutOf } from '../../../shared/design/page-layout.ts';
import type { Rect } from '../../components/canvas/canvas.utils.ts';

/** Returns an id for a new element that no element of the page has. */
export const freeId = (page: Pick<Page, 'elements'>, type: string): string => {
  const taken = new Set(page.elements.map(({ id }) => id));
  for (let n = 1; ; n++) if (!taken.has(`${type}-${n}`)) return `${type}-${n}`;
};

export const withPage = (design: Design, index: number, edit: (page: Page) => Page): Design => ({
  ...design,
  pages: design.pages.map((page, at) => (at === index ? edit(page) : page)),
});

export const withElements = (page: Page, ids: ReadonlySet<string>, edit: (element: Element) => Element): Page => ({
  ...page,
  elements: page.elements.map((element) => (ids.has(element.id) ? edit(element) : element)),
});

export const withElement = (page: Page, id: string, edit: (element: Element) => Element): Page =>
  withElements(page, new Set([id]), edit);

/** Returns the rectangles of all visible elements in a format, in percent of the page, from back to front. */
export const rectsIn = (page: Page, format: PageFormat): Map<string, Rect> => {
  const size = FORMAT_SIZES[format];
  return new Map(
    layoutOf(page, size, format).placed.map(({ element, rect }) => [
      element.id,
      {
        x: (rect.x / size.width) * 100,
        y: (rect.y / size.height) * 100,
        width: (rect.width / size.width) * 100,
        height: (rect.height / size.height) * 100,
      },
    ]),
  );
};

const isInTree = (tree: LayoutNode | null, id: string): boolean =>
  tree !== null && ('element' in tree ? tree.element === id : tree.children.some((child) => isInTree(child, id)));

const pixelsOf = (rect: Rect, format: PageFormat) => {
  const { width, height } = FORMAT_SIZES[format];
  return {
    x: (rect.x / 100) * width,
    y: (rect.y / 100) * height,
    width: (rect.width / 100) * width,
    height: (rect.height / 100) * height,
  };
};

/**
 * Moves an element in one format. An element that rules place gets a manual arrangement in this format, and other
 * formats stay. An element with a place of its own is anchored again, so that every format follows.
 */
export const moveTo = (page: Page, id: string, rect: Rect, format: PageFormat): Page => {
  const size = FORMAT_SIZES[format];
  const pixels = pixelsOf(rect, format);
  const isManual = page.arrangements[format]?.[id]?.box !== undefined;
  if (!isManual && !isInTree(page.layout, id))
    return withElement(page, id, (element) => ({ ...element, place: placeOfRect(pixels, size, unitOf(size)) }));
  return arranged(page, id, format, (own) => ({ ...own, box: boxOfRect(pixels, size) }));
};

type Arranged = NonNullable<Page['arrangements'][PageFormat]>[string];

const arranged = (page: Page, id: string, format: PageFormat, edit: (own: Arranged) => Arranged | undefined): Page => {
  const { [id]: own = {}, ...others } = page.arrangements[format] ?? {};
  const next = edit(own);
  return { ...page, arrangements: { ...page.arrangements, [format]: next ? { ...others, [id]: next } : others } };
};

/** Hides an element in one format, or shows it again. */
export const hiddenIn = (page: Page, id: string, format: PageFormat, isHidden: boolean): Page =>
  arranged(page, id, format, ({ hidden: _, ...own }) => (isHidden ? { ...own, hidden: true } : own));

/** Removes the manual arrangement of an element in one format, so that rules place it again. */
export const placedByRules = (page: Page, id: string, format: PageFormat): Page =>
  arranged(page, id, format, () => undefined);

/** Returns whether somebody has moved or hidden the element in this format. */
export const isArranged = (page: Page, id: string, format: PageFormat): boolean => {
  const own = page.arrangements[format]?.[id];
  return own?.box !== undefined || own?.hidden === true;
};

/** Adds an element in front of all others. Returns the page unchanged when it has {@link MAX_ELEMENTS} elements. */
export const added = (page: Page, element: Element): Page =>
  page.elements.length >= MAX_ELEMENTS ? page : { ...page, elements: [...page.elements, element] };

const pruned = (tree: LayoutNode, ids: ReadonlySet<string>): LayoutNode =>
  'element' in tree
    ? tree
    : {
        ...tree,
        children: tree.children
          .filter((child) => !('element' in child && ids.has(child.element)))
          .map((child) => pruned(child, ids)),
      };

/** Removes elements with their places in the layout. */
export const removed = (page: Page, ids: ReadonlySet<string>): Page => {
  const isRootRemoved = page.layout !== null && 'element' in page.layout && ids.has(page.layout.element);
  return {
    ...page,
    elements: page.elements.filter(({ id }) => !ids.has(id)),
    layout: page.layout === null || isRootRemoved ? null : pruned(page.layout, ids),
    arrangements: Object.fromEntries(
      Object.entries(page.arrangements).map(([format, own]) => [
        format,
        Object.fromEntries(Object.entries(own).filter(([id]) => !ids.has(id))),
      ]),
    ),
  };
};

/** Offset of a copy in percent, so that the copy is visible. */
const COPY_OFFSET = 3;

/** Elements with their rectangles, as they are copied within a design, to another design or to another tab. */
export interface Copied {
  readonly elements: readonly { readonly element: Element; readonly rect: Rect }[];
}

export const copied = (page: Page, ids: ReadonlySet<string>, format: PageFormat): Copied => {
  const rects = rectsIn(page, format);
  return {
    elements: page.elements.flatMap((element) => {
      const rect = rects.get(element.id);
      return ids.has(element.id) && rect ? [{ element, rect }] : [];
    }),
  };
};

/** Inserts copies with new ids. Groups stay groups, with new names. Returns the page and the ids of the copies. */
export const pasted = (
  page: Page,
  { elements }: Copied,
  format: PageFormat,
): { readonly page: Page; readonly ids: ReadonlySet<string> } => {
  const size = FORMAT_SIZES[format];
  const ids = new Set<string>();
  const groups = new Map<string, string>();
  let next = page;
  for (const { element, rect } of elements) {
    if (next.elements.length >= MAX_ELEMENTS) break;
    const id = freeId(next, element.type);
    if (element.group !== null && !groups.has(element.group)) groups.set(element.group, freeGroup(next));
    const x = Math.min(rect.x + COPY_OFFSET, 100 - rect.width);
    const y = Math.min(rect.y + COPY_OFFSET, 100 - rect.height);
    const place = placeOfRect(pixelsOf({ ...rect, x: Math.max(x, 0), y: Math.max(y, 0) }, format), size, unitOf(size));
    next = added(next, { ...element, id, place, group: element.group === null ? null : groups.get(element.group)! });
    ids.add(id);
  }
  return { page: next, ids };
};

const MARK = 'vitrine-design-elements';
/** Returns the text of copied elements for the clipboard. */
export const clipboardText = (found: Copied): string => JSON.stringify({ [MARK]: found.elements });

/** Reads copied elements from the clipboard, which may contain anything. Undefined: something else. */
export const fromClipboard = (text: string): Copied | undefined => {
  if (!text.startsWith(`{"${MARK}"`)) return undefined;
  try {
    const { [MARK]: found } = JSON.parse(text) as Record<string, unknown>;
    if (!Array.isArray(found)) return undefined;
    const elements = found.slice(0, MAX_ELEMENTS).flatMap(({ element, rect }: { element?: unknown; rect?: Rect }) => {
      const read = Element.safeParse(element);
      const isRect = rect && [rect.x, rect.y, rect.width, rect.height].every((value) => Number.isFinite(value));
      return read.success && isRect ? [{ element: read.data, rect }] : [];
    });
    return elements.length === 0 ? undefined : { elements };
  } catch {
    return undefined;
  }
};

/** Moves elements one step to the front (1) or to the back (-1), or all the way with Infinity. */
export const raised = (page: Page, ids: ReadonlySet<string>, by: number): Page => {
  const moving = page.elements.filter(({ id }) => ids.has(id));
  const others = page.elements.filter(({ id }) => !ids.has(id));
  const first = page.elements.findIndex(({ id }) => ids.has(id));
  const at = Math.min(Math.max(first + by, 0), others.length);
  return { ...page, elements: [...others.slice(0, at), ...moving, ...others.slice(at)] };
};

const freeGroup = ({ elements }: Page): string => {
  const taken = new Set(elements.map(({ group }) => group));
  for (let n = 1; ; n++) if (!taken.has(`group-${n}`)) return `group-${n}`;
};

export const grouped = (page: Page, ids: ReadonlySet<string>): Page => {
  const group = freeGroup(page);
  return withElements(page, ids, (element) => ({ ...element, group }));
};
export const ungrouped = (page: Page, ids: ReadonlySet<string>): Page =>
  withElements(page, ids, (element) => ({ ...element, group: null }));

/** Returns the ids of an element and of all elements in its group. */
export const groupOf = (page: Page, id: string): ReadonlySet<string> => {
  const group = page.elements.find((element) => element.id === id)?.group ?? null;
  return new Set(group === null ? [id] : page.elements.filter((element) => element.group === group).map((e) => e.id));
};

/** Returns the smallest rectangle around all rectangles; undefined for none. */
export const around = (rects: readonly Rect[]): Rect | undefined => {
  if (rects.length === 0) return undefined;
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  return {
    x,
    y,
    width: Math.max(...rects.map((rect) => rect.x + rect.width)) - x,
    height: Math.max(...rects.map((rect) => rect.y + rect.height)) - y,
  };
};

export type Edge = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

/** Aligns elements to an edge of their common rectangle; a single element to an edge of the page. */
export const aligned = (page: Page, ids: ReadonlySet<string>, edge: Edge, format: PageFormat): Page => {
  const rects = [...rectsIn(page, format)].filter(([id]) => ids.has(id));
  const frame = rects.length === 1 ? { x: 0, y: 0, width: 100, height: 100 } : around(rects.map(([, rect]) => rect));
  if (!frame) return page;
  const to: Readonly<Record<Edge, (rect: Rect) => Partial<Rect>>> = {
    left: () => ({ x: frame.x }),
    center: (rect) => ({ x: frame.x + (frame.width - rect.width) / 2 }),
    right: (rect) => ({ x: frame.x + frame.width - rect.width }),
    top: () => ({ y: frame.y }),
    middle: (rect) => ({ y: frame.y + (frame.height - rect.height) / 2 }),
    bottom: (rect) => ({ y: frame.y + frame.height - rect.height }),
  };
  return rects.reduce((next, [id, rect]) => moveTo(next, id, { ...rect, ...to[edge](rect) }, format), page);
};

/** Gives three or more elements equal spaces between them. The outer elements stay. */
export const spaced = (page: Page, ids: ReadonlySet<string>, axis: 'x' | 'y', format: PageFormat): Page => {
  const length = axis === 'x' ? 'width' : 'height';
  const rects = [...rectsIn(page, format)].filter(([id]) => ids.has(id)).sort((a, b) => a[1][axis] - b[1][axis]);
  const frame = around(rects.map(([, rect]) => rect));
  if (!frame || rects.length < 3) return page;
  const gap = (frame[length] - rects.reduce((sum, [, rect]) => sum + rect[length], 0)) / (rects.length - 1);
  let at = frame[axis];
  let next = page;
  for (const [id, rect] of rects) {
    next = moveTo(next, id, { ...rect, [axis]: at }, format);
    at += rect[length] + gap;
  }
  return next;
};
