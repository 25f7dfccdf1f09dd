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
}: {
  readonly background: Fill;
  readonly elements: readonly Element[];
  readonly layout: LayoutNode | null;
}): Page => ({ id: 'page', background, elements: [...elements], layout, arrangements: {}, duration_ms: null });

/** Returns the paragraphs of words; levels without text are left out. */
export const paragraphs = ({ kicker, title, body }: Words): Paragraph[] =>
  lines(...(kicker ? [['kicker', kicker] as const] : []), ['title', title], ...(body ? [['body', body] as const] : []));

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

/** Space without an element. */
export const room = (weight: number, more: Partial<LayoutNode> = {}): LayoutNode =>
  ({
    ...{ weight, direction: 'column', gap: 0, padding: 0, children: [] },
    ...more,
  }) as LayoutNode;
