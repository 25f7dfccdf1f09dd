/** Style "calm": much room, centred words, thin lines. For places where people read at leisure. */
import {
  at,
  cardColumns,
  color,
  element,
  group,
  listColumns,
  listWeight,
  nameAndNote,
  page,
  paragraphs,
  picture,
  priceOf,
  tableOf,
} from '../make.ts';
import type { Style } from '../template.ts';

const FADE = { kind: 'fade', delay_ms: 100, ms: 900 } as const;
const rule = (id: string) =>
  element('shape', id, { shape: 'line', fill: { kind: 'none' }, stroke: 3, stroke_color: 'accent' });
const LOGO = element('logo', 'logo', {
  place: { horizontal: 'center', vertical: 'bottom', dx: 0, dy: 44, width: 220, height: 70 },
});

export const calm: Style = {
  id: 'calm',
  hero: ({ words, price, qr, until, currency }) => {
    const extras = [
      ...(price ? [priceOf('price', price, currency, { size: 130, color: 'headline' })] : []),
      ...(until ? [element('countdown', 'countdown', { until, size: 112, color: 'headline', align: 'center' })] : []),
      ...(qr ? [element('qr', 'qr', { value: qr, color: 'ink', background: 'paper' })] : []),
    ];
    return page({
      background: color('paper'),
      elements: [
        element('media', 'picture', { media: picture() }),
        element('text', 'words', {
          text: paragraphs(words),
          size: 120,
          color: 'ink',
          align: 'center',
          fillable: true,
          enter: FADE,
        }),
        rule('rule'),
        ...extras,
        LOGO,
      ],
      // On a strip the picture is below the place of the logo.
      arrangements: { strip: { logo: { hidden: true } } },
      layout: group(
        'long',
        [
          at('picture', 1, { in: { square: { weight: 0.7 } } }),
          group(
            'column',
            [
              at('words', 1.6),
              at('rule', 0.12),
              ...extras.map(({ id, type }) => at(id, 0.9, type === 'qr' ? { ratio: 1 } : {})),
            ],
            {
              ...{ padding: 70, gap: 24, in: { strip: { direction: 'row', padding: 20 }, square: { padding: 20 } } },
            },
          ),
        ],
        { padding: 90, gap: 40, in: { strip: { padding: 30 }, square: { direction: 'column', padding: 60 } } },
      ),
    });
  },
  list: ({ words, tables, values, hasPicture, currency }) =>
    page({
      background: color('paper'),
      elements: [
        element('text', 'title', {
          text: paragraphs(words),
          size: 116,
          color: 'headline',
          align: 'center',
          fillable: true,
        }),
        rule('rule'),
        ...tables.map((rows, i) =>
          tableOf(`list-${i + 1}`, rows, values, currency, { size: 88, vertical: 'top', lines: false }),
        ),
        ...(hasPicture ? [element('media', 'picture', { media: picture() })] : []),
      ],
      layout: group(
        'column',
        [
          at('title', 0.9),
          at('rule', 0.14),
          group(
            'long',
            [...listColumns(tables), ...(hasPicture ? [at('picture', 1, { in: { square: { hidden: true } } })] : [])],
            { weight: listWeight(tables), gap: 100, in: { square: { direction: 'column', gap: 20 } } },
          ),
        ],
        { padding: 100, gap: 16, in: { strip: { direction: 'row', padding: 34 } } },
      ),
    }),
  cards: ({ words, cards, currency }) =>
    page({
      background: color('paper'),
      elements: [
        element('text', 'title', {
          text: paragraphs(words),
          size: 96,
          color: 'headline',
          align: 'center',
          fillable: true,
        }),
        rule('rule'),
        ...cards.flatMap((card, i) => [
          element('media', `picture-${i + 1}`, { media: picture() }),
          element('text', `name-${i + 1}`, {
            text: nameAndNote(card),
            ...{ size: 96, color: 'ink', align: 'center', fillable: true },
          }),
          priceOf(`price-${i + 1}`, card.price, currency, { size: 104, color: 'headline' }),
        ]),
      ],
      layout: group(
        'column',
        [
          at('title', 0.6),
          at('rule', 0.12),
          group('long', cardColumns(cards.length, 16, 2.2), {
            weight: 4,
            gap: 80,
            in: { square: { direction: 'column', gap: 30 } },
          }),
        ],
        { padding: 90, gap: 18, in: { strip: { direction: 'row', padding: 30 }, square: { padding: 50 } } },
      ),
    }),
  statement: ({ words, signature, qr }) =>
    page({
      background: color('paper'),
      elements: [
        element('shape', 'frame', {
          shape: 'rectangle',
          fill: { kind: 'none' },
          stroke: 3,
          stroke_color: 'accent',
          radius: 0,
          place: { horizontal: 'stretch', vertical: 'stretch', dx: 56, dy: 56, width: 100, height: 100 },
        }),
        element('text', 'words', {
          text: paragraphs({ ...words, ...(signature && { body: signature }) }),
          ...{ size: 150, color: 'headline', align: 'center', fillable: true, enter: FADE },
        }),
        ...(qr ? [element('qr', 'qr', { value: qr, color: 'ink', background: 'paper' })] : []),
      ],
      layout: group('long', [at('words', 2), ...(qr ? [at('qr', 0.8, { ratio: 1 })] : [])], {
        padding: 170,
        gap: 60,
        in: { strip: { padding: 80 } },
      }),
    }),
  sign: ({ words, icon, qr }) =>
    page({
      background: color('paper'),
      elements: [
        element('icon', 'icon', { icon, color: 'accent' }),
        element('text', 'words', { text: paragraphs(words), size: 150, color: 'ink', fillable: true }),
        ...(qr ? [element('qr', 'qr', { value: qr, color: 'ink', background: 'paper' })] : []),
      ],
      layout: group(
        'long',
        [at('icon', 0.7, { ratio: 1 }), at('words', 1.8), ...(qr ? [at('qr', 0.8, { ratio: 1 })] : [])],
        {
          ...{ padding: 140, gap: 90, in: { strip: { padding: 40 } } },
        },
      ),
    }),
};
