import { el } from '../dom.ts';
import { mark } from './brand.ts';

/**
 * Nothing assigned, or nothing at this hour. The public sees a quiet sign of the house, the operator which screen it
 * is.
 */
export const idlePage = (deviceName: string): Node[] => [
  el('section', 'middle', mark(), el('span', 'wordmark', 'Vitrine')),
  el('footer', 'foot', el('p', 'place', deviceName)),
];
