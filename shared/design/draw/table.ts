/** Draws tables: menus, price lists, timetables. Prices never break. */
import { colorIn } from '../brand.ts';
import type { Element } from '../elements.ts';
import type { DrawContext } from './context.ts';
import { box, span, styled } from './dom.ts';
import { cellText, hasLineAbove, TABLE } from './table-style.ts';
import { HEADING_WEIGHT } from './text-style.ts';

/** Opacity of lines as two hexadecimal digits. Browsers before Chromium 111 do not know `color-mix`. */
const LINE_ALPHA = Math.round(TABLE.lineOpacity * 255)
  .toString(16)
  .padStart(2, '0');

type TableElement = Extract<Element, { type: 'table' }>;

export const tableOf = (element: TableElement, context: DrawContext): HTMLElement => {
  const grid = box({
    display: 'grid',
    'grid-template-columns': element.columns
      .map(({ weight, kind }) => (kind === 'price' ? 'auto' : `minmax(0, ${weight}fr)`))
      .join(' '),
    'column-gap': `${TABLE.columnGap}em`,
    'row-gap': `${TABLE.rowGap}em`,
    'align-items': 'baseline',
  });
  const hasTitles = element.columns.some(({ title }) => title !== '');
  if (hasTitles)
    for (const { title, align } of element.columns)
      grid.append(
        box(
          {
            'text-align': align,
            'font-size': `${TABLE.noteSize}em`,
            opacity: TABLE.noteOpacity,
            'text-transform': 'uppercase',
            'letter-spacing': `${TABLE.titleSpacing}em`,
          },
          title,
        ),
      );
  element.rows.forEach((row, i) => {
    if (row.heading) {
      grid.append(
        box(
          {
            'grid-column': '1 / -1',
            'font-family': context.fonts.heading,
            'font-weight': HEADING_WEIGHT,
            'margin-top': i === 0 ? 0 : `${TABLE.headingGap}em`,
          },
          row.cells[0] ?? '',
        ),
      );
      return;
    }
    element.columns.forEach(({ align, kind }, c) => {
      const cell = box(
        {
          'text-align': align,
          'white-space': kind === 'price' ? 'nowrap' : undefined,
          'font-variant-numeric': kind === 'price' ? 'tabular-nums' : undefined,
          'min-width': 0,
        },
        cellText(element, row, c, context.locale),
      );
      if (c === 0 && row.note !== '')
        cell.append(
          ' ',
          span(row.note, {
            'font-size': `${TABLE.noteSize}em`,
            opacity: TABLE.noteOpacity,
            'font-weight': TABLE.noteWeight,
            'margin-left': `${TABLE.noteGap}em`,
          }),
        );
      if (hasLineAbove(element, i))
        styled(cell, {
          'border-top': `1px solid ${colorIn(context.palette, element.color).slice(0, 7)}${LINE_ALPHA}`,
          'padding-top': `${TABLE.rowGap}em`,
        });
      grid.append(cell);
    });
  });
  return grid;
};
