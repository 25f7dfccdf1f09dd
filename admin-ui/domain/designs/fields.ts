/**
 * Fields of a design for people who change words, prices and pictures without the designer. A field has a key that is
 * equal in all styles of a template, so that typed values stay when the style changes. Pure.
 */
import type { Design, Page } from '../../../shared/design/design.ts';
import type { Element } from '../../../shared/design/elements.ts';
import type { MediaRef } from '../../../shared/design/fills.ts';
import type { Paragraph, ParagraphStyle, TextRun } from '../../../shared/design/rich-text.ts';
import { linesOf, rowsOf } from './tableLines.ts';

/** Largest number of rows of a table (elements.ts). */
const MAX_ROWS = 200;

type Price = Extract<Element, { type: 'price' }>;
export type PriceValue = Pick<Price, 'amount' | 'old_amount' | 'unit'>;

/** Values by kind. A text, list or code is a string; a picture is the id of a content, null: none. */
export interface Values {
  readonly text: string;
  readonly price: PriceValue;
  readonly media: string | null;
  readonly qr: string;
  readonly countdown: string;
  readonly table: string;
}
export type FieldKind = keyof Values;

interface FieldOf<K extends FieldKind> {
  readonly key: string;
  readonly kind: K;
  /** Name that a person gave the element; empty: none. */
  readonly name: string;
  /** Style of the paragraphs of a text; null: several styles, or another kind. */
  readonly style: ParagraphStyle | null;
  /** Position among the fields with the same kind and style, from 1. */
  readonly n: number;
  /** Number of fields with the same kind and style. */
  readonly of: number;
  /** ISO 4217, of a price or a list; null for other kinds. */
  readonly currency: string | null;
  readonly value: Values[K];
}
export type Field = { [K in FieldKind]: FieldOf<K> }[FieldKind];
/** Changed values by the key of their field. */
export type Changes = Readonly<Record<string, Values[FieldKind]>>;

/** A field with its place in the design. */
type Placed = Field & {
  readonly page: number;
  /** Index of the element; null: the background of the page. */
  readonly element: number | null;
  /** First paragraph, and the paragraph after the last. */
  readonly from: number;
  readonly to: number;
};

/** A paragraph is part of the same field as its neighbour when both look the same. */
const isAlike = (a: Paragraph, b: Paragraph): boolean => a.style === b.style && a.list === b.list;
const textOf = ({ runs }: Paragraph): string => runs.map(({ text }) => text).join('');

/** Returns the ranges of consecutive paragraphs that look the same. */
const rangesOf = (paragraphs: readonly Paragraph[]): [from: number, to: number][] => {
  const ranges: [number, number][] = [];
  paragraphs.forEach((paragraph, i) => {
    const last = ranges.at(-1);
    if (last && isAlike(paragraphs[i - 1]!, paragraph)) last[1] = i + 1;
    else ranges.push([i, i + 1]);
  });
  return ranges;
};

type Found = Pick<Placed, 'kind' | 'name' | 'style' | 'value' | 'currency' | 'element' | 'from' | 'to'>;
const WHOLE = { style: null, currency: null, from: 0, to: 0 } as const;

const foundIn = (element: Element, index: number): Found[] => {
  const at = { ...WHOLE, name: element.name, element: index };
  switch (element.type) {
    case 'text':
      return rangesOf(element.text).map(([from, to]) => ({
        ...at,
        kind: 'text',
        style: element.text[from]!.style,
        from,
        to,
        value: element.text.slice(from, to).map(textOf).join('\n'),
      }));
    case 'price': {
      const { amount, old_amount, unit, currency } = element;
      return [{ ...at, kind: 'price', currency, value: { amount, old_amount, unit } }];
    }
    case 'media':
      return [{ ...at, kind: 'media', value: element.media.content_id }];
    case 'qr':
      return [{ ...at, kind: 'qr', value: element.value }];
    case 'countdown':
      return [{ ...at, kind: 'countdown', value: element.until }];
    case 'table':
      return [{ ...at, kind: 'table', currency: element.currency, value: linesOf(element) }];
    default:
      return [];
  }
};

/**
 * Returns the fields with their places. If elements are marked as fillable, only these have fields; otherwise all texts,
 * prices, tables, codes and pictures have fields. A picture in the background always has a field.
 */
const placedIn = ({ pages }: Design): Placed[] => {
  const isMarked = pages.some(({ elements }) => elements.some(({ fillable }) => fillable));
  const found = pages.flatMap(({ elements, background }, page) =>
    [
      ...elements.flatMap((element, index) => (isMarked && !element.fillable ? [] : foundIn(element, index))),
      ...(background.kind === 'media'
        ? [{ ...WHOLE, kind: 'media' as const, name: '', element: null, value: background.media.content_id }]
        : []),
    ].map((one) => ({ ...one, page })),
  );
  const groupOf = ({ kind, style }: Pick<Found, 'kind' | 'style'>): string => `${kind}:${style ?? ''}`;
  const counts = new Map<string, number>();
  const numbered = found.map((one) => {
    const n = (counts.get(groupOf(one)) ?? 0) + 1;
    counts.set(groupOf(one), n);
    return { ...one, n, key: `${groupOf(one)}:${n}` };
  });
  return numbered.map((one) => ({ ...one, of: counts.get(groupOf(one))! }) as Placed);
};

/** Returns the fields of a design, in the order of its pages and elements. */
export const fieldsOf = (design: Design): Field[] =>
  placedIn(design).map(({ page: _, element: _e, from: _f, to: _t, ...field }) => field as Field);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns the design with changed values. A value equal to that of its field changes nothing. */
export const withValues = (design: Design, changes: Changes): Design => {
  // From the last field to the first, so that the places of earlier paragraphs stay right.
  const changed = placedIn(design)
    .toReversed()
    .filter(({ key, value }) => key in changes && !isSame(changes[key], value));
  if (changed.length === 0) return design;
  const pages = [...design.pages];
  for (const field of changed) pages[field.page] = withField(pages[field.page]!, field, changes[field.key]!);
  return { ...design, pages };
};

const withContent = (media: MediaRef, id: string | null): MediaRef =>
  // The focal point belongs to the former picture.
  ({ ...media, content_id: id, focus: { x: 0.5, y: 0.5 } });

const withField = (page: Page, field: Placed, value: Values[FieldKind]): Page => {
  if (field.element === null) {
    const { background } = page;
    if (background.kind !== 'media') return page;
    return { ...page, background: { ...background, media: withContent(background.media, value as string | null) } };
  }
  const elements = [...page.elements];
  elements[field.element] = filled(elements[field.element]!, field, value);
  return { ...page, elements };
};

const filled = (element: Element, { from, to }: Placed, value: Values[FieldKind]): Element => {
  switch (element.type) {
    case 'text': {
      const text = [...element.text];
      text.splice(from, to - from, ...withLines(text.slice(from, to), value as string, text.length > to - from));
      return { ...element, text };
    }
    case 'price':
      return { ...element, ...(value as PriceValue) };
    case 'media':
      return { ...element, media: withContent(element.media, value as string | null) };
    case 'qr':
      return { ...element, value: value as string };
    case 'countdown':
      return { ...element, until: value as string };
    case 'table':
      return { ...element, rows: rowsOf(value as string, element, MAX_ROWS) };
    default:
      return element;
  }
};

/** Splits paragraphs at line breaks within their runs. */
const perLine = (paragraphs: readonly Paragraph[]): Paragraph[] =>
  paragraphs.flatMap((paragraph) => {
    const lines: TextRun[][] = [[]];
    for (const run of paragraph.runs) {
      run.text.split('\n').forEach((text, i) => {
        if (i > 0) lines.push([]);
        if (text !== '') lines.at(-1)!.push({ ...run, text });
      });
    }
    return lines.map((runs) => ({ ...paragraph, runs }));
  });

/**
 * Returns the paragraphs with another text. Unchanged lines at the beginning and the end keep their paragraphs; a
 * changed line keeps the formats of the letters that it shares with the former line.
 * @param mayVanish whether an empty text removes the paragraphs
 */
const withLines = (paragraphs: readonly Paragraph[], text: string, mayVanish: boolean): Paragraph[] => {
  const model = paragraphs[0]!;
  if (text === '') return mayVanish ? [] : [{ ...model, runs: [{ ...model.runs[0], text: '' }] }];
  const before = perLine(paragraphs);
  const lines = text.split('\n');
  const limit = Math.min(before.length, lines.length);
  let head = 0;
  while (head < limit && textOf(before[head]!) === lines[head]) head++;
  let tail = 0;
  while (tail < limit - head && textOf(before.at(-1 - tail)!) === lines.at(-1 - tail)) tail++;
  const middle = lines.slice(head, lines.length - tail);
  const former = before.slice(head, before.length - tail);
  return [
    ...before.slice(0, head),
    ...middle.map((line, i) =>
      withText(former[i] ?? former.at(-1) ?? { ...model, runs: model.runs.slice(0, 1) }, line),
    ),
    ...(tail > 0 ? before.slice(-tail) : []),
  ];
};

/** Returns the numbers of UTF-16 units that two texts share at the beginning and at the end, in whole characters. */
const sharedOf = (one: string, other: string): [head: number, tail: number] => {
  const [a, b] = [[...one], [...other]];
  const limit = Math.min(a.length, b.length);
  let head = 0;
  while (head < limit && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < limit - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [a.slice(0, head).join('').length, a.slice(a.length - tail).join('').length];
};

/** Returns the paragraph with another text. Letters at the beginning and the end that stay keep their formats. */
const withText = (paragraph: Paragraph, text: string): Paragraph => {
  const was = textOf(paragraph);
  const [head, tail] = sharedOf(was, text);
  const formatAt = (index: number): Omit<TextRun, 'text'> => {
    let at = 0;
    for (const { text: part, ...format } of paragraph.runs) {
      at += part.length;
      if (index < at) return format;
    }
    const { text: _, ...format } = paragraph.runs.at(-1) ?? { text: '' };
    return format;
  };
  const runs: TextRun[] = [
    ...cut(paragraph.runs, 0, head),
    // New letters look like the letter that they replace, or like the letter before them.
    {
      ...formatAt(head < was.length - tail ? head : Math.max(head - 1, 0)),
      text: text.slice(head, text.length - tail),
    },
    ...cut(paragraph.runs, was.length - tail, was.length),
  ];
  return { ...paragraph, runs: joined(runs) };
};

/** Returns the runs of a part of a text. */
const cut = (runs: readonly TextRun[], from: number, to: number): TextRun[] => {
  let at = 0;
  return runs.flatMap((run) => {
    const start = at;
    at += run.text.length;
    const text = run.text.slice(Math.max(from - start, 0), Math.max(to - start, 0));
    return text === '' ? [] : [{ ...run, text }];
  });
};

const FORMATS = ['bold', 'italic', 'underline', 'strike', 'color'] as const;

/** Joins neighbouring runs of the same format and removes empty runs. */
const joined = (runs: readonly TextRun[]): TextRun[] => {
  const all: TextRun[] = [];
  for (const run of runs) {
    if (run.text === '') continue;
    const last = all.at(-1);
    if (last && FORMATS.every((format) => last[format] === run[format]))
      all[all.length - 1] = { ...last, text: last.text + run.text };
    else all.push(run);
  }
  return all.length > 0 ? all : [{ text: '' }];
};

/** Returns the name for a design: the words of its first title, otherwise of its first text; '' without text. */
export const titleOf = (design: Design): string => {
  const texts = design.pages.flatMap(({ elements }) => elements.flatMap((e) => (e.type === 'text' ? e.text : [])));
  const title =
    texts.find((p) => p.style === 'title' && textOf(p).trim() !== '') ?? texts.find((p) => textOf(p).trim());
  return title ? textOf(title).replace(/\s+/g, ' ').trim().slice(0, 120) : '';
};
