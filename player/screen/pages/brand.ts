import { el, svg } from '../dom.ts';

/**
 * The logo: a pane of glass with two glints of light that form the V. Same drawing as the program icon (build/icons)
 * and the admin window.
 */
export const mark = (): SVGSVGElement =>
  svg(
    '0 0 32 32',
    'mark',
    { d: 'M7 0h18a7 7 0 0 1 7 7v18a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7V7a7 7 0 0 1 7-7Z', class: 'mark-pane' },
    { d: 'M8 9h4.25L16 19.75 13.875 25z', class: 'mark-glint' },
    { d: 'M24 9h-4.25l-5.875 16h4.25z', class: 'mark-lamp' },
  );

export const wordmark = (): HTMLElement => el('div', 'brand', mark(), el('span', 'wordmark', 'Vitrine'));
