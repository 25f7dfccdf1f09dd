/** Templates for menus and price lists. */
import { at, color, element, group, lines, page, picture } from './make.ts';
import type { Template } from './template.ts';

const COLUMNS = [
  { title: '', align: 'start', weight: 3, kind: 'text' },
  { title: '', align: 'end', weight: 1, kind: 'price' },
] as const;

/** A heading, dishes in one table, a picture on the side. Style "paper": light, with room. */
const paperMenu: Template = {
  id: 'menu-paper',
  task: 'menu',
  style: 'paper',
  make: (t) => [
    page({
      background: color('paper'),
      elements: [
        element('text', 'title', {
          text: lines(['title', t.menu]),
          size: 120,
          color: 'primary',
          vertical: 'top',
          fillable: true,
        }),
        element('table', 'dishes', {
          columns: COLUMNS.map((column) => ({ ...column })),
          rows: t.dishes.map(([name, note, price]) => ({ cells: [name, price], note })),
          size: 54,
          currency: t.currency,
          vertical: 'top',
          fillable: true,
        }),
        element('media', 'picture', { media: picture(), radius: 0 }),
      ],
      layout: group('long', [
        group('column', [at('title', 0.7), at('dishes', 4)], {
          weight: 1.7,
          padding: 80,
          gap: 24,
          in: { strip: { direction: 'row', padding: 40, gap: 60 }, portrait: { weight: 2.4 } },
        }),
        at('picture', 1, { in: { strip: { weight: 0.4 } } }),
      ]),
    }),
  ],
};

/** Dishes in two columns on a dark ground. Style "calm". */
const calmMenu: Template = {
  id: 'menu-calm',
  task: 'menu',
  style: 'calm',
  make: (t) => {
    const half = Math.ceil(t.dishes.length / 2);
    const table = (id: string, dishes: typeof t.dishes) =>
      element('table', id, {
        columns: COLUMNS.map((column) => ({ ...column })),
        rows: dishes.map(([name, note, price]) => ({ cells: [name, price], note })),
        size: 58,
        color: 'on-primary',
        currency: t.currency,
        vertical: 'top',
        lines: false,
        fillable: true,
      });
    return [
      page({
        background: { kind: 'gradient', from: 'primary', to: 'primary', angle: 0 },
        elements: [
          element('text', 'title', {
            text: lines(['title', t.menu]),
            size: 140,
            color: 'accent',
            align: 'center',
            fillable: true,
          }),
          element('shape', 'rule', { shape: 'line', fill: { kind: 'none' }, stroke: 4, stroke_color: 'accent' }),
          table('left', t.dishes.slice(0, half)),
          table('right', t.dishes.slice(half)),
        ],
        layout: group(
          'column',
          [at('title', 0.8), at('rule', 0.15), group('long', [at('left'), at('right')], { weight: 3.4, gap: 90 })],
          { padding: 80, gap: 10, in: { strip: { direction: 'row', padding: 36 } } },
        ),
      }),
    ];
  },
};

export const MENUS: readonly Template[] = [paperMenu, calmMenu];
