import type { Texts } from '../texts.ts';

export const selection: Texts['selection'] = {
  choose: '{{name}} auswählen',
  count_one: '{{count}} ausgewählt',
  count_other: '{{count}} ausgewählt',
  all: 'Alle auswählen',
  clear: 'Nichts auswählen',
};
