import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fragment, Slice } from 'prosemirror-model';
import { COLOR_ROLES } from '../../../../shared/design/fills.ts';
import {
  MAX_PARAGRAPHS,
  MAX_RUNS,
  MAX_TEXT,
  PARAGRAPH_STYLES,
  type Paragraph,
  RichText,
  type TextRun,
  textOf,
} from '../../../../shared/design/rich-text.ts';
import { docOf, exceededBy, schema, shortened, styledLike, textOfDoc } from './richDoc.ts';

const on = fc.constantFrom(true as const, undefined);
const run: fc.Arbitrary<TextRun> = fc
  .record({
    text: fc.stringMatching(/^[a-zäß\t\n ☃]{1,12}$/),
    bold: on,
    italic: on,
    underline: on,
    strike: on,
    color: fc.constantFrom(undefined, '#A1B2C3' as const, ...COLOR_ROLES),
  })
  .map((made) => JSON.parse(JSON.stringify(made)) as TextRun);
const paragraph: fc.Arbitrary<Paragraph> = fc.record({
  style: fc.constantFrom(...PARAGRAPH_STYLES),
  list: fc.constantFrom(null, 'bullet' as const, 'number' as const),
  runs: fc.array(run, { maxLength: 5 }),
});
const lookOf = ({ text: _, ...look }: TextRun): string => JSON.stringify(Object.entries(look).sort());

/** Returns the paragraphs with neighbouring runs of the same look as one run, as the editor saves them. */
const joined = (text: readonly Paragraph[]): Paragraph[] =>
  text.map((one) => {
    const runs: TextRun[] = [];
    for (const next of one.runs) {
      const last = runs.at(-1);
      if (last && lookOf(last) === lookOf(next)) runs[runs.length - 1] = { ...last, text: last.text + next.text };
      else runs.push(next);
    }
    return { ...one, runs };
  });

test('text is the same after it was a document of the editor', () => {
  fc.assert(
    fc.property(fc.array(paragraph, { minLength: 1, maxLength: 6 }), (text) => {
      const read = textOfDoc(docOf(text));
      assert.deepEqual(read, joined(text));
      assert.ok(RichText.safeParse(read).success);
    }),
  );
});

test('text without paragraphs becomes an empty title', () => {
  assert.deepEqual(textOfDoc(docOf([])), [{ style: 'title', list: null, runs: [] }]);
});

test('control characters are left out of the text', () => {
  const doc = schema.node('doc', null, [schema.node('paragraph', null, [schema.text('a\u0007b\u0000')])]);
  assert.deepEqual(textOfDoc(doc)[0]!.runs, [{ text: 'ab' }]);
});

test('limit that a text exceeds is named', () => {
  assert.equal(exceededBy(textOf('x'.repeat(MAX_TEXT))), undefined);
  assert.equal(exceededBy(textOf('x'.repeat(MAX_TEXT + 1))), 'characters');
  assert.equal(exceededBy(textOf('\n'.repeat(MAX_PARAGRAPHS))), 'paragraphs');
  const runs = Array.from({ length: MAX_RUNS + 1 }, (_, i) => ({ text: 'x', ...(i % 2 === 0 && { bold: true }) }));
  assert.equal(exceededBy([{ style: 'body', list: null, runs }]), 'runs');
});

const pasted = (...lines: string[]): Slice =>
  new Slice(Fragment.from(lines.map((line) => schema.node('paragraph', null, line ? [schema.text(line)] : []))), 1, 1);
const linesOf = ({ content }: Slice): string[] => content.content.map((node) => node.textContent);

test('pasted content is cut at the number of characters that fit', () => {
  assert.deepEqual(linesOf(shortened(pasted('abcd', 'efgh'), 9, 9)), ['abcd', 'efgh']);
  assert.deepEqual(linesOf(shortened(pasted('abcd', 'efgh'), 7, 9)), ['abcd', 'ef']);
  assert.deepEqual(linesOf(shortened(pasted('abcd', 'efgh'), 3, 9)), ['abc']);
  assert.equal(shortened(pasted('abcd'), 0, 9).size, 0);
  const inline = new Slice(Fragment.from(schema.text('abcdef')), 0, 0);
  assert.deepEqual(linesOf(shortened(inline, 2, 9)), ['ab']);
});

test('pasted content is cut at the number of paragraphs that fit', () => {
  assert.deepEqual(linesOf(shortened(pasted('a', 'b', 'c'), 99, 2)), ['a', 'b']);
});

test('pasted paragraphs take the style of the paragraph at the cursor, and keep a style and list of their own', () => {
  const own = schema.node('paragraph', { style: 'kicker', list: null }, [schema.text('own')]);
  const item = schema.node('paragraph', { style: null, list: 'bullet' }, [schema.text('item')]);
  const slice = new Slice(Fragment.from([own, item, ...pasted('plain').content.content]), 1, 1);
  assert.deepEqual(
    styledLike(slice, { style: 'small', list: 'number' }).content.content.map(({ attrs }) => ({ ...attrs })),
    [
      { style: 'kicker', list: null },
      { style: 'small', list: 'bullet' },
      { style: 'small', list: 'number' },
    ],
  );
});

test('pasted paragraph with too many looks keeps its words only', () => {
  const words = Array.from({ length: MAX_RUNS + 5 }, (_, i) => schema.text('x', i % 2 ? [schema.mark('bold')] : []));
  const slice = new Slice(Fragment.from(schema.node('paragraph', null, words)), 1, 1);
  const { content } = styledLike(slice, { style: 'body', list: null });
  assert.equal(content.firstChild!.textContent.length, MAX_RUNS + 5);
  assert.equal(content.firstChild!.childCount, 1);
});
