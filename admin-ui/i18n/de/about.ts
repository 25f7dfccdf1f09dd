import type { Texts } from '../texts.ts';

export const help: Texts['help'] = {
  title: 'Handbuch',
  tab: 'Hilfe',
  lead: 'Anleitungen, Schritt für Schritt.',
  all: 'Alle Themen',
  search: 'Im Handbuch suchen',
  contents: 'Themen',
  none: 'Kein Thema gefunden',
  noneHelp: 'Versuchen Sie ein anderes Wort, oder leeren Sie die Suche.',
  open: 'Seite öffnen',
  picture: 'Bild: {{title}}',
};

export const about: Texts['about'] = {
  title: 'Über Vitrine',
  lead: 'Version, Lizenz und enthaltene Software.',
  version: 'Version {{version}}',
  free: 'Freie Software unter der MIT-Lizenz, von den Autorinnen und Autoren von Vitrine.',
  read: 'Die Lizenz lesen',
  inside: 'Enthaltene Software',
  insideLead_one: '{{n}} Bestandteil von Dritten mit eigener Lizenz. Wählen Sie ihn aus, um die Lizenz zu lesen.',
  insideLead_other:
    '{{n}} Bestandteile von Dritten, jeder mit eigener Lizenz. Wählen Sie einen aus, um seine Lizenz zu lesen.',
  find: 'Name oder Lizenz suchen',
  found_zero: 'Nichts gefunden',
  found: '{{count}} gefunden',
  none: 'Keine enthaltene Software hat diesen Namen oder diese Lizenz. Leeren Sie die Suche, um alle zu sehen.',
  kinds: { program: 'Programme', font: 'Schriften', library: 'Bibliotheken', package: 'Pakete' },
  licence: 'Lizenz',
  source: 'Quelltext',
  text: 'Lizenztext',
  bill: 'Stückliste (SBOM)',
  billHelp: 'Für Schwachstellenscanner, im Format CycloneDX.',
};
