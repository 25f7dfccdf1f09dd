/** Short forms for writing templates. Every value is in units (page-formats.ts), every colour a role of the brand. */
import type { z } from 'zod';
import type { Page } from '../design.ts';
import { Element } from '../elements.ts';
import type { Fill, MediaRef } from '../fills.ts';
import type { LayoutNode } from '../layout-tree.ts';
import type { Paragraph, ParagraphStyle } from '../rich-text.ts';
import type { ListRow, Price, Words } from './template.ts';

type ElementInput = z.input<typeof Element>;
type Input<T extends ElementInput['type']> = Omit<Extract<ElementInput, { type: T }>, 'type' | 'id' | 'place'> & {
  readonly place?: ElementInput['place'];
};

/** Place of elements that the layout tree places in every format. */
const ANYWHERE = { horizontal: 'center', vertical: 'middle', dx: 0, dy: 0, width: 600, height: 400 } as const;

/** Types whose content every shop replaces, so that they are fillable unless a template says otherwise. */
const REPLACED: ReadonlySet<ElementInput['type']> = new Set(['media', 'qr', 'countdown']);

/** Returns a complete element. @throws ZodError when a template is wrong */
export const element = <T extends ElementInput['type']>(type: T, id: string, { place, ...rest }: Input<T>): Element =>
  Element.parse({ type, id, place: place ?? ANYWHERE, fillable: REPLACED.has(type), ...rest });

/** Returns paragraphs, for example `lines(['kicker', 'New'], ['title', 'Plum cake'])`. */
export const lines = (...found: readonly (readonly [style: ParagraphStyle, text: string])[]): Paragraph[] =>
  found.map(([style, text]) => ({ style, list: null, runs: [{ text }] }));

export const picture = (more: Partial<MediaRef> = {}): MediaRef => ({
  content_id: null,
  fit: 'fill',
  focus: { x: 0.5, y: 0.5 },
  overlay: null,
  overlay_opacity: 0.5,
  zoom: false,
  ...more,
});

export const color = (name: Extract<Fill, { kind: 'color' }>['color']): Fill => ({ kind: 'color', color: name });

interface GroupOptions {
  readonly weight?: number;
  readonly gap?: number;
  readonly padding?: number;
  readonly in?: Extract<LayoutNode, { children: unknown }>['in'];
}

/** Places children along the long or short side, or as a row or column. */
export const group = (
  direction: 'row' | 'column' | 'long' | 'short',
  children: readonly LayoutNode[],
  { weight = 1, gap = 0, padding = 0, ...rest }: GroupOptions = {},
): LayoutNode => ({ weight, direction, gap, padding, children: [...children], ...rest });

/** Places one element. */
export const at = (
  id: string,
  weight = 1,
  more: Omit<Extract<LayoutNode, { element: string }>, 'element' | 'weight'> = {},
): LayoutNode => ({
  weight,
  element: id,
  ...more,
});

export const page = ({
  background,
  elements,
  layout,
  arrangements = {},
}: {
  readonly background: Fill;
  readonly elements: readonly Element[];
  readonly layout: LayoutNode | null;
  readonly arrangements?: Page['arrangements'];
}): Page => ({ id: 'page', background, elements: [...elements], layout, arrangements, duration_ms: null });

/** Returns the paragraphs of words; levels without text are left out. */
export const paragraphs = ({ kicker, title, body }: Words): Paragraph[] =>
  lines(...(kicker ? [['kicker', kicker] as const] : []), ['title', title], ...(body ? [['body', body] as const] : []));

/** Returns the name of an article and its note, which is almost as large, because it is read from the same distance. */
export const nameAndNote = ({
  name,
  note,
}: {
  readonly name: string;
  readonly note?: string | undefined;
}): Paragraph[] => lines(['heading', name], ...(note ? [['body', note] as const] : []));

/** Returns a price element. @param more colours, size and panel */
export const priceOf = (
  id: string,
  { amount, old, unit = '' }: Price,
  currency: string,
  more: Omit<Input<'price'>, 'amount' | 'currency' | 'old_amount' | 'unit'>,
): Element =>
  element('price', id, { amount, currency, old_amount: old ?? null, unit, align: 'center', fillable: true, ...more });

/** Returns a table of names and values. */
export const tableOf = (
  id: string,
  rows: readonly ListRow[],
  values: 'price' | 'text',
  currency: string,
  more: Omit<Input<'table'>, 'columns' | 'rows' | 'currency'>,
): Element =>
  element('table', id, {
    columns: [
      { title: '', align: 'start', weight: 3, kind: 'text' },
      { title: '', align: 'end', weight: 2, kind: values === 'price' ? 'price' : 'text' },
    ],
    rows: rows.map(({ name, note = '', value, heading = false }) => ({ cells: [name, value], note, heading })),
    currency,
    fillable: true,
    ...more,
  });

/** Smallest weight of the tables of a page beside a title of weight 1, and the weight per row. */
const [MIN_LIST_WEIGHT, ROW_WEIGHT] = [3.4, 0.6];

/** Returns the share of the page for tables: long tables get more, so that their rows stay readable. */
export const listWeight = (tables: readonly (readonly ListRow[])[]): number =>
  Math.max(MIN_LIST_WEIGHT, ROW_WEIGHT * Math.max(...tables.map((rows) => rows.length)));

/** Width of a table relative to a picture beside it. */
const TABLE_WEIGHT = 1.5;

/** Places tables side by side, or below each other on squares, where a longer table gets more room. */
export const listColumns = (tables: readonly (readonly ListRow[])[]): LayoutNode[] =>
  tables.map((rows, i) => at(`list-${i + 1}`, TABLE_WEIGHT, { in: { square: { weight: rows.length + 1 } } }));

/** Formats in which the parts of a card are side by side. */
const SIDE_BY_SIDE = {
  portrait: { direction: 'row' },
  square: { direction: 'row' },
  strip: { direction: 'row' },
} as const;
const wider = (weight: number) => ({ in: { portrait: { weight }, square: { weight }, strip: { weight } } });

/** Places picture, name and price of each card: below each other, or side by side where the cards are below each other. */
export const cardColumns = (count: number, gap: number, picture = 2): LayoutNode[] =>
  Array.from({ length: count }, (_, i) =>
    group(
      'column',
      [at(`picture-${i + 1}`, picture), at(`name-${i + 1}`, 0.9, wider(2.2)), at(`price-${i + 1}`, 0.8, wider(1.5))],
      { gap, in: SIDE_BY_SIDE },
    ),
  );

/** Space without an element. */
export const room = (weight: number, more: Partial<LayoutNode> = {}): LayoutNode =>
  ({
    ...{ weight, direction: 'column', gap: 0, padding: 0, children: [] },
    ...more,
  }) as LayoutNode;
