import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { runCount } from '../../test/run-count.ts';
import { MAX_DESIGN_BYTES } from './design.ts';
import { mediaOf, readDesign, withMedia } from './read-design.ts';
import { textOf } from './rich-text.ts';

/** Number of types of elements in version 1. */
const ELEMENT_TYPES = 11;

const PLACE = { horizontal: 'left', vertical: 'top', dx: 0, dy: 0, width: 400, height: 200 };
const media = (content_id: string | null) => ({
  ...{ content_id, fit: 'fill', focus: { x: 0.5, y: 0.5 }, overlay: null, overlay_opacity: 0, zoom: false },
});
const documentOf = (...elements: object[]) => ({
  ...{ format: 'vitrine-design', version: 1, template: false, style: null },
  pages: [
    {
      ...{
        id: 'page',
        background: { kind: 'media', media: media('back') },
        layout: null,
        arrangements: {},
        duration_ms: null,
      },
      elements,
    },
  ],
});
const WORDS = { type: 'text', id: 'words', place: PLACE, text: textOf('Plum cake'), size: 80 };
const PRICE = { type: 'price', id: 'price', place: PLACE, amount: 4.2, currency: 'EUR', size: 80 };
const PICTURE = { type: 'media', id: 'photo', place: PLACE, media: media('cake') };

const refusalOf = (document: unknown): string => {
  const read = readDesign(typeof document === 'string' ? document : JSON.stringify(document));
  return 'refused' in read ? read.refused : 'accepted';
};

test('valid document is read with defaults, and names its pictures once', () => {
  const read = readDesign(JSON.stringify(documentOf(WORDS, PRICE, PICTURE, { ...PICTURE, id: 'again' })));
  assert.ok('design' in read);
  assert.equal(read.design.pages[0]!.elements[1]!.opacity, 1);
  assert.deepEqual(mediaOf(read.design), ['back', 'cake']);
});

test('copy of a design shows other pictures, and a lost picture becomes a placeholder', () => {
  const read = readDesign(JSON.stringify(documentOf(PICTURE)));
  assert.ok('design' in read);
  assert.deepEqual(mediaOf(withMedia(read.design, (id) => (id === 'cake' ? 'other' : null))), ['other']);
});

test('refusal names page, element and field', () => {
  assert.match(
    refusalOf(documentOf({ ...PRICE, currency: 'euro' })),
    /^Page 1, element "price", currency: must be a currency code/,
  );
  assert.match(refusalOf(documentOf({ ...WORDS, size: 1e6 })), /^Page 1, element "words", size: /);
  assert.match(refusalOf(documentOf({ ...WORDS, type: 'script' })), /^Page 1, element "words", type: /);
  assert.match(refusalOf({ ...documentOf(), pages: [] }), /^pages: must have a page/);
  assert.match(refusalOf({ ...documentOf(), version: 2 }), /newer version of Vitrine/);
  assert.match(refusalOf('{"format":'), /not valid JSON/);
  assert.match(refusalOf(' '.repeat(MAX_DESIGN_BYTES + 1)), /larger than 512 kB/);
  for (const nothing of ['null', '[]', '"x"', '1']) assert.notEqual(refusalOf(nothing), 'accepted');
});

test('no damaged document throws, and each is accepted or refused with a sentence', () => {
  const text = JSON.stringify(documentOf(WORDS, PRICE, PICTURE));
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.nat(text.length - 1), fc.string({ maxLength: 6 }), (from, length, junk) => {
      const damaged = text.slice(0, from) + junk + text.slice(from + (length % 40));
      assert.ok(refusalOf(damaged).length > 0);
    }),
    { numRuns: runCount(300, 5_000) },
  );
});

const LANDED = join(import.meta.dirname, 'testing');
for (const file of readdirSync(LANDED))
  test(`document of the released version in ${file} is read without loss`, () => {
    const text = readFileSync(join(LANDED, file), 'utf8');
    const read = readDesign(text);
    assert.ok('design' in read, JSON.stringify(read).slice(0, 300));
    const { pages } = JSON.parse(text) as typeof read.design;
    assert.deepEqual(
      read.design.pages.map(({ elements }) => elements.map(({ id }) => id)),
      pages.map(({ elements }) => elements.map(({ id }) => id)),
    );
    const types = new Set(read.design.pages.flatMap(({ elements }) => elements.map(({ type }) => type)));
    assert.equal(types.size, ELEMENT_TYPES);
  });
