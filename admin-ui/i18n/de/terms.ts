import type { Texts } from '../texts.ts';

export const terms: Texts['terms'] = {
  explain: '{{term}} erklären',
  of: {
    zone: {
      name: 'Zone',
      means: 'Ein Teil des Bildschirms mit eigenem Inhalt. Das Layout legt die Zonen fest.',
    },
    fallback: {
      name: 'Ersatzinhalt',
      means:
        'Inhalt, der läuft, wenn sonst nichts läuft, zum Beispiel weil die Playlist leer ist oder alle Einträge abgelaufen sind.',
    },
    priority: {
      name: 'Priorität',
      means:
        'Überschneiden sich zwei Pläne auf einem Bildschirm, läuft der mit der höheren Priorität. Bei gleicher Priorität läuft der, der später beginnt.',
    },
    dayparts: {
      name: 'Spielzeiten',
      means:
        'Begrenzen einen Eintrag auf bestimmte Stunden und Tage, zum Beispiel Frühstück nur bis 11 Uhr. Sonst wird er übersprungen.',
    },
    validity: {
      name: 'Gültigkeit',
      means: 'Bildschirme zeigen Inhalte nur innerhalb ihrer Gültigkeit, auch wenn sie offline sind.',
    },
    bezel: {
      name: 'Rahmen',
      means:
        'Der Rand zwischen zwei Anzeigen. Messen Sie vom Rand des einen sichtbaren Bilds bis zum Rand des nächsten. Der Teil des Bilds hinter dem Rahmen wird ausgespart, damit Linien gerade bleiben.',
    },
    transition: {
      name: 'Übergang',
      means: 'Der Effekt zwischen zwei Einträgen: ein harter Schnitt oder eine kurze Animation.',
    },
    proof: {
      name: 'Wiedergabenachweis',
      means: 'Eine Liste aller Wiedergaben, jede mit Bildschirm, Beginn und Dauer, unterschrieben vom Bildschirm.',
    },
    sync: {
      name: 'Synchronisation',
      means:
        'Die Bildschirme einer Videowand folgen einer Uhr. Unterschiede unter etwa 40 ms, einem Einzelbild eines Videos, sind nicht zu sehen.',
    },
  },
};
