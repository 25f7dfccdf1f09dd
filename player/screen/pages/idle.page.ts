import { el } from '../dom.ts';
import { mark } from './brand.ts';

/** Shown while nothing is assigned, or nothing at this hour. */
export const idlePage = (deviceName: string): Node[] => [
  el('section', 'middle', mark(), el('span', 'wordmark', 'Vitrine')),
  el('footer', 'foot', el('p', 'place', deviceName)),
];
