/** Picture for an item that is only sound: its name, and rings that swell slowly like a breath. */
import { el, svg } from '../dom.ts';

export const audioPicture = (name: string): HTMLElement =>
  el(
    'div',
    'audio-picture',
    el(
      'div',
      'rings',
      el('i', ''),
      el('i', ''),
      el('i', ''),
      svg('0 0 24 24', 'note', {
        d: 'M9 18V5l11-2v13M9 18a3 3 0 1 1-6 0a3 3 0 0 1 6 0ZM20 16a3 3 0 1 1-6 0a3 3 0 0 1 6 0Z',
      }),
    ),
    el('p', 'audio-name', name.replace(/\.[a-z0-9]{2,4}$/i, '')),
  );
