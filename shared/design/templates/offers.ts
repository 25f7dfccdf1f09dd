/** Templates for offers: one article with a price. */
import { at, color, element, group, lines, page, picture } from './make.ts';
import type { Template } from './template.ts';

/** Picture on one side, words and a price badge on the other. Style "bold": large areas of colour. */
const boldOffer: Template = {
  id: 'offer-bold',
  task: 'offer',
  style: 'bold',
  make: (t) => [
    page({
      background: color('primary'),
      elements: [
        element('media', 'picture', { media: picture({ zoom: true }), radius: 0 }),
        element('text', 'words', {
          text: lines(['kicker', t.thisWeek], ['title', t.article], ['body', t.articleNote]),
          size: 130,
          color: 'on-primary',
          fillable: true,
          enter: { kind: 'rise', delay_ms: 150, ms: 700 },
        }),
        element('price', 'price', {
          amount: 14.5,
          old_amount: 18.9,
          currency: t.currency,
          size: 190,
          color: 'on-accent',
          fill: color('accent'),
          radius: null,
          padding: 36,
          align: 'center',
          fillable: true,
          enter: { kind: 'scale', delay_ms: 500, ms: 500 },
        }),
        element('logo', 'logo', {
          place: { horizontal: 'right', vertical: 'top', dx: 48, dy: 48, width: 200, height: 80 },
        }),
      ],
      layout: group('long', [
        at('picture', 1.15),
        group('column', [at('words', 1.5), group('row', [at('price')], { weight: 0.8 })], {
          padding: 72,
          gap: 40,
          in: { strip: { direction: 'row', padding: 40 }, portrait: { padding: 64 } },
        }),
      ]),
    }),
  ],
};

/** Picture over the whole page with a dark veil. Style "photo". */
const photoOffer: Template = {
  id: 'offer-photo',
  task: 'offer',
  style: 'photo',
  make: (t) => [
    page({
      background: { kind: 'media', media: picture({ overlay: '#000000', overlay_opacity: 0.45, zoom: true }) },
      elements: [
        element('text', 'words', {
          text: lines(['kicker', t.thisWeek], ['title', t.article], ['body', t.articleNote]),
          size: 150,
          color: '#FFFFFF',
          vertical: 'bottom',
          fillable: true,
        }),
        element('price', 'price', {
          amount: 14.5,
          old_amount: 18.9,
          currency: t.currency,
          size: 210,
          color: '#FFFFFF',
          align: 'end',
          vertical: 'bottom',
          fillable: true,
        }),
      ],
      layout: group(
        'column',
        [
          group('column', [], { weight: 0.5, in: { strip: { hidden: true } } }),
          group('row', [at('words', 1.6), at('price', 1)], {
            gap: 60,
            in: { portrait: { direction: 'column' }, square: { direction: 'column' } },
          }),
        ],
        { padding: 90 },
      ),
    }),
  ],
};

export const OFFERS: readonly Template[] = [boldOffer, photoOffer];
