/** What stands in a report that goes to a customer, in the languages of the window. */
import type { ReportLanguage } from '../../../../shared/contract/reports.ts';

export interface ReportWords {
  readonly title: string;
  readonly screens: string;
  readonly contents: string;
  readonly plays: string;
  readonly time: string;
  readonly average: string;
  readonly share: string;
  readonly byDay: string;
  readonly byMonth: string;
  readonly content: string;
  readonly screen: string;
  readonly period: string;
  readonly all: string;
  readonly nothing: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly more: (count: string) => string;
  readonly proof: (count: string) => string;
  readonly made: (when: string, zone: string) => string;
  readonly page: (page: number, of: number) => string;
  readonly units: { readonly hours: string; readonly minutes: string; readonly seconds: string };
}

export const reportWords: Readonly<Record<ReportLanguage, ReportWords>> = {
  en: {
    title: 'Proof of play',
    screens: 'Screens',
    contents: 'Contents',
    plays: 'Plays',
    time: 'Time on screen',
    average: 'Average play',
    share: 'Share',
    byDay: 'Plays by day',
    byMonth: 'Plays by month',
    content: 'Content',
    screen: 'Screen',
    period: 'Period',
    all: 'All contents on all screens',
    nothing: 'Nothing was played in this period.',
    filters: {
      device: 'Screen',
      content: 'Contents',
      label: 'Label',
      folder: 'Folder',
      playlist: 'Playlist',
      group: 'Group',
      tag: 'Screens tagged',
      plan: 'Campaign',
    },
    more: (count) => `and ${count} more`,
    proof: (count) =>
      `Each play is told by the screen that showed it. ${count} signatures of these screens vouch for the plays of this period; the signed file of the same report holds them, and “vitrine verify” checks it.`,
    made: (when, zone) => `Made on ${when}. Days and times are those of ${zone}.`,
    page: (page, of) => `Page ${page} of ${of}`,
    units: { hours: 'h', minutes: 'min', seconds: 's' },
  },
  de: {
    title: 'Ausspielnachweis',
    screens: 'Bildschirme',
    contents: 'Inhalte',
    plays: 'Wiedergaben',
    time: 'Zeit auf dem Bildschirm',
    average: 'Mittlere Länge',
    share: 'Anteil',
    byDay: 'Wiedergaben je Tag',
    byMonth: 'Wiedergaben je Monat',
    content: 'Inhalt',
    screen: 'Bildschirm',
    period: 'Zeitraum',
    all: 'Alle Inhalte auf allen Bildschirmen',
    nothing: 'In diesem Zeitraum wurde nichts ausgespielt.',
    filters: {
      device: 'Bildschirm',
      content: 'Inhalte',
      label: 'Etikett',
      folder: 'Ordner',
      playlist: 'Playlist',
      group: 'Gruppe',
      tag: 'Bildschirme mit Tag',
      plan: 'Kampagne',
    },
    more: (count) => `und ${count} weitere`,
    proof: (count) =>
      `Jede Wiedergabe meldet der Bildschirm, der sie gezeigt hat. ${count} Signaturen dieser Bildschirme stehen für die Wiedergaben des Zeitraums ein; die signierte Datei desselben Berichts enthält sie, „vitrine verify“ prüft sie.`,
    made: (when, zone) => `Erstellt am ${when}. Tage und Zeiten gelten für ${zone}.`,
    page: (page, of) => `Seite ${page} von ${of}`,
    units: { hours: 'Std.', minutes: 'Min.', seconds: 'Sek.' },
  },
};
