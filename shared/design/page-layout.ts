/** Computes where each element of a page is on a picture of any size. Pure; used by player, window and thumbnails. */
import { type Rect, rectOfBox, rectOfPlace } from './box.ts';
import type { Page } from './design.ts';
import type { Element } from './elements.ts';
import { placeTree } from './layout-tree.ts';
import { formatOf, type PageFormat, type Size, unitOf } from './page-formats.ts';

export interface PlacedElement {
  readonly element: Element;
  /** Pixels of the page. */
  readonly rect: Rect;
}

export interface PageLayout {
  readonly format: PageFormat;
  /** Pixels per unit. */
  readonly unit: number;
  /** Visible elements from back to front. */
  readonly placed: readonly PlacedElement[];
}

/**
 * Returns the layout of a page. Precedence per element: manual arrangement of the format, layout tree, own place. Every
 * rectangle lies within the page.
 * @param format another format than the size has, for previews
 */
export const layoutOf = (page: Page, size: Size, format: PageFormat = formatOf(size)): PageLayout => {
  const unit = unitOf(size);
  const manual = page.arrangements[format] ?? {};
  const tree = page.layout && placeTree(page.layout, { x: 0, y: 0, ...size }, format, unit);
  const inTree = page.layout ? elementsIn(page.layout) : new Set<string>();
  const placed = page.elements.flatMap((element): PlacedElement[] => {
    const own = manual[element.id];
    if (own?.hidden) return [];
    if (own?.box) return [{ element, rect: rectOfBox(own.box, size) }];
    const byRule = tree?.get(element.id);
    if (byRule) return [{ element, rect: byRule }];
    // The tree hides this element in this format.
    if (inTree.has(element.id)) return [];
    return [{ element, rect: rectOfPlace(element.place, size, unit) }];
  });
  return { format, unit, placed };
};

/** Returns the ids of all elements that a layout tree places in some format. */
const elementsIn = (tree: NonNullable<Page['layout']>, found: Set<string> = new Set()): Set<string> => {
  if ('element' in tree) found.add(tree.element);
  else for (const child of tree.children) elementsIn(child, found);
  return found;
};
