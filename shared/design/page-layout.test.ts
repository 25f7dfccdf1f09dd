import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runCount } from '../../test/run-count.ts';
import { boxOfRect, rectOfBox, rectOfPlace } from './box.ts';
import type { Page } from './design.ts';
import { Page as PageSchema } from './design.ts';
import type { LayoutNode } from './layout-tree.ts';
import { FORMAT_SIZES, formatOf, PAGE_FORMATS, unitOf } from './page-formats.ts';
import { layoutOf } from './page-layout.ts';
import { textOf } from './rich-text.ts';

const PLACE = { horizontal: 'left', vertical: 'top', dx: 0, dy: 0, width: 400, height: 200 } as const;
const text = (id: string, place: object = PLACE) => ({ type: 'text', id, place, text: textOf(id), size: 60 });
const pageOf = (page: object): Page =>
  PageSchema.parse({
    id: 'p',
    background: { kind: 'none' },
    layout: null,
    arrangements: {},
    duration_ms: null,
    ...page,
  });
const SIZES = fc.record({ width: fc.integer({ min: 50, max: 8000 }), height: fc.integer({ min: 50, max: 8000 }) });
/** Rectangles are computed in floating point. */
const TOLERANCE = 1e-6;
const isWithin = (
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  size: { width: number; height: number },
) => x >= -TOLERANCE && y >= -TOLERANCE && x + width <= size.width + TOLERANCE && y + height <= size.height + TOLERANCE;

test('each format is recognized by its own size and by common screens', () => {
  for (const format of PAGE_FORMATS) assert.equal(formatOf(FORMAT_SIZES[format]), format);
  const known = [
    [[3840, 2160], 'landscape'],
    [[1280, 1024], 'landscape'],
    [[1024, 768], 'landscape'],
    [[2160, 3840], 'portrait'],
    [[768, 1366], 'portrait'],
    [[1920, 540], 'strip'],
    [[3440, 1440], 'ultrawide'],
    [[540, 1920], 'portrait'],
  ] as const;
  for (const [[width, height], format] of known)
    assert.equal(formatOf({ width, height }), format, `${width} × ${height}`);
});

test('unit is one pixel on full HD in both orientations, and half a pixel on a strip of half the height', () => {
  assert.equal(unitOf({ width: 1920, height: 1080 }), 1);
  assert.equal(unitOf({ width: 1080, height: 1920 }), 1);
  assert.equal(unitOf({ width: 3840, height: 2160 }), 2);
  assert.equal(unitOf({ width: 3840, height: 540 }), 0.5);
});

test('anchored element keeps its distance to its edge in every format', () => {
  for (const format of PAGE_FORMATS) {
    const size = FORMAT_SIZES[format];
    const unit = unitOf(size);
    const rect = rectOfPlace(
      { ...PLACE, horizontal: 'right', vertical: 'bottom', dx: 40, dy: 30, width: 200, height: 100 },
      size,
      unit,
    );
    assert.ok(Math.abs(size.width - rect.x - rect.width - 40 * unit) < TOLERANCE, format);
    assert.ok(Math.abs(size.height - rect.y - rect.height - 30 * unit) < TOLERANCE, format);
  }
});

test('stretched element spans the page between its margins', () => {
  const rect = rectOfPlace({ ...PLACE, horizontal: 'stretch', dx: 100 }, { width: 1080, height: 1920 }, 1);
  assert.deepEqual([rect.x, rect.width], [100, 880]);
});

const places = fc.record({
  horizontal: fc.constantFrom('left', 'center', 'right', 'stretch'),
  vertical: fc.constantFrom('top', 'middle', 'bottom', 'stretch'),
  dx: fc.integer({ min: -2000, max: 2000 }),
  dy: fc.integer({ min: -2000, max: 2000 }),
  width: fc.integer({ min: 1, max: 4000 }),
  height: fc.integer({ min: 1, max: 4000 }),
});

test('no anchored element leaves its page at any size', () => {
  fc.assert(
    fc.property(places, SIZES, (place, size) => {
      assert.ok(isWithin(rectOfPlace(place as typeof PLACE, size, unitOf(size)), size));
    }),
    { numRuns: runCount(300, 5_000) },
  );
});

const leaf = fc.record({
  weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
  element: fc.string({ minLength: 1, maxLength: 4 }),
});
const tree = fc.letrec<{ node: LayoutNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'layout' },
    leaf,
    fc.record({
      weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
      direction: fc.constantFrom('row', 'column', 'long', 'short'),
      gap: fc.integer({ min: 0, max: 1000 }),
      padding: fc.integer({ min: 0, max: 1000 }),
      children: fc.array(tie('node'), { maxLength: 5 }),
    }) as fc.Arbitrary<LayoutNode>,
  ),
})).node;

/** Gives each leaf of a tree an id of its own, and returns the ids. */
const numbered = (node: LayoutNode, ids: string[]): LayoutNode => {
  if ('element' in node) {
    ids.push(`e${ids.length}`);
    return { ...node, element: ids.at(-1)! };
  }
  return { ...node, children: node.children.map((child) => numbered(child, ids)) };
};

test('elements of a layout tree stay on the page and never overlap, at any size', () => {
  fc.assert(
    fc.property(tree, SIZES, (drawn, size) => {
      const ids: string[] = [];
      const layout = numbered(drawn, ids);
      const page = {
        ...pageOf({ elements: [] }),
        layout,
        elements: ids.map((id) => ({ ...pageOf({ elements: [text(id)] }).elements[0]!, id })),
      };
      const { placed } = layoutOf(page, size);
      assert.equal(placed.length, ids.length);
      for (const { rect } of placed) assert.ok(isWithin(rect, size));
      for (const [i, { rect: a }] of placed.entries())
        for (const { rect: b } of placed.slice(i + 1)) {
          const isApart =
            a.x + a.width <= b.x + TOLERANCE ||
            b.x + b.width <= a.x + TOLERANCE ||
            a.y + a.height <= b.y + TOLERANCE ||
            b.y + b.height <= a.y + TOLERANCE;
          assert.ok(isApart, JSON.stringify([a, b]));
        }
    }),
    { numRuns: runCount(200, 3_000) },
  );
});

test('group along the long side is a row on landscape pages and a column on portrait pages', () => {
  const page = pageOf({
    elements: [text('picture'), text('words')],
    layout: {
      weight: 1,
      direction: 'long',
      gap: 0,
      padding: 0,
      children: [
        { weight: 1, element: 'picture' },
        { weight: 1, element: 'words' },
      ],
    },
  });
  const rects = (size: { width: number; height: number }) => layoutOf(page, size).placed.map(({ rect }) => rect);
  assert.deepEqual(rects(FORMAT_SIZES.landscape), [
    { x: 0, y: 0, width: 960, height: 1080 },
    { x: 960, y: 0, width: 960, height: 1080 },
  ]);
  assert.deepEqual(rects(FORMAT_SIZES.portrait), [
    { x: 0, y: 0, width: 1080, height: 960 },
    { x: 0, y: 960, width: 1080, height: 960 },
  ]);
});

test('manual arrangement replaces the rules in its format only', () => {
  const page = pageOf({
    elements: [text('a')],
    arrangements: {
      portrait: { a: { box: { x: 0.1, y: 0.2, width: 0.5, height: 0.25 } } },
      strip: { a: { hidden: true } },
    },
  });
  assert.deepEqual(layoutOf(page, FORMAT_SIZES.portrait).placed[0]!.rect, { x: 108, y: 384, width: 540, height: 480 });
  assert.deepEqual(layoutOf(page, FORMAT_SIZES.landscape).placed[0]!.rect, { x: 0, y: 0, width: 400, height: 200 });
  assert.equal(layoutOf(page, FORMAT_SIZES.strip).placed.length, 0);
});

test('box of a rectangle leads back to the same rectangle', () => {
  fc.assert(
    fc.property(places, SIZES, (place, size) => {
      const rect = rectOfPlace(place as typeof PLACE, size, unitOf(size));
      const again = rectOfBox(boxOfRect(rect, size), size);
      assert.ok(isWithin(again, size));
      if (rect.width > size.width * 0.01 && rect.height > size.height * 0.01)
        for (const side of ['x', 'y', 'width', 'height'] as const)
          assert.ok(Math.abs(again[side] - rect[side]) < 0.01, side);
    }),
    { numRuns: runCount(200, 2_000) },
  );
});

test('document with two elements of one id is refused and the element is named', () => {
  const design = {
    ...{ format: 'vitrine-design', version: 1, template: false, style: null },
    pages: [pageOf({ elements: [text('a'), text('a')] })],
  };
  return import('./design.ts').then(({ Design }) => {
    const { error } = Design.safeParse(design);
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path.join('.'), message]),
      [['pages.0.elements.1.id', 'is used by two elements of the page: a']],
    );
  });
});
