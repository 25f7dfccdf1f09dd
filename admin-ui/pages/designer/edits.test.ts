import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Design, MAX_ELEMENTS, type Page, Page as PageSchema } from '../../../shared/design/design.ts';
import { Element } from '../../../shared/design/elements.ts';
import { FORMAT_SIZES, PAGE_FORMATS, type PageFormat } from '../../../shared/design/page-formats.ts';
import { templateDesign } from '../../../shared/design/templates/all.ts';
import { runCount } from '../../../test/run-count.ts';
import type { Rect } from '../../components/canvas/canvas.utils.ts';
import {
  added,
  aligned,
  around,
  clipboardText,
  copied,
  endsOfLine,
  freeId,
  freePageId,
  fromClipboard,
  grouped,
  groupOf,
  hiddenIn,
  isArranged,
  lineBetween,
  movedPage,
  moveTo,
  pasted,
  placedByRules,
  raised,
  rectsIn,
  removed,
  shownIn,
  spaced,
  ungrouped,
  withElement,
  withPage,
  wordsOfClipboard,
} from './edits.ts';

const PLACE = { horizontal: 'left', vertical: 'top', dx: 0, dy: 0, width: 400, height: 200 } as const;
const shape = (id: string, more: object = {}): Element =>
  Element.parse({ type: 'shape', id, place: PLACE, shape: 'rectangle', fill: { kind: 'none' }, ...more });
const leaf = (element: string) => ({ element, weight: 1 });
/** Two elements that rules place side by side, and two with own places. */
const pageOf = (more: object = {}): Page =>
  PageSchema.parse({
    id: 'page-1',
    background: { kind: 'none' },
    elements: [
      shape('a'),
      shape('b'),
      shape('c', { place: { ...PLACE, dx: 100, dy: 50 } }),
      shape('d', { place: { ...PLACE, horizontal: 'right', vertical: 'bottom', dx: 60, dy: 20 } }),
    ],
    layout: { weight: 1, direction: 'long', gap: 20, padding: 40, children: [leaf('a'), leaf('b')] },
    arrangements: {},
    duration_ms: null,
    ...more,
  });
const ids = (...names: string[]): ReadonlySet<string> => new Set(names);
const order = (page: Page): string => page.elements.map(({ id }) => id).join('');
const rectOf = (page: Page, id: string, format: PageFormat = 'landscape'): Rect => rectsIn(page, format).get(id)!;
const near = (actual: number, expected: number, what = ''): void =>
  assert.ok(Math.abs(actual - expected) < 0.2, `${what} ${actual} instead of ${expected}`);
const nearRect = (actual: Rect, expected: Rect): void => {
  for (const side of ['x', 'y', 'width', 'height'] as const) near(actual[side], expected[side], side);
};

test('element gets an id that no other element of the page has', () => {
  assert.equal(freeId(pageOf(), 'shape'), 'shape-1');
  assert.equal(freeId(pageOf({ elements: [shape('shape-1'), shape('shape-2')], layout: null }), 'shape'), 'shape-3');
});

test('moving an element that rules place changes this format only', () => {
  const page = pageOf();
  const next = moveTo(page, 'a', { x: 10, y: 20, width: 30, height: 40 }, 'portrait');
  nearRect(rectOf(next, 'a', 'portrait'), { x: 10, y: 20, width: 30, height: 40 });
  for (const format of PAGE_FORMATS.filter((one) => one !== 'portrait'))
    assert.deepEqual(rectOf(next, 'a', format), rectOf(page, 'a', format));
  assert.equal(isArranged(next, 'a', 'portrait'), true);
  assert.equal(isArranged(next, 'a', 'landscape'), false);
});

test('moving an element with its own place moves it in every format', () => {
  const next = moveTo(pageOf(), 'c', { x: 60, y: 70, width: 20, height: 20 }, 'landscape');
  nearRect(rectOf(next, 'c'), { x: 60, y: 70, width: 20, height: 20 });
  assert.deepEqual(next.arrangements, {});
  const portrait = rectOf(next, 'c', 'portrait');
  assert.ok(portrait.x + portrait.width > 50, 'the element stays at the right edge');
});

test('manual arrangement is removed when the element is placed by rules again', () => {
  const page = pageOf();
  const moved = moveTo(page, 'a', { x: 0, y: 0, width: 10, height: 10 }, 'square');
  assert.deepEqual(placedByRules(moved, 'a', 'square'), page);
});

test('element is hidden in one format and shown again without a trace', () => {
  const page = pageOf();
  const hidden = hiddenIn(page, 'c', 'strip');
  assert.equal(rectsIn(hidden, 'strip').has('c'), false);
  assert.equal(rectsIn(hidden, 'landscape').has('c'), true);
  assert.deepEqual(shownIn(hidden, 'c', 'strip'), page);
});

test('hidden element keeps its manual place', () => {
  const moved = moveTo(pageOf(), 'a', { x: 1, y: 2, width: 30, height: 40 }, 'strip');
  assert.deepEqual(shownIn(hiddenIn(moved, 'a', 'strip'), 'a', 'strip'), moved);
});

test('element that the layout hides in a format is shown at its own place', () => {
  const layout = {
    ...{ weight: 1, direction: 'row', gap: 0, padding: 0 },
    children: [leaf('a'), { ...leaf('b'), in: { strip: { hidden: true } } }],
  };
  const page = pageOf({ layout });
  assert.equal(rectsIn(page, 'strip').has('b'), false);
  const shown = shownIn(page, 'b', 'strip');
  assert.equal(rectsIn(shown, 'strip').has('b'), true);
  assert.deepEqual(rectOf(shown, 'b'), rectOf(page, 'b'));
});

test('removed elements leave no trace in layout and arrangements', () => {
  let page = moveTo(pageOf(), 'a', { x: 0, y: 0, width: 10, height: 10 }, 'square');
  page = hiddenIn(moveTo(page, 'b', { x: 0, y: 0, width: 10, height: 10 }, 'strip'), 'c', 'strip');
  const next = removed(page, ids('a', 'c'));
  assert.equal(order(next), 'bd');
  assert.equal(/"(a|c)"/.test(JSON.stringify(next)), false);
  assert.deepEqual(Object.keys(next.arrangements), ['strip']);
  assert.equal(removed(pageOf({ layout: leaf('a') }), ids('a')).layout, null);
});

test('page with the largest number of elements gets no further element', () => {
  const full = pageOf({ layout: null, elements: Array.from({ length: MAX_ELEMENTS }, (_, n) => shape(`s-${n}`)) });
  assert.equal(added(full, shape('more')), full);
  assert.equal(pasted(full, copied(full, ids('s-1', 's-2'), 'landscape'), 'landscape').page, full);
  assert.equal(added(pageOf(), shape('more')).elements.at(-1)?.id, 'more');
});

test('elements move to the front and back by steps and all the way, in their order', () => {
  const page = pageOf();
  assert.equal(order(raised(page, ids('a'), 1)), 'bacd');
  assert.equal(order(raised(page, ids('a', 'c'), 1)), 'bacd');
  assert.equal(order(raised(page, ids('b', 'c'), -1)), 'bcad');
  assert.equal(order(raised(page, ids('b'), Number.POSITIVE_INFINITY)), 'acdb');
  assert.equal(order(raised(page, ids('c', 'd'), Number.NEGATIVE_INFINITY)), 'cdab');
  assert.equal(order(raised(page, ids('d'), 1)), 'abcd');
});

test('group is selected as a whole, and ungrouping separates its elements', () => {
  const page = grouped(pageOf(), ids('a', 'c'));
  assert.deepEqual([...groupOf(page, 'c')], ['a', 'c']);
  assert.deepEqual([...groupOf(page, 'b')], ['b']);
  const two = grouped(page, ids('b', 'd'));
  assert.deepEqual([...groupOf(two, 'a')], ['a', 'c']);
  assert.deepEqual([...groupOf(ungrouped(two, ids('a', 'c')), 'a')], ['a']);
});

test('several elements are aligned to their common rectangle, one to the page', () => {
  const page = pageOf();
  const left = aligned(page, ids('c', 'd'), 'left', 'landscape');
  near(rectOf(left, 'd').x, rectOf(page, 'c').x);
  const bottom = aligned(page, ids('c', 'd'), 'bottom', 'landscape');
  near(rectOf(bottom, 'c').y + rectOf(bottom, 'c').height, rectOf(page, 'd').y + rectOf(page, 'd').height);
  const centre = rectOf(aligned(page, ids('c'), 'center', 'landscape'), 'c');
  near(centre.x + centre.width / 2, 50);
  const middle = rectOf(aligned(page, ids('c'), 'middle', 'landscape'), 'c');
  near(middle.y + middle.height / 2, 50);
  near(rectOf(aligned(page, ids('c'), 'top', 'landscape'), 'c').y, 0);
  const right = rectOf(aligned(page, ids('c'), 'right', 'landscape'), 'c');
  near(right.x + right.width, 100);
  assert.equal(aligned(page, ids(), 'left', 'landscape'), page);
});

test('three elements get equal spaces, and two stay as they are', () => {
  let page = pageOf({ layout: null });
  const at = (x: number): Rect => ({ x, y: 10, width: 10, height: 10 });
  page = ['a', 'b', 'c'].reduce((next, id, n) => moveTo(next, id, at([0, 15, 80][n]!), 'landscape'), page);
  const next = spaced(page, ids('a', 'b', 'c'), 'x', 'landscape');
  near(rectOf(next, 'b').x, 40);
  near(rectOf(next, 'a').x, 0);
  near(rectOf(next, 'c').x, 80);
  assert.equal(spaced(page, ids('a', 'b'), 'x', 'landscape'), page);
});

test('rectangle around no rectangles is undefined', () => assert.equal(around([]), undefined));

test('pages change their order and get new ids', () => {
  const [one, two, three] = ['page-1', 'page-2', 'page-9'].map((id) => pageOf({ id }));
  const design: Design = Design.parse({
    ...{ format: 'vitrine-design', version: 1, template: false, style: null },
    pages: [one, two, three],
  });
  const named = (found: Design): string[] => found.pages.map(({ id }) => id);
  assert.deepEqual(named(movedPage(design, 0, 2)), ['page-2', 'page-9', 'page-1']);
  assert.deepEqual(named(movedPage(design, 2, 0)), ['page-9', 'page-1', 'page-2']);
  assert.equal(movedPage(design, 7, 0), design);
  assert.equal(freePageId(design), 'page-4');
  const edited = withPage(design, 1, (page) => withElement(page, 'a', (element) => ({ ...element, name: 'New' })));
  assert.equal(edited.pages[1]!.elements[0]!.name, 'New');
  assert.equal(edited.pages[0], design.pages[0]);
});

test('line becomes level or upright near these directions, and keeps its ends', () => {
  const page = pageOf({ elements: [shape('a', { shape: 'line', stroke: 8 })], layout: null });
  const level = lineBetween(
    page,
    'a',
    [
      { x: 10, y: 50 },
      { x: 60, y: 51 },
    ],
    'landscape',
  );
  assert.equal(level.elements[0]!.rotation, 0);
  const upright = lineBetween(
    page,
    'a',
    [
      { x: 2, y: 20 },
      { x: 2, y: 80 },
    ],
    'landscape',
  );
  assert.equal(upright.elements[0]!.rotation, 0);
  const [top, bottom] = endsOfLine(rectOf(upright, 'a'), 0, 'landscape');
  near(top.x, 2);
  near(top.y, 20);
  near(bottom.y, 80);
});

test('line keeps the ends that somebody draws', () => {
  const middle = fc.record({ x: fc.integer({ min: 35, max: 65 }), y: fc.integer({ min: 35, max: 65 }) });
  const page = pageOf({ elements: [shape('a', { shape: 'line' })], layout: null });
  fc.assert(
    fc.property(middle, middle, fc.constantFrom(...PAGE_FORMATS), (start, end, format) => {
      const { width, height } = FORMAT_SIZES[format];
      const [across, down] = [((end.x - start.x) / 100) * width, ((end.y - start.y) / 100) * height];
      const angle = (Math.abs(Math.atan2(down, across)) * 180) / Math.PI;
      // Short lines get a length that can be grasped, and straight ones snap.
      fc.pre(Math.hypot(across, down) > 60 && [0, 90, 180].every((straight) => Math.abs(angle - straight) > 4));
      const next = lineBetween(page, 'a', [start, end], format);
      const ends = endsOfLine(rectOf(next, 'a', format), next.elements[0]!.rotation, format);
      const sorted = [start, end].toSorted((a, b) => a.x - b.x);
      for (const [n, found] of ends.toSorted((a, b) => a.x - b.x).entries()) {
        near(found.x, sorted[n]!.x);
        near(found.y, sorted[n]!.y);
      }
    }),
    { numRuns: runCount(200, 5_000) },
  );
});

test('copy, clipboard and paste give equal elements at the same place', () => {
  const page = grouped(pageOf(), ids('c', 'd'));
  const found = fromClipboard(clipboardText(copied(page, ids('a', 'c', 'd'), 'portrait')));
  assert.deepEqual(found, copied(page, ids('a', 'c', 'd'), 'portrait'));
  const { page: next, ids: fresh } = pasted(page, found!, 'portrait');
  assert.deepEqual([...fresh], ['shape-1', 'shape-2', 'shape-3']);
  const strip = ({ id: _, place: _place, group: _group, ...values }: Element): object => values;
  assert.deepEqual(next.elements.slice(-3).map(strip), page.elements.filter(({ id }) => 'acd'.includes(id)).map(strip));
  assert.deepEqual([...groupOf(next, 'shape-2')], ['shape-2', 'shape-3']);
  assert.deepEqual([...groupOf(next, 'c')], ['c', 'd'], 'copies are a group of their own');
  const { width, height } = rectOf(page, 'a', 'portrait');
  near(rectOf(next, 'shape-1', 'portrait').width, width);
  near(rectOf(next, 'shape-1', 'portrait').height, height);
});

test('clipboard texts of other programs are no elements', () => {
  const hostile: readonly unknown[] = [
    null,
    5,
    'text',
    {},
    { element: null, rect: null },
    { element: shape('a') },
    { element: shape('a'), rect: { x: 0, y: 0, width: 'wide', height: 1 } },
    { element: { ...shape('a'), type: 'script' }, rect: { x: 0, y: 0, width: 1, height: 1 } },
    { element: { ...shape('a'), id: '<img>' }, rect: { x: 0, y: 0, width: 1, height: 1 } },
  ];
  for (const one of hostile)
    assert.equal(fromClipboard(JSON.stringify({ 'vitrine-design-elements': [one] })), undefined, JSON.stringify(one));
  for (const text of ['', 'x', '{"vitrine-design-elements"', '{"vitrine-design-elements":5}', '[]'])
    assert.equal(fromClipboard(text), undefined, text);
  const huge = `{"vitrine-design-elements":["${'x'.repeat(2_000_000)}"]}`;
  assert.equal(fromClipboard(huge), undefined);
});

test('pasted elements of a hostile clipboard lie on the page and make a valid document', () => {
  const side = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  const rect = fc.record({ x: side, y: side, width: side, height: side });
  fc.assert(
    fc.property(fc.array(rect, { maxLength: 5 }), fc.constantFrom(...PAGE_FORMATS), (rects, format) => {
      const list = rects.map((one) => ({ element: shape('a'), rect: one }));
      const found = fromClipboard(JSON.stringify({ 'vitrine-design-elements': list }));
      if (found) assertValid(pasted(pageOf(), found, format).page);
    }),
    { numRuns: runCount(200, 5_000) },
  );
});

test('pasted words have no control characters, few lines and a limited length', () => {
  assert.equal(wordsOfClipboard(' Soup\r\nSalad\u0007\u0000\r\n'), 'Soup\nSalad');
  assert.equal(wordsOfClipboard('\u0000\n'), '');
  assert.equal(wordsOfClipboard('x\n'.repeat(5_000)).split('\n').length, 100);
  assert.equal(wordsOfClipboard('x'.repeat(9_000)).length, 5_000);
});

const TOLERANCE = 1e-6;
/** Checks what must be true of a page after every edit. */
const assertValid = (page: Page): void => {
  const parsed = PageSchema.safeParse(page);
  assert.ok(parsed.success, parsed.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', '));
  const known = new Set(page.elements.map(({ id }) => id));
  assert.equal(known.size, page.elements.length, 'ids are unique');
  for (const format of PAGE_FORMATS) {
    for (const [id, { x, y, width, height }] of rectsIn(page, format))
      assert.ok(
        x >= -TOLERANCE && y >= -TOLERANCE && x + width <= 100 + TOLERANCE && y + height <= 100 + TOLERANCE,
        `${id} leaves the page in ${format}`,
      );
    for (const id of Object.keys(page.arrangements[format] ?? {})) assert.ok(known.has(id), `${id} was removed`);
  }
  const leaves = JSON.stringify(page.layout ?? {}).matchAll(/"element":"([^"]*)"/g);
  for (const [, id] of leaves) assert.ok(known.has(id!), `${id} was removed, but the layout has it`);
};

type Edit = (page: Page) => Page;
const percent = fc.double({ min: -50, max: 150, noNaN: true });
const format = fc.constantFrom(...PAGE_FORMATS);
/** Picks an element of the page by a number, because ids change while a property runs. */
const pick = (page: Page, n: number): string => page.elements[n % Math.max(page.elements.length, 1)]?.id ?? 'none';
const some = (page: Page, numbers: readonly number[]): ReadonlySet<string> => ids(...numbers.map((n) => pick(page, n)));
const number = fc.nat({ max: 50 });
const numbers = fc.array(number, { minLength: 1, maxLength: 5 });
const EDGES = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const;

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ n: number, format, x: percent, y: percent, width: percent, height: percent }).map(
    ({ n, format: where, ...rect }): Edit =>
      (page) =>
        moveTo(page, pick(page, n), rect, where),
  ),
  fc.record({ numbers, format }).map(
    ({ numbers: chosen, format: where }): Edit =>
      (page) =>
        pasted(page, copied(page, some(page, chosen), where), where).page,
  ),
  numbers.map(
    (chosen): Edit =>
      (page) =>
        removed(page, some(page, chosen)),
  ),
  numbers.map(
    (chosen): Edit =>
      (page) =>
        grouped(page, some(page, chosen)),
  ),
  numbers.map(
    (chosen): Edit =>
      (page) =>
        ungrouped(page, some(page, chosen)),
  ),
  fc.record({ n: number, format }).map(
    ({ n, format: where }): Edit =>
      (page) =>
        hiddenIn(page, pick(page, n), where),
  ),
  fc.record({ n: number, format }).map(
    ({ n, format: where }): Edit =>
      (page) =>
        shownIn(page, pick(page, n), where),
  ),
  fc.record({ n: number, format }).map(
    ({ n, format: where }): Edit =>
      (page) =>
        placedByRules(page, pick(page, n), where),
  ),
  fc.record({ numbers, format, edge: fc.constantFrom(...EDGES) }).map(
    ({ numbers: chosen, format: where, edge }): Edit =>
      (page) =>
        aligned(page, some(page, chosen), edge, where),
  ),
  fc.record({ numbers, format, axis: fc.constantFrom('x' as const, 'y' as const) }).map(
    ({ numbers: chosen, format: where, axis }): Edit =>
      (page) =>
        spaced(page, some(page, chosen), axis, where),
  ),
  fc.record({ numbers, by: fc.constantFrom(1, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) }).map(
    ({ numbers: chosen, by }): Edit =>
      (page) =>
        raised(page, some(page, chosen), by),
  ),
  fc
    .record({
      n: number,
      format,
      start: fc.record({ x: percent, y: percent }),
      end: fc.record({ x: percent, y: percent }),
    })
    .map(
      ({ n, format: where, start, end }): Edit =>
        (page) =>
          lineBetween(page, pick(page, n), [start, end], where),
    ),
);
const START = [
  pageOf(),
  templateDesign('offer', 'bold', { language: 'en', currency: 'EUR', until: '2026-12-24T18:00' })!.pages[0]!,
];

test('any row of edits keeps the page valid, its ids unique and all elements on the page', () => {
  fc.assert(
    fc.property(fc.constantFrom(...START), fc.array(edit, { maxLength: 12 }), (start, edits) => {
      let page = start;
      for (const one of edits) {
        page = one(page);
        assertValid(page);
      }
    }),
    { numRuns: runCount(150, 5_000) },
  );
});

test('move of an element that rules place changes no other format and no other element', () => {
  fc.assert(
    fc.property(format, fc.record({ x: percent, y: percent, width: percent, height: percent }), (where, rect) => {
      const page = pageOf();
      const next = moveTo(page, 'b', rect, where);
      for (const other of PAGE_FORMATS)
        for (const [id, before] of rectsIn(page, other))
          if (other !== where || id !== 'b') assert.deepEqual(rectsIn(next, other).get(id), before);
    }),
    { numRuns: runCount(100, 2_000) },
  );
});

test('groups stay groups when their elements are copied, raised and moved', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
      let page = pageOf();
      for (const one of edits) page = one(page);
      const together = ids(...page.elements.slice(0, 2).map(({ id }) => id));
      fc.pre(together.size === 2);
      page = grouped(page, together);
      const before = [...groupOf(page, [...together][0]!)];
      assert.deepEqual(ids(...before), together);
      const all = copied(page, together, 'landscape');
      const copy = pasted(page, all, 'landscape');
      if (all.elements.length === 2 && copy.ids.size === 2)
        assert.deepEqual(groupOf(copy.page, [...copy.ids][0]!), copy.ids);
      assert.deepEqual(groupOf(raised(copy.page, together, 1), [...together][0]!), together);
    }),
    { numRuns: runCount(150, 2_000) },
  );
});
