import { el } from '../dom.ts';
import { mark } from './brand.ts';

/** Page that is shown while no content is assigned, or no content is scheduled at this hour. */
export const idlePage = (deviceName: string): Node[] => [
  el('section', 'middle', mark(), el('span', 'wordmark', 'Vitrine')),
  el('footer', 'foot', el('p', 'place', deviceName)),
];
