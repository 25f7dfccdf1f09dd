import { el, svg } from '../dom.ts';

/** A lit pane within a frame: a shop window. */
export const mark = (): SVGSVGElement =>
  svg(
    '0 0 48 48',
    'mark',
    { d: 'M14 3h20a11 11 0 0 1 11 11v20a11 11 0 0 1-11 11H14A11 11 0 0 1 3 34V14A11 11 0 0 1 14 3Z', class: 'mark-frame' },
    { d: 'M13 15.5A2.5 2.5 0 0 1 17.6 14L24 26.6 30.4 14a2.5 2.5 0 0 1 4.6 1.5L26.4 33a2.7 2.7 0 0 1-4.8 0L13 16.6Z', class: 'mark-pane' },
  );

export const wordmark = (): HTMLElement => el('div', 'brand', mark(), el('span', 'wordmark', 'Vitrine'));
