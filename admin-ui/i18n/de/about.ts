import type { Texts } from '../texts.ts';

export const help: Texts['help'] = {
  title: 'Handbuch',
  tab: 'Hilfe',
  lead: 'Wie alles geht.',
  search: 'Im Handbuch suchen',
  contents: 'Inhalt',
  none: 'Dazu steht hier nichts',
  noneHelp: 'Versuchen Sie ein anderes Wort.',
  open: 'Hingehen',
  picture: 'Bild: {{title}}',
};

export const about: Texts['about'] = {
  title: 'Über Vitrine',
  lead: 'Welche Version das ist und woraus sie besteht.',
  version: 'Version {{version}}',
  free: 'Freie Software unter der MIT-Lizenz, von den Autorinnen und Autoren von Vitrine.',
  read: 'Die Lizenz lesen',
  inside: 'Was darin steckt',
  insideLead_one: '{{n}} Werk von anderen, unter eigener Lizenz. Wählen Sie es, um sie zu lesen.',
  insideLead_other: '{{n}} Werke von anderen, jedes unter eigener Lizenz. Wählen Sie eines, um sie zu lesen.',
  find: 'Name oder Lizenz suchen',
  found_zero: 'Nichts gefunden',
  found: '{{count}} gefunden',
  none: 'Nichts darin heißt so.',
  kinds: { program: 'Programme', font: 'Schriften', library: 'Bibliotheken', package: 'Pakete' },
  licence: 'Lizenz',
  source: 'Quelltext',
  text: 'Wortlaut der Lizenz',
  bill: 'Stückliste (SBOM)',
  billHelp: 'Für Programme, die nach bekannten Sicherheitslücken suchen, im Format CycloneDX.',
};
