/** Fields of designs and their changes, without a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Design } from '../../../shared/design/design.ts';
import type { Paragraph } from '../../../shared/design/rich-text.ts';
import { templateDesign } from '../../../shared/design/templates/all.ts';
import { TEMPLATE_TASKS } from '../../../shared/design/templates/tasks.ts';
import { TEMPLATE_STYLES } from '../../../shared/design/templates/template.ts';
import { type Changes, fieldsOf, titleOf, withValues } from './fields.ts';
import { linesOf, rowOf, rowsOf } from './tableLines.ts';

const OPTIONS = { language: 'en', currency: 'EUR', until: '2026-12-05T18:00' };
const all = TEMPLATE_TASKS.flatMap(({ id }) =>
  TEMPLATE_STYLES.map((style) => ({ id, style, design: templateDesign(id, style, OPTIONS)! })),
);
const offer = templateDesign('offer', 'bold', OPTIONS)!;
const menu = templateDesign('menu', 'calm', OPTIONS)!;
const keysOf = (design: Design) => fieldsOf(design).map(({ key }) => key);
const unchanged = (design: Design): Changes =>
  Object.fromEntries(fieldsOf(design).map(({ key, value }) => [key, value]));

const COLUMNS = [
  { title: '', align: 'start', weight: 3, kind: 'text' },
  { title: '', align: 'end', weight: 1, kind: 'price' },
] as const;
const columns = [...COLUMNS];

test('template of an offer has fields for its words, price and picture', () => {
  assert.deepEqual(keysOf(offer), ['media::1', 'text:kicker:1', 'text:title:1', 'text:body:1', 'price::1']);
});

test('every template of a task has the same text fields in every style, so that typed words stay', () => {
  const texts = (design: Design) =>
    keysOf(design)
      .filter((key) => key.startsWith('text:'))
      .toSorted();
  for (const { id } of TEMPLATE_TASKS) {
    const [first, ...others] = all.filter((one) => one.id === id).map(({ design }) => texts(design));
    for (const other of others) assert.deepEqual(other, first, id);
  }
});

test('every template has a field that a person can fill', () => {
  for (const { id, style, design } of all) assert.ok(fieldsOf(design).length > 0, `${id} ${style}`);
});

test('unchanged values leave every template as it is', () => {
  for (const { design } of all) assert.equal(withValues(design, unchanged(design)), design);
});

test('changed values give a valid design with these values', () => {
  const changes: Changes = {
    'text:title:1': 'Plum cake',
    'price::1': { amount: 3.2, old_amount: null, unit: 'per piece' },
    'media::1': 'picture-id',
  };
  for (const { design } of all.filter(({ id }) => id === 'offer')) {
    const changed = withValues(design, changes);
    assert.deepEqual(Design.parse(changed), changed);
    const values = new Map(fieldsOf(changed).map(({ key, value }) => [key, value]));
    for (const [key, value] of Object.entries(changes)) assert.deepEqual(values.get(key), value);
    assert.equal(titleOf(changed), 'Plum cake');
  }
});

test('design without fillable elements has a field for every text, price, table and picture', () => {
  const bare = (design: Design): Design => ({
    ...design,
    pages: design.pages.map((page) => ({
      ...page,
      elements: page.elements.map((element) => ({ ...element, fillable: false })),
    })),
  });
  assert.deepEqual(keysOf(bare(menu)).toSorted(), keysOf(menu).toSorted());
});

test('locked element has no field when others are fillable', () => {
  const [page] = offer.pages;
  const elements = page!.elements.map((e) => (e.type === 'price' ? { ...e, fillable: false } : e));
  assert.ok(!keysOf({ ...offer, pages: [{ ...page!, elements }] }).includes('price::1'));
});

test('empty kicker disappears and an empty only text stays as an empty line', () => {
  const without = withValues(offer, { 'text:kicker:1': '' });
  assert.ok(!keysOf(without).includes('text:kicker:1'));
  const welcome = templateDesign('room', 'bold', OPTIONS)!;
  const empty = withValues(welcome, { 'text:title:1': '', 'text:body:1': '' });
  assert.ok(fieldsOf(empty).some(({ kind, value }) => kind === 'text' && value === ''));
  assert.deepEqual(Design.parse(empty), empty);
});

const run = fc.record(
  {
    text: fc.string({ maxLength: 8 }).map((s) => s.replace(/\p{Cc}/gu, ' ')),
    bold: fc.boolean(),
    italic: fc.boolean(),
  },
  { requiredKeys: ['text'], noNullPrototype: true },
);
const paragraph: fc.Arbitrary<Paragraph> = fc.record(
  {
    style: fc.constantFrom('kicker', 'title', 'body'),
    list: fc.constantFrom(null, 'bullet'),
    runs: fc.array(run, { minLength: 1, maxLength: 4 }),
  },
  { noNullPrototype: true },
);
const withText = (text: Paragraph[]): Design => {
  const [page] = offer.pages;
  return {
    ...offer,
    pages: [{ ...page!, elements: page!.elements.map((e) => (e.type === 'text' ? { ...e, text } : e)) }],
  };
};

test('unchanged values leave any text as it is', () => {
  fc.assert(
    fc.property(fc.array(paragraph, { minLength: 1, maxLength: 6 }), (text) => {
      const design = withText(text);
      assert.equal(withValues(design, unchanged(design)), design);
    }),
  );
});

test('changed text is exactly the typed text, in any formats', () => {
  const line = fc.string({ minLength: 1, maxLength: 12 }).map((s) => s.replace(/\p{Cc}/gu, ' '));
  fc.assert(
    fc.property(
      fc.array(paragraph, { minLength: 1, maxLength: 6 }),
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      (text, lines, pick) => {
        const design = withText(text);
        const texts = fieldsOf(design).filter(({ kind }) => kind === 'text');
        const { key } = texts[pick % texts.length]!;
        const changed = withValues(design, { [key]: lines.join('\n') });
        const values = new Map(fieldsOf(changed).map((field) => [field.key, field.value]));
        assert.equal(values.get(key), lines.join('\n'));
        assert.deepEqual(Design.parse(changed), changed);
        for (const other of texts) if (other.key !== key) assert.equal(values.get(other.key), other.value);
      },
    ),
  );
});

test('letters that stay keep their formats', () => {
  const design = withText([
    { style: 'title', list: null, runs: [{ text: 'Fresh ' }, { text: 'plum', bold: true }, { text: ' cake' }] },
  ]);
  const { pages } = withValues(design, { 'text:title:1': 'Fresh plums cake' });
  const text = pages[0]!.elements.find((e) => e.type === 'text');
  assert.deepEqual(text?.type === 'text' && text.text[0]!.runs, [
    { text: 'Fresh ' },
    { text: 'plums', bold: true },
    { text: ' cake' },
  ]);
});

test('changed emoji stays in one run', () => {
  const design = withText([
    { style: 'title', list: null, runs: [{ text: 'Apples ' }, { text: '\u{1F34E}', bold: true }] },
  ]);
  const { pages } = withValues(design, { 'text:title:1': 'Apples \u{1F34F}' });
  const text = pages[0]!.elements.find((e) => e.type === 'text');
  assert.deepEqual(text?.type === 'text' && text.text[0]!.runs.map((one) => one.text), ['Apples ', '\u{1F34F}']);
});

test('pasted lines become rows, whatever separates name and price', () => {
  const row = (name: string, price: string, note = '') => ({ cells: [name, price], note, heading: false });
  for (const [line, expected] of [
    ['Tomato soup … 5.80', row('Tomato soup', '5.80')],
    ['Tomato soup ........ 5,80 €', row('Tomato soup', '5,80')],
    ['Tomato soup\t5.80', row('Tomato soup', '5.80')],
    ['Tomato soup   € 5.80', row('Tomato soup', '5.80')],
    ['Tomato soup 5.80', row('Tomato soup', '5.80')],
    ['Tomato soup 5,80 €', row('Tomato soup', '5,80')],
    ['Tomato soup | with basil … 5.80', row('Tomato soup', '5.80', 'with basil')],
    ['Soup of the day … market price', row('Soup of the day', 'market price')],
    ['Wait... there is more … 3', row('Wait there is more', '3')],
    ['Bread', row('Bread', '')],
  ] as const)
    assert.deepEqual(rowOf(line, columns), expected, line);
  assert.deepEqual(rowOf('# Starters', columns), { cells: ['Starters', ''], note: '', heading: true });
});

test('rows with unchanged lines stay as they are', () => {
  const rows = [
    { cells: ['Odd … name', '1.50'], note: 'a | b', heading: false },
    { cells: ['Twice', '2'], note: '', heading: false },
    { cells: ['Twice', '2'], note: '', heading: false },
  ];
  assert.deepEqual(rowsOf(linesOf({ rows, columns }), { columns, rows }, 200), rows);
  assert.deepEqual(rowsOf(`New … 3\n\n${linesOf({ rows, columns })}`, { columns, rows }, 200).slice(1), rows);
  assert.equal(rowsOf('a\n'.repeat(300), { columns, rows }, 200).length, 200);
});
