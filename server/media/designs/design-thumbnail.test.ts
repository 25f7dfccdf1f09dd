import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { DEFAULT_BRAND } from '../../../shared/design/brand.ts';
import { DESIGN_VERSION, MAX_ELEMENTS } from '../../../shared/design/design.ts';
import { tempFolder } from '../../../test/harness.ts';
import { drawDesign } from './design-thumbnail.ts';

/** Time limit in milliseconds for the largest document, on a machine that does other work as well. */
const LARGEST_MS = 20_000;
const WHOLE = { horizontal: 'stretch', vertical: 'stretch', dx: 0, dy: 0, width: 100, height: 100 };

const documentOf = (elements: readonly object[], background: object = { kind: 'color', color: '#FFFFFF' }): string =>
  JSON.stringify({
    ...{ format: 'vitrine-design', version: DESIGN_VERSION, template: false, style: null },
    pages: [{ ...{ id: 'page', layout: null, arrangements: {}, duration_ms: null }, background, elements }],
  });
const textOf = (text: string, more: object = {}): object => ({
  ...{ type: 'text', id: 'text', place: WHOLE, size: 200, color: '#000000' },
  text: [{ style: 'title', list: null, runs: [{ text }] }],
  ...more,
});

const draw = async (t: TestContext, document: string) => {
  const path = join(tempFolder(t), 'design.json');
  writeFileSync(path, document);
  const drawn = await drawDesign({
    path,
    brand: DEFAULT_BRAND,
    pictures: { gone: '/nowhere' },
    now: 0,
    key: 'the key',
  });
  assert.ok(drawn);
  const { data, info } = await sharp(drawn).removeAlpha().greyscale().raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [480, 270]);
  return { bytes: drawn, dark: data.filter((value) => value < 128).length };
};

test('thumbnail contains the key that it was drawn for', async (t) => {
  const { bytes } = await draw(t, documentOf([]));
  assert.ok(Buffer.from(bytes).includes('the key'));
});

for (const [name, text] of [
  ['Latin', 'Fresh bread'],
  ['German and Polish', 'Käse für ŁÓDŹ'],
  ['Cyrillic', 'Свежий хлеб'],
  ['markup', '</text><script>alert(1)</script> & "quotes"'],
  ['half a character', 'bread \ud83d bread'],
] as const)
  test(`thumbnail shows a text of ${name}`, async (t) => {
    const { dark } = await draw(t, documentOf([textOf(text)]));
    assert.ok(dark > 500, `${dark} dark pixels`);
  });

for (const text of ['新鮮なパン', 'خبز طازج كل يوم', '👩‍👩‍👧 🥨 🇦🇹', '\u200b', 'x'.repeat(5_000)])
  test(`thumbnail is drawn for the text ${JSON.stringify(text.slice(0, 20))}`, async (t) => {
    await draw(t, documentOf([textOf(text)]));
  });

test('picture whose file is missing becomes a placeholder', async (t) => {
  const media = {
    ...{ content_id: 'gone', fit: 'fill', focus: { x: 0, y: 1 } },
    ...{ overlay: null, overlay_opacity: 0, zoom: false },
  };
  await draw(t, documentOf([{ type: 'media', id: 'photo', place: WHOLE, media }]));
});

test('largest documents are drawn within a limited time', async (t) => {
  const words = (length: number, seed: number): string =>
    Array.from({ length: Math.floor(length / 7) }, (_, i) => (seed * 7919 + i * 104_729).toString(36).slice(0, 6)).join(
      ' ',
    );
  const texts = Array.from({ length: MAX_ELEMENTS }, (_, i) =>
    textOf(words(2_000, i), { id: `e-${i}`, shadow: true, rotation: i % 90, opacity: 0.5, size: 30 }),
  );
  const rows = Array.from({ length: 200 }, (_, i) => ({
    cells: Array.from({ length: 8 }, (_, c) => words(150, i * 8 + c)),
  }));
  const column = { title: 'Title', align: 'end', weight: 1, kind: 'price' };
  const table = {
    type: 'table',
    id: 'table',
    place: WHOLE,
    size: 80,
    rows,
    columns: Array.from({ length: 8 }, () => column),
  };
  const pattern = { kind: 'pattern', pattern: 'stripes', color: 'primary', background: 'accent' };
  const shapes = Array.from({ length: MAX_ELEMENTS }, (_, i) => ({
    ...{ type: 'shape', id: `e-${i}`, place: WHOLE, shape: 'ellipse', fill: pattern, stroke: 30 },
  }));
  for (const [name, elements] of Object.entries({ texts, table: [table], shapes })) {
    const began = performance.now();
    await draw(t, documentOf(elements));
    const ms = performance.now() - began;
    t.diagnostic(`${name}: ${Math.round(ms)} ms, ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
    assert.ok(ms < LARGEST_MS, `${name} took ${Math.round(ms)} ms`);
  }
});
