/** New elements with good first values: readable, on the page, in the brand's colours. */
import type { TFunction } from 'i18next';
import type { z } from 'zod';
import type { Page } from '../../../shared/design/design.ts';
import { Element, type ElementType } from '../../../shared/design/elements.ts';
import { textOf } from '../../../shared/design/rich-text.ts';
import { freeId } from './edits.ts';

/** Type of a new element, with the values that are already known. */
export interface NewElement {
  readonly type: ElementType;
  readonly text?: string;
  readonly contentId?: string;
}

type Given<T extends ElementType> = Omit<Extract<z.input<typeof Element>, { type: T }>, 'id' | 'place' | 'type'>;
type Makers = { readonly [T in ElementType]: (what: NewElement, t: TFunction) => Given<T> & { size_units: Units } };
/** Width and height in units. */
type Units = readonly [width: number, height: number];

const SHOWN_DAYS = 7;
/** Returns the local minute of a day some days ahead, at closing time. */
const nextWeek = (): string => {
  const day = new Date(Date.now() + SHOWN_DAYS * 86_400_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}T20:00`;
};

const MAKERS: Makers = {
  text: ({ text }, t) => ({ size_units: [900, 260], text: textOf(text ?? t('designer.new.text')), size: 110 }),
  media: ({ contentId }) => ({
    size_units: [800, 600],
    media: {
      ...{ content_id: contentId ?? null, fit: 'fill', focus: { x: 0.5, y: 0.5 } },
      ...{ overlay: null, overlay_opacity: 0.5, zoom: false },
    },
  }),
  shape: () => ({
    size_units: [500, 400],
    shape: 'rectangle',
    fill: { kind: 'color', color: 'primary' },
    radius: null,
  }),
  icon: () => ({ size_units: [240, 240], icon: 'coffee', color: 'primary' }),
  qr: () => ({ size_units: [320, 320], value: 'https://example.com' }),
  countdown: () => ({ size_units: [900, 220], size: 140, until: nextWeek(), align: 'center' }),
  clock: () => ({ size_units: [600, 220], size: 180, align: 'center' }),
  price: () => ({
    ...{ size_units: [420, 300], size: 180, amount: 14.5, currency: 'EUR', align: 'center' },
    ...{ color: 'on-accent', fill: { kind: 'color', color: 'accent' }, radius: null, padding: 24 },
  }),
  logo: () => ({ size_units: [360, 160] }),
  table: (_what, t) => ({
    size_units: [1200, 760],
    size: 56,
    columns: [
      { title: '', align: 'start', weight: 3, kind: 'text' },
      { title: '', align: 'end', weight: 1, kind: 'price' },
    ],
    rows: [
      { cells: [t('designer.new.dish', { n: 1 }), '9.50'] },
      { cells: [t('designer.new.dish', { n: 2 }), '11.00'] },
      { cells: [t('designer.new.dish', { n: 3 }), '14.50'] },
    ],
  }),
  weather: () => ({ size_units: [500, 300], size: 120, latitude: 48.21, longitude: 16.37 }),
};

/** Distance in units between new elements, so that none is hidden behind the next. */
const CASCADE = 40;
const CASCADES = 6;

/** Returns a complete element in the middle of the page, beside other new elements. */
export const newElement = (page: Page, what: NewElement, t: TFunction): Element => {
  const { size_units, ...given } = MAKERS[what.type](what, t);
  const [width, height] = size_units;
  const there = page.elements.filter(({ place }) => place.horizontal === 'center' && place.vertical === 'middle');
  const offset = (there.length % CASCADES) * CASCADE;
  return Element.parse({
    ...{ type: what.type, id: freeId(page, what.type) },
    place: { horizontal: 'center', vertical: 'middle', dx: offset, dy: offset, width, height },
    ...given,
  });
};
