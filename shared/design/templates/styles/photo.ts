/** Style "photo": a picture over the whole page, white words on a dark veil at the bottom. */
import {
  at,
  cardColumns,
  element,
  group,
  listColumns,
  listWeight,
  nameAndNote,
  page,
  paragraphs,
  picture,
  priceOf,
  room,
  tableOf,
} from '../make.ts';
import type { Style } from '../template.ts';

const WHITE = '#FFFFFF';
const VEIL = { overlay: '#0B0D10', zoom: true } as const;
const RISE = { kind: 'rise', delay_ms: 150, ms: 800 } as const;
const LOGO = element('logo', 'logo', {
  color: WHITE,
  place: { horizontal: 'left', vertical: 'top', dx: 60, dy: 56, width: 240, height: 90 },
});
const full = (opacity: number) => ({ kind: 'media', media: picture({ ...VEIL, overlay_opacity: opacity }) }) as const;

export const photo: Style = {
  id: 'photo',
  hero: ({ words, price, qr, until, currency }) => {
    const extras = [
      ...(price
        ? [priceOf('price', price, currency, { size: 230, color: WHITE, align: 'end', vertical: 'bottom' })]
        : []),
      ...(until
        ? [element('countdown', 'countdown', { until, size: 130, color: WHITE, align: 'end', vertical: 'bottom' })]
        : []),
      ...(qr ? [element('qr', 'qr', { value: qr })] : []),
    ];
    return page({
      background: full(0.5),
      elements: [
        element('text', 'words', {
          text: paragraphs(words),
          size: 170,
          color: WHITE,
          vertical: 'bottom',
          fillable: true,
          enter: RISE,
        }),
        ...extras,
        LOGO,
      ],
      layout: group(
        'column',
        [
          room(0.8, { in: { strip: { hidden: true } } }),
          group(
            'row',
            [at('words', 1.7), ...extras.map(({ id, type }) => at(id, 1, type === 'qr' ? { ratio: 1 } : {}))],
            {
              ...{ weight: 1.4, gap: 60 },
              in: { portrait: { direction: 'column' }, square: { direction: 'column', weight: 2.4 } },
            },
          ),
        ],
        { padding: 90, in: { strip: { padding: 36 } } },
      ),
    });
  },
  list: ({ words, tables, values, currency }) =>
    page({
      background: full(0.68),
      elements: [
        element('text', 'title', {
          text: paragraphs(words),
          size: 120,
          color: WHITE,
          vertical: 'bottom',
          fillable: true,
        }),
        element('shape', 'rule', { shape: 'line', fill: { kind: 'none' }, stroke: 4, stroke_color: 'accent' }),
        ...tables.map((rows, i) =>
          tableOf(`list-${i + 1}`, rows, values, currency, { size: 88, color: WHITE, vertical: 'top', lines: false }),
        ),
      ],
      layout: group(
        'column',
        [
          at('title', 0.9),
          at('rule', 0.12),
          group('long', listColumns(tables), {
            weight: listWeight(tables),
            gap: 100,
            in: { square: { direction: 'column', gap: 20 } },
          }),
        ],
        { padding: 90, gap: 10, in: { strip: { direction: 'row', padding: 34, gap: 40 } } },
      ),
    }),
  cards: ({ words, cards, currency }) =>
    page({
      background: { kind: 'color', color: '#0B0D10' },
      elements: [
        element('text', 'title', { text: paragraphs(words), size: 96, color: WHITE, fillable: true }),
        ...cards.flatMap((card, i) => [
          element('media', `picture-${i + 1}`, { media: picture({ zoom: true }), radius: 0 }),
          element('text', `name-${i + 1}`, {
            text: nameAndNote(card),
            ...{ size: 96, color: WHITE, vertical: 'top', fillable: true },
          }),
          priceOf(`price-${i + 1}`, card.price, currency, { size: 100, color: WHITE, align: 'start', vertical: 'top' }),
        ]),
      ],
      layout: group(
        'column',
        [
          at('title', 0.6),
          group('long', cardColumns(cards.length, 18, 2.6), {
            weight: 4,
            gap: 44,
            in: { square: { direction: 'column', gap: 30 } },
          }),
        ],
        { padding: 70, gap: 24, in: { strip: { direction: 'row', padding: 30 } } },
      ),
    }),
  statement: ({ words, signature, qr }) =>
    page({
      background: full(0.55),
      elements: [
        element('text', 'words', {
          text: paragraphs({ ...words, ...(signature && { body: signature }) }),
          ...{ size: 200, color: WHITE, align: 'center', fillable: true, enter: RISE },
        }),
        ...(qr ? [element('qr', 'qr', { value: qr })] : []),
        LOGO,
      ],
      // Long words need the whole height of a strip.
      arrangements: { strip: { logo: { hidden: true } } },
      layout: group('long', [at('words', 2), ...(qr ? [at('qr', 0.8, { ratio: 1 })] : [])], {
        padding: 150,
        gap: 60,
        in: { strip: { padding: 30 } },
      }),
    }),
  sign: ({ words, icon, qr }) =>
    page({
      background: full(0.62),
      elements: [
        element('icon', 'icon', { icon, color: WHITE }),
        element('text', 'words', { text: paragraphs(words), size: 170, color: WHITE, fillable: true }),
        ...(qr ? [element('qr', 'qr', { value: qr })] : []),
      ],
      layout: group(
        'long',
        [at('icon', 0.8, { ratio: 1 }), at('words', 1.7), ...(qr ? [at('qr', 0.8, { ratio: 1 })] : [])],
        {
          ...{ padding: 120, gap: 80, in: { strip: { padding: 36 } } },
        },
      ),
    }),
};
