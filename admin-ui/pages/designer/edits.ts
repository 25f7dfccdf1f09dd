/**
 * Edits of a page of a design. Pure functions: each returns a changed copy. Rectangles are in percent of the page, as
 * the canvas shows them (components/canvas/canvas.utils.ts).
 */

import { boxOfRect, placeOfRect, rectOfBox, rectOfPlace } from '../../../shared/design/box.ts';
import { type Design, MAX_DESIGN_BYTES, MAX_ELEMENTS, type Page } from '../../../shared/design/design.ts';
import { Element } from '../../../shared/design/elements.ts';
import type { LayoutNode } from '../../../shared/design/layout-tree.ts';
import { FORMAT_SIZES, type PageFormat, unitOf } from '../../../shared/design/page-formats.ts';
import { layoutOf } from '../../../shared/design/page-layout.ts';
import { MAX_TEXT } from '../../../shared/design/rich-text.ts';
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
    return withElement(page, id, (element) => ({
      ...element,
      place: placeOfRect(rectOfBox(boxOfRect(pixels, size), size), size, unitOf(size)),
    }));
  return arranged(page, id, format, (own) => ({ ...own, box: boxOfRect(pixels, size) }));
};

type Arranged = NonNullable<Page['arrangements'][PageFormat]>[string];

/**
 * Changes the manual arrangement of an element in one format. An arrangement without values is removed. Without the
 * element, the page stays as it is.
 */
const arranged = (page: Page, id: string, format: PageFormat, edit: (own: Arranged) => Arranged | undefined): Page => {
  if (!page.elements.some((element) => element.id === id)) return page;
  const { [id]: own = {}, ...others } = page.arrangements[format] ?? {};
  const next = edit(own);
  const elements = next && Object.keys(next).length > 0 ? { ...others, [id]: next } : others;
  const { [format]: _, ...formats } = page.arrangements;
  return {
    ...page,
    arrangements: Object.keys(elements).length > 0 ? { ...formats, [format]: elements } : formats,
  };
};

/** Hides an element in one format. */
export const hiddenIn = (page: Page, id: string, format: PageFormat): Page =>
  arranged(page, id, format, (own) => ({ ...own, hidden: true }));

/** Shows an element in one format. An element that the layout hides there is shown at its own place. */
export const shownIn = (page: Page, id: string, format: PageFormat): Page => {
  const shown = arranged(page, id, format, ({ hidden: _, ...own }) => own);
  const element = page.elements.find((one) => one.id === id);
  if (!element || rectsIn(shown, format).has(id)) return shown;
  const size = FORMAT_SIZES[format];
  const rect = rectOfPlace(element.place, size, unitOf(size));
  return arranged(shown, id, format, (own) => ({ ...own, box: boxOfRect(rect, size) }));
};

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
      Object.entries(page.arrangements).flatMap(([format, own]) => {
        const left = Object.entries(own).filter(([id]) => !ids.has(id));
        return left.length > 0 ? [[format, Object.fromEntries(left)]] : [];
      }),
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

/** Smallest side of a pasted element in percent. */
const SMALLEST_PASTED = 0.1;
const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Returns a rectangle of the clipboard, limited to the page; undefined if it is none. */
const rectOfText = (found: unknown): Rect | undefined => {
  const { x, y, width, height } = Object(found) as Record<keyof Rect, unknown>;
  if (![x, y, width, height].every(Number.isFinite)) return undefined;
  const [w, h] = [width, height].map((side) => clamp(side as number, SMALLEST_PASTED, 100)) as [number, number];
  return { x: clamp(x as number, 0, 100 - w), y: clamp(y as number, 0, 100 - h), width: w, height: h };
};

/** Reads copied elements from the clipboard, which may contain anything. Undefined: something else. */
export const fromClipboard = (text: string): Copied | undefined => {
  if (!text.startsWith(`{"${MARK}"`) || text.length > 2 * MAX_DESIGN_BYTES) return undefined;
  try {
    const { [MARK]: found } = JSON.parse(text) as Record<string, unknown>;
    if (!Array.isArray(found)) return undefined;
    const elements = found.slice(0, MAX_ELEMENTS).flatMap((one: unknown) => {
      const { element, rect } = Object(one) as { element?: unknown; rect?: unknown };
      const read = Element.safeParse(element);
      const place = rectOfText(rect);
      return read.success && place ? [{ element: read.data, rect: place }] : [];
    });
    return elements.length === 0 ? undefined : { elements };
  } catch {
    return undefined;
  }
};

/** Largest number of lines of a pasted text. */
const MAX_LINES = 100;

/** Returns pasted words as a text element can have them: with line breaks, but without other control characters. */
export const wordsOfClipboard = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
    .split('\n', MAX_LINES)
    .join('\n');

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

/** Angle in degrees within which a line becomes exactly level or upright. */
const STRAIGHT = 3;
/** Width of the box of a line in units, so that the line can be grasped. */
const LINE_BOX = 24;

/** A point in percent of the page. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the ends of a line in a format: left and right, or top and bottom. */
export const endsOfLine = (rect: Rect, rotation: number, format: PageFormat): readonly [Point, Point] => {
  const size = FORMAT_SIZES[format];
  const { x, y, width, height } = pixelsOf(rect, format);
  const isUpright = height > width;
  const angle = ((rotation + (isUpright ? 90 : 0)) * Math.PI) / 180;
  const half = Math.max(width, height) / 2;
  const [dx, dy] = [Math.cos(angle) * half, Math.sin(angle) * half];
  const end = (sign: number): Point => ({
    x: ((x + width / 2 + sign * dx) / size.width) * 100,
    y: ((y + height / 2 + sign * dy) / size.height) * 100,
  });
  return [end(-1), end(1)];
};

/** Draws a line element between two points: sets its rectangle in this format, and its rotation. */
export const lineBetween = (
  page: Page,
  id: string,
  [start, end]: readonly [Point, Point],
  format: PageFormat,
): Page => {
  const size = FORMAT_SIZES[format];
  const across = ((end.x - start.x) / 100) * size.width;
  const down = ((end.y - start.y) / 100) * size.height;
  const length = Math.max(Math.hypot(across, down), LINE_BOX * unitOf(size) * 2);
  const thickness = LINE_BOX * unitOf(size);
  // A line has no direction, so that half a turn is enough.
  const angle = (((((Math.atan2(down, across) * 180) / Math.PI + 90) % 180) + 180) % 180) - 90;
  const isUpright = Math.abs(angle) > 90 - STRAIGHT;
  const rotation = isUpright || Math.abs(angle) < STRAIGHT ? 0 : angle;
  const [width, height] = isUpright ? [thickness, length] : [length, thickness];
  const rect = {
    x: (start.x + end.x) / 2 - (width / size.width) * 50,
    y: (start.y + end.y) / 2 - (height / size.height) * 50,
    width: (width / size.width) * 100,
    height: (height / size.height) * 100,
  };
  return moveTo(
    withElement(page, id, (element) => ({ ...element, rotation })),
    id,
    rect,
    format,
  );
};

/** Moves a page to another position in the order. */
export const movedPage = (design: Design, from: number, to: number): Design => {
  const page = design.pages[from];
  const others = design.pages.filter((_, index) => index !== from);
  return page ? { ...design, pages: [...others.slice(0, to), page, ...others.slice(to)] } : design;
};

/** Returns an id for a new page that no page of the design has. */
export const freePageId = ({ pages }: Design): string => {
  const taken = new Set(pages.map(({ id }) => id));
  for (let n = pages.length + 1; ; n++) if (!taken.has(`page-${n}`)) return `page-${n}`;
};
