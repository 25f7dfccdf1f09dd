import type { Texts } from '../texts.ts';

export const terms: Texts['terms'] = {
  explain: 'Was ist das: {{term}}',
  of: {
    zone: {
      name: 'Zone',
      means: 'Eine Zone ist ein Teil des Bildschirms mit eigenem Inhalt. Ein Layout sagt, wo die Zonen sind.',
    },
    fallback: {
      name: 'Ersatzinhalt',
      means:
        'Der Ersatzinhalt ist zu sehen, wenn sonst nichts läuft, zum Beispiel weil die Playlist leer ist oder alles darin abgelaufen.',
    },
    priority: {
      name: 'Priorität',
      means:
        'Überschneiden sich zwei Pläne auf einem Bildschirm, läuft der mit der höheren Priorität. Bei gleicher läuft der, der später beginnt.',
    },
    dayparts: {
      name: 'Spielzeiten',
      means:
        'Spielzeiten begrenzen einen Eintrag auf bestimmte Stunden und Tage, zum Beispiel Frühstück nur bis 11 Uhr. Sonst wird er übersprungen.',
    },
    validity: {
      name: 'Gültigkeit',
      means:
        'Außerhalb seiner Gültigkeit zeigt es kein Bildschirm, wo immer es verwendet wird, auch wenn der Bildschirm dann offline ist.',
    },
    bezel: {
      name: 'Rahmen',
      means:
        'Der Rahmen ist der Rand zwischen zwei Bildern: Messen Sie vom Rand des einen sichtbaren Bilds bis zum Rand des nächsten. Was dahinter liegt, wird ausgespart, damit Linien gerade bleiben.',
    },
    transition: {
      name: 'Übergang',
      means: 'Ein Übergang ist der Weg von einem Eintrag zum nächsten: ein harter Schnitt oder eine kurze Animation.',
    },
    proof: {
      name: 'Wiedergabenachweis',
      means:
        'Der Wiedergabenachweis ist die Liste dessen, was wirklich zu sehen war: jede Wiedergabe mit Bildschirm, Beginn und Dauer, unterschrieben vom Bildschirm.',
    },
    sync: {
      name: 'Synchronisation',
      means:
        'Die Bildschirme einer Videowand folgen einer Uhr. Ein Unterschied unter etwa 40 ms, einem Bild eines Films, ist nicht zu sehen.',
    },
  },
};
