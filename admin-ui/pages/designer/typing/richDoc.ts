/**
 * The text of an element as a document of the editor (ProseMirror), and back. The schema of the editor permits exactly
 * what shared/design/rich-text.ts permits. Pure, except for reading pasted HTML.
 */
import { Fragment, type Mark, type Node, Schema, Slice } from 'prosemirror-model';
import { Color } from '../../../../shared/design/fills.ts';
import {
  MAX_PARAGRAPHS,
  MAX_RUNS,
  MAX_TEXT,
  type Paragraph,
  ParagraphStyle,
  plainText,
  type RichText,
  type TextRun,
} from '../../../../shared/design/rich-text.ts';

/** Attributes of a paragraph. `style` is null in pasted text, which takes the style of the paragraph at the cursor. */
export type ParagraphAttrs = { readonly style: ParagraphStyle | null; readonly list: Paragraph['list'] };
export const attrsOf = (node: Node): ParagraphAttrs => node.attrs as ParagraphAttrs;

/** Marks of a run that are on or off. */
export const SWITCHES = ['bold', 'italic', 'underline', 'strike'] as const;
export type SwitchName = (typeof SWITCHES)[number];

const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6, li, tr, dt, dd, blockquote, pre';
/** Blocks of other programs that may contain further blocks. */
const CONTAINERS = `${BLOCKS}, ul, ol, dl, table, section, article`;

/** Returns the list that an HTML block belongs to. */
const listOf = (block: HTMLElement): Paragraph['list'] => {
  const named = block.dataset['list'];
  if (named === 'bullet' || named === 'number') return named;
  const list = block.closest('li')?.parentElement?.localName;
  return list === 'ol' ? 'number' : list === 'ul' ? 'bullet' : null;
};

export const schema = new Schema({
  nodes: {
    doc: { content: 'paragraph+' },
    paragraph: {
      content: 'inline*',
      attrs: { style: { default: null }, list: { default: null } },
      parseDOM: [
        {
          tag: BLOCKS,
          getAttrs: (block) => {
            if (block.querySelector(CONTAINERS)) return false;
            return { style: ParagraphStyle.safeParse(block.dataset['style']).data ?? null, list: listOf(block) };
          },
        },
      ],
      toDOM: (node) => {
        const { style, list } = attrsOf(node);
        return ['p', { 'data-style': style, ...(list && { 'data-list': list }) }, 0];
      },
    },
    text: { group: 'inline' },
    line_break: {
      group: 'inline',
      inline: true,
      selectable: false,
      leafText: () => '\n',
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
  },
  // The first mark is the outermost element, so that lines of `underline` and `strike` have the colour of the text.
  marks: {
    color: {
      attrs: { color: {} },
      parseDOM: [
        {
          tag: 'span[data-color]',
          getAttrs: (element) => {
            const color = Color.safeParse(element.dataset['color']);
            return color.success && { color: color.data };
          },
        },
      ],
      toDOM: ({ attrs }) => ['span', { 'data-color': attrs['color'] as string }, 0],
    },
    // Only of this editor: on web pages, underlined text is usually a link.
    underline: { parseDOM: [{ tag: 'u[data-own]' }], toDOM: () => ['u', { 'data-own': '' }, 0] },
    strike: { parseDOM: [{ tag: 's[data-own]' }], toDOM: () => ['s', { 'data-own': '' }, 0] },
    bold: {
      parseDOM: [{ tag: 'strong' }, { tag: 'b' }],
      toDOM: () => ['strong', 0],
    },
    italic: {
      parseDOM: [{ tag: 'em' }, { tag: 'i' }],
      toDOM: () => ['em', 0],
    },
  },
});

/** Control characters other than line breaks and tabs, which documents refuse. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

const marksOf = (run: TextRun): Mark[] => [
  ...(run.color === undefined ? [] : [schema.mark('color', { color: run.color })]),
  ...SWITCHES.flatMap((name) => (run[name] ? [schema.mark(name)] : [])),
];

const nodesOf = (run: TextRun): Node[] => {
  const marks = marksOf(run);
  return run.text
    .split('\n')
    .flatMap((line, i) => [
      ...(i === 0 ? [] : [schema.node('line_break', null, [], marks)]),
      ...(line === '' ? [] : [schema.text(line, marks)]),
    ]);
};

/** Returns the document of a text. A text without paragraphs gets an empty title to type into. */
export const docOf = (text: RichText): Node => {
  const paragraphs = text.length > 0 ? text : [{ style: 'title' as const, list: null, runs: [] }];
  return schema.node(
    'doc',
    null,
    paragraphs.map(({ style, list, runs }) => schema.node('paragraph', { style, list }, runs.flatMap(nodesOf))),
  );
};

/** Returns a run with the look of the marks, without words. */
export const runOfMarks = (marks: readonly Mark[]): Omit<TextRun, 'text'> => {
  const has = (name: string) => marks.find((mark) => mark.type.name === name);
  const color = has('color')?.attrs['color'] as Color | undefined;
  return {
    ...Object.fromEntries(SWITCHES.flatMap((name) => (has(name) ? [[name, true]] : []))),
    ...(color !== undefined && { color }),
  };
};

const runsOf = (paragraph: Node): TextRun[] => {
  const runs: { text: string; look: string; run: Omit<TextRun, 'text'> }[] = [];
  paragraph.forEach((node) => {
    const run = runOfMarks(node.marks);
    const look = JSON.stringify(run);
    const text = node.isText ? node.text!.replace(CONTROL, '') : '\n';
    const last = runs.at(-1);
    if (last?.look === look) last.text += text;
    else runs.push({ text, look, run });
  });
  return runs.filter(({ text }) => text !== '').map(({ text, run }) => ({ text, ...run }));
};

/** Returns the text of a document. Neighbouring runs of the same look are one run. */
export const textOfDoc = (doc: Node): RichText => {
  const text: Paragraph[] = [];
  doc.forEach((node) => {
    const { style, list } = attrsOf(node);
    text.push({ style: style ?? 'title', list, runs: runsOf(node) });
  });
  return text;
};

export type Limit = 'characters' | 'paragraphs' | 'runs';

/** Returns the limit of rich text that a text exceeds; undefined: the text can be saved. */
export const exceededBy = (text: RichText): Limit | undefined => {
  if (text.length > MAX_PARAGRAPHS) return 'paragraphs';
  if (plainText(text).length > MAX_TEXT) return 'characters';
  return text.some(({ runs }) => runs.length > MAX_RUNS) ? 'runs' : undefined;
};

/** Gives pasted paragraphs without a style the style of the paragraph at the cursor. */
export const styledLike = (slice: Slice, here: ParagraphAttrs): Slice => {
  const nodes = slice.content.content.map((node) => {
    if (node.type !== schema.nodes['paragraph']) return node;
    const { style, list } = attrsOf(node);
    const look = style === null ? { style: here.style, list: list ?? here.list } : { style, list };
    // Text with so many changes of its look was not typed by a person. It keeps its words only.
    return node.type.create(look, runsOf(node).length > MAX_RUNS ? withoutMarks(node.content) : node.content);
  });
  return new Slice(Fragment.from(nodes), slice.openStart, slice.openEnd);
};

const withoutMarks = (content: Fragment): Fragment => Fragment.from(content.content.map((node) => node.mark([])));

/** Cuts pasted content at the end so that at most this many characters and paragraphs remain. */
export const shortened = (slice: Slice, characters: number, paragraphs: number): Slice => {
  let [left, end] = [characters, 0];
  let isCut = false;
  slice.content.forEach((node, _offset, i) => {
    if (isCut) return;
    const length = node.isTextblock ? node.content.size : node.nodeSize;
    const separator = node.isTextblock && i > 0 ? 1 : 0;
    if (i < paragraphs && length + separator <= left) {
      left -= length + separator;
      end += node.nodeSize;
      return;
    }
    isCut = true;
    const part = left - separator;
    if (i < paragraphs && part > 0) end += part + (node.isTextblock ? 1 : 0);
  });
  if (!isCut) return slice;
  const content = slice.content.cut(0, end);
  const isOpen = content.lastChild?.isTextblock ?? false;
  return new Slice(content, content.childCount === 0 ? 0 : slice.openStart, isOpen ? 1 : 0);
};
