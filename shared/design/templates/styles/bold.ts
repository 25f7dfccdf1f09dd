/** Style "bold": large areas in the colours of the brand, short words in very large type, prices on a badge. */
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
  room,
  tableOf,
} from '../make.ts';
import type { Style } from '../template.ts';

const RISE = { kind: 'rise', delay_ms: 100, ms: 700 } as const;
const POP = { kind: 'scale', delay_ms: 450, ms: 500 } as const;
const LOGO = element('logo', 'logo', {
  color: 'on-primary',
  place: { horizontal: 'right', vertical: 'top', dx: 44, dy: 44, width: 220, height: 84 },
});

const NO_LOGO = { logo: { hidden: true } };

export const bold: Style = {
  id: 'bold',
  hero: ({ words, price, qr, until, currency }) => {
    const extras = [
      ...(price
        ? [
            priceOf('price', price, currency, {
              size: 210,
              color: 'on-accent',
              fill: color('accent'),
              radius: null,
              padding: 34,
              enter: POP,
            }),
          ]
        : []),
      ...(until
        ? [
            element('countdown', 'countdown', {
              until,
              size: 120,
              color: 'on-accent',
              fill: color('accent'),
              radius: null,
              padding: 34,
              align: 'center',
            }),
          ]
        : []),
      ...(qr ? [element('qr', 'qr', { value: qr })] : []),
    ];
    return page({
      background: color('primary'),
      elements: [
        element('media', 'picture', { media: picture({ zoom: true }), radius: 0 }),
        element('text', 'words', {
          text: paragraphs(words),
          size: 150,
          color: 'on-primary',
          fillable: true,
          enter: RISE,
        }),
        ...extras,
        LOGO,
      ],
      // In these formats the picture is below the place of the logo.
      arrangements: { portrait: NO_LOGO, square: NO_LOGO, strip: NO_LOGO },
      layout: group(
        'long',
        [
          at('picture', 1.1),
          group(
            'column',
            [
              // The logo stands here where the column is at the right edge.
              room(0.3, { in: { portrait: { hidden: true }, square: { hidden: true }, strip: { hidden: true } } }),
              at('words', 1.7),
              ...extras.map(({ id, type }) => at(id, 1, type === 'qr' ? { ratio: 1 } : {})),
            ],
            {
              padding: 80,
              gap: 40,
              in: { strip: { direction: 'row', padding: 36 }, portrait: { padding: 72 }, square: { padding: 56 } },
            },
          ),
        ],
        { in: { square: { direction: 'column' } } },
      ),
    });
  },
  list: ({ words, tables, values, hasPicture, currency }) =>
    page({
      background: color('paper'),
      elements: [
        element('text', 'title', {
          text: paragraphs(words),
          ...{ size: 110, color: 'on-primary', fill: color('primary'), padding: 36, fillable: true },
        }),
        ...tables.map((rows, i) => tableOf(`list-${i + 1}`, rows, values, currency, { size: 88, vertical: 'middle' })),
        ...(hasPicture ? [element('media', 'picture', { media: picture(), radius: 0 })] : []),
      ],
      layout: group(
        'column',
        [
          at('title', 1.1),
          group(
            'long',
            [
              group('long', listColumns(tables), {
                weight: 1.8,
                gap: 90,
                padding: 60,
                in: { square: { direction: 'column', gap: 20, padding: 40 } },
              }),
              ...(hasPicture ? [at('picture', 1, { in: { square: { hidden: true } } })] : []),
            ],
            { weight: listWeight(tables), in: { portrait: { weight: 5 } } },
          ),
        ],
        { in: { strip: { direction: 'row' } } },
      ),
    }),
  cards: ({ words, cards, currency }) =>
    page({
      background: color('primary'),
      elements: [
        element('text', 'title', { text: paragraphs(words), size: 110, color: 'on-primary', fillable: true }),
        ...cards.flatMap((card, i) => [
          element('media', `picture-${i + 1}`, { media: picture() }),
          element('text', `name-${i + 1}`, {
            text: nameAndNote(card),
            ...{ size: 96, color: 'on-primary', align: 'center', fillable: true },
          }),
          priceOf(`price-${i + 1}`, card.price, currency, {
            size: 110,
            color: 'on-accent',
            fill: color('accent'),
            radius: null,
            padding: 18,
          }),
        ]),
      ],
      layout: group(
        'column',
        [
          at('title', 0.7),
          group('long', cardColumns(cards.length, 20, 2), {
            weight: 4,
            gap: 60,
            in: { square: { direction: 'column', gap: 30 } },
          }),
        ],
        { padding: 70, gap: 30, in: { strip: { direction: 'row', padding: 30 } } },
      ),
    }),
  statement: ({ words, signature, qr }) =>
    page({
      background: { kind: 'pattern', pattern: 'stripes', color: 'primary', background: 'accent' },
      elements: [
        element('text', 'words', {
          text: paragraphs({ ...words, ...(signature && { body: signature }) }),
          ...{ size: 190, color: 'on-primary', fill: color('primary'), radius: null, padding: 90 },
          ...{ align: 'center', fillable: true, enter: RISE },
        }),
        ...(qr ? [element('qr', 'qr', { value: qr })] : []),
      ],
      layout: group('long', [at('words', 2), ...(qr ? [at('qr', 0.8, { ratio: 1 })] : [])], {
        padding: 90,
        gap: 60,
        in: { strip: { padding: 40 } },
      }),
    }),
  sign: ({ words, icon, qr }) =>
    page({
      background: color('accent'),
      elements: [
        element('icon', 'icon', { icon, color: 'on-accent' }),
        element('text', 'words', { text: paragraphs(words), size: 170, color: 'on-accent', fillable: true }),
        ...(qr ? [element('qr', 'qr', { value: qr })] : []),
      ],
      layout: group(
        'long',
        [at('icon', 0.9, { ratio: 1 }), at('words', 1.6), ...(qr ? [at('qr', 0.8, { ratio: 1 })] : [])],
        {
          ...{ padding: 110, gap: 80, in: { strip: { padding: 36 } } },
        },
      ),
    }),
};
