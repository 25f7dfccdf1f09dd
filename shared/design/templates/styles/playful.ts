/** Style "playful": a pattern behind rounded cards, for families, bakeries and seasons. */
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

const BOUNCE = { kind: 'scale', delay_ms: 100, ms: 600 } as const;
const ROUND = 64;
const ground = (pattern: string) => ({ kind: 'pattern', pattern, color: 'accent', background: 'second' }) as const;
const card = { fill: color('paper'), radius: ROUND, padding: 60, shadow: true } as const;

export const playful: Style = {
  id: 'playful',
  hero: ({ words, price, qr, until, currency }) => {
    const extras = [
      ...(price
        ? [
            priceOf('price', price, currency, {
              size: 170,
              color: 'on-primary',
              fill: color('primary'),
              radius: 2000,
              padding: 30,
              enter: BOUNCE,
            }),
          ]
        : []),
      ...(until
        ? [
            element('countdown', 'countdown', {
              until,
              size: 110,
              color: 'on-primary',
              fill: color('primary'),
              radius: ROUND,
              padding: 40,
              align: 'center',
            }),
          ]
        : []),
      ...(qr ? [element('qr', 'qr', { value: qr })] : []),
    ];
    return page({
      background: ground('confetti'),
      elements: [
        element('media', 'picture', { media: picture(), radius: ROUND, shadow: true }),
        element('text', 'words', {
          ...card,
          text: paragraphs(words),
          size: 130,
          color: 'headline',
          align: 'center',
          fillable: true,
        }),
        ...extras,
      ],
      layout: group(
        'long',
        [
          at('picture', 1),
          group(
            'column',
            [at('words', 1.8), ...extras.map(({ id, type }) => at(id, 1, type === 'qr' ? { ratio: 1 } : {}))],
            {
              ...{ weight: 1.1, gap: 44, in: { strip: { direction: 'row' } } },
            },
          ),
        ],
        { padding: 80, gap: 50, in: { strip: { padding: 30, gap: 30 }, square: { direction: 'column', padding: 50 } } },
      ),
    });
  },
  list: ({ words, tables, values, hasPicture, currency }) =>
    page({
      background: ground('dots'),
      elements: [
        element('text', 'title', {
          text: paragraphs(words),
          size: 110,
          color: 'on-primary',
          fill: color('primary'),
          radius: ROUND,
          padding: 20,
          align: 'center',
          fillable: true,
        }),
        ...tables.map((rows, i) =>
          tableOf(`list-${i + 1}`, rows, values, currency, { ...card, padding: 30, size: 88, vertical: 'middle' }),
        ),
        ...(hasPicture ? [element('media', 'picture', { media: picture(), radius: ROUND, shadow: true })] : []),
      ],
      layout: group(
        'column',
        [
          at('title', 1, { in: { square: { weight: 0.7 } } }),
          group(
            'long',
            [...listColumns(tables), ...(hasPicture ? [at('picture', 1, { in: { square: { hidden: true } } })] : [])],
            { weight: listWeight(tables), gap: 44, in: { square: { direction: 'column', gap: 20 } } },
          ),
        ],
        { padding: 70, gap: 40, in: { strip: { direction: 'row', padding: 26 } } },
      ),
    }),
  cards: ({ words, cards, currency }) =>
    page({
      background: ground('waves'),
      elements: [
        element('text', 'title', {
          text: paragraphs(words),
          size: 100,
          color: 'on-primary',
          fill: color('primary'),
          radius: ROUND,
          padding: 16,
          align: 'center',
          fillable: true,
        }),
        ...cards.flatMap(({ name, note, price }, i) => [
          element('media', `picture-${i + 1}`, { media: picture(), radius: ROUND, shadow: true }),
          element('text', `name-${i + 1}`, {
            ...{ ...card, padding: 24 },
            ...{
              text: nameAndNote({ name, note }),
              size: 96,
              align: 'center',
              fillable: true,
            },
          }),
          priceOf(`price-${i + 1}`, price, currency, {
            size: 100,
            color: 'on-primary',
            fill: color('primary'),
            radius: 2000,
            padding: 16,
          }),
        ]),
      ],
      layout: group(
        'column',
        [
          at('title', 0.6),
          group('long', cardColumns(cards.length, 20, 2), {
            weight: 4,
            gap: 50,
            in: { square: { direction: 'column', gap: 30 } },
          }),
        ],
        { padding: 60, gap: 26, in: { strip: { direction: 'row', padding: 26 } } },
      ),
    }),
  statement: ({ words, signature, qr }) =>
    page({
      background: ground('rings'),
      elements: [
        element('text', 'words', {
          ...{ ...card, padding: 100 },
          text: paragraphs({ ...words, ...(signature && { body: signature }) }),
          ...{ size: 170, color: 'headline', align: 'center', fillable: true, enter: BOUNCE },
        }),
        ...(qr ? [element('qr', 'qr', { value: qr })] : []),
      ],
      layout: group('long', [at('words', 2), ...(qr ? [at('qr', 0.8, { ratio: 1 })] : [])], {
        padding: 100,
        gap: 60,
        in: { strip: { padding: 36 } },
      }),
    }),
  sign: ({ words, icon, qr }) =>
    page({
      background: ground('tiles'),
      elements: [
        element('icon', 'icon', { icon, color: 'on-second' }),
        element('text', 'words', { ...card, text: paragraphs(words), size: 150, color: 'headline', fillable: true }),
        ...(qr ? [element('qr', 'qr', { value: qr })] : []),
      ],
      layout: group(
        'long',
        [at('icon', 0.8, { ratio: 1 }), at('words', 1.8), ...(qr ? [at('qr', 0.8, { ratio: 1 })] : [])],
        {
          ...{ padding: 110, gap: 70, in: { strip: { padding: 36 } } },
        },
      ),
    }),
};
