/** Draws tables: menus, price lists, timetables. Prices never break. */
import { colorIn } from '../brand.ts';
import type { Element } from '../elements.ts';
import type { DrawContext } from './context.ts';
import { box, span, styled } from './dom.ts';
import { cellPrice } from './price.ts';

type TableElement = Extract<Element, { type: 'table' }>;

const NOTE_SIZE = '0.7em';

export const tableOf = (element: TableElement, context: DrawContext): HTMLElement => {
  const grid = box({
    display: 'grid',
    'grid-template-columns': element.columns
      .map(({ weight, kind }) => (kind === 'price' ? 'auto' : `minmax(0, ${weight}fr)`))
      .join(' '),
    'column-gap': '1.2em',
    'row-gap': '0.34em',
    'align-items': 'baseline',
  });
  const hasTitles = element.columns.some(({ title }) => title !== '');
  if (hasTitles)
    for (const { title, align } of element.columns)
      grid.append(
        box(
          {
            'text-align': align,
            'font-size': NOTE_SIZE,
            opacity: 0.75,
            'text-transform': 'uppercase',
            'letter-spacing': '0.06em',
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
            'font-weight': 700,
            'margin-top': i === 0 ? 0 : '0.5em',
          },
          row.cells[0] ?? '',
        ),
      );
      return;
    }
    element.columns.forEach(({ align, kind }, c) => {
      const text = row.cells[c] ?? '';
      const cell = box(
        {
          'text-align': align,
          'white-space': kind === 'price' ? 'nowrap' : undefined,
          'font-variant-numeric': kind === 'price' ? 'tabular-nums' : undefined,
          'min-width': 0,
        },
        kind === 'price' ? cellPrice(text, element.currency, context.locale) : text,
      );
      if (c === 0 && row.note !== '')
        cell.append(
          ' ',
          span(row.note, { 'font-size': NOTE_SIZE, opacity: 0.78, 'font-weight': 400, 'margin-left': '0.5em' }),
        );
      if (element.lines && i > 0 && !element.rows[i - 1]?.heading)
        styled(cell, {
          'border-top': `1px solid ${colorIn(context.palette, element.color)}29`,
          'padding-top': '0.34em',
        });
      grid.append(cell);
    });
  });
  return grid;
};
