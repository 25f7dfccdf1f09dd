import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Brand, DEFAULT_BRAND } from './brand.ts';
import { Element } from './elements.ts';
import { fontFilesOf, stacksOf } from './fonts.ts';
import { textOf } from './rich-text.ts';

const BRAND: Brand = { ...DEFAULT_BRAND, heading_font: 'bitter', body_font: 'nunito' };
const place = { horizontal: 'center', vertical: 'middle', dx: 0, dy: 0, width: 600, height: 400 };

/** Returns the keys of the font files for one element. */
const keysOf = (element: object, brand = BRAND): string[] =>
  fontFilesOf([{ elements: [Element.parse({ id: 'e', place, ...element })] }], brand).map(({ key }) => key);

test('text needs the files of its scripts, in the font of its style', () => {
  const text = (words: string, style?: 'body') => keysOf({ type: 'text', size: 90, text: textOf(words, style) });
  assert.deepEqual(text('Plum cake'), ['font:bitter:latin']);
  assert.deepEqual(text('Plum cake', 'body'), ['font:nunito:latin']);
  assert.deepEqual(text('Żurek'), ['font:bitter:latin', 'font:bitter:latin-ext']);
  assert.deepEqual(text('Борщ'), ['font:bitter:cyrillic']);
  assert.deepEqual(text('梨'), []);
});

test('text in capitals needs the files of the capital letters', () => {
  // The capital of ÿ is in another file.
  assert.deepEqual(keysOf({ type: 'text', size: 90, text: textOf('ÿ') }), [
    'font:bitter:latin',
    'font:bitter:latin-ext',
  ]);
});

test('elements without text need no fonts', () => {
  for (const element of [
    { type: 'icon', icon: 'coffee' },
    { type: 'qr', value: 'https://shop.test' },
    { type: 'shape', shape: 'wave', fill: { kind: 'none' } },
    { type: 'text', size: 90, text: [] },
  ])
    assert.deepEqual(keysOf(element), [], element.type);
});

test('logo needs the font of headings only without a picture', () => {
  assert.deepEqual(keysOf({ type: 'logo' }, { ...BRAND, name: 'Shop' }), ['font:bitter:latin']);
  assert.deepEqual(keysOf({ type: 'logo' }, { ...BRAND, name: 'Shop', logo_content_id: 'logo' }), []);
});

test('price needs the file with the symbol of its currency', () => {
  const price = (currency: string) => keysOf({ type: 'price', size: 90, amount: 5, currency });
  assert.deepEqual(price('EUR'), ['font:bitter:latin']);
  assert.deepEqual(price('PLN'), ['font:bitter:latin', 'font:bitter:latin-ext']);
});

test('clock needs the files of every script in which browsers write dates', () => {
  assert.deepEqual(keysOf({ type: 'clock', size: 90 }), [
    'font:bitter:latin',
    'font:bitter:latin-ext',
    'font:bitter:vietnamese',
    'font:bitter:cyrillic',
  ]);
});

test('one font for both roles has each file once', () => {
  const keys = keysOf(
    { type: 'text', size: 90, text: [...textOf('Cake'), ...textOf('with plums', 'body')] },
    { ...BRAND, body_font: 'bitter' },
  );
  assert.deepEqual(keys, ['font:bitter:latin']);
});

test('uploaded font is one file, named by its id', () => {
  const [file] = fontFilesOf(
    [{ elements: [Element.parse({ id: 'e', place, type: 'text', size: 90, text: textOf('Cake') })] }],
    { ...BRAND, heading_font: '0b5f' },
  );
  assert.deepEqual(file?.source, { uploaded: '0b5f' });
  assert.match(stacksOf({ ...BRAND, heading_font: '0b5f' }).heading, /^'font-0b5f', Inter, /);
});

test('id of a font cannot break out of the list of families', () => {
  const { heading } = stacksOf({ ...BRAND, heading_font: "a', x; } body{display:none" });
  assert.match(heading, /^'font-[\w-]+', Inter, /);
});
