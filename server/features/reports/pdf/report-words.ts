/** What stands in a report that goes to a customer, in the languages of the window. */
import type { ReportLanguage } from '../../../../shared/contract/reports.ts';

export interface ReportWords {
  readonly title: string;
  readonly screens: string;
  readonly contents: string;
  readonly plays: string;
  readonly time: string;
  /** Of the same, at the head of a column. */
  readonly tableTime: string;
  readonly average: string;
  readonly share: string;
  readonly planned: string;
  /** Percent of what was planned. */
  readonly delivered: string;
  readonly shown: string;
  readonly ofPlanned: (amount: string) => string;
  readonly unknownUntil: (when: string) => string;
  readonly deliveredMeans: string;
  readonly missing: string;
  readonly why: {
    readonly off: (screen: string, time: string) => string;
    readonly offSince: (screen: string, when: string) => string;
    readonly program: (screen: string, time: string) => string;
    readonly faults: (screen: string) => string;
    readonly added: (screen: string, when: string) => string;
    readonly removed: (screen: string, when: string) => string;
    readonly unknown: (screen: string, time: string) => string;
  };
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
    tableTime: 'Time',
    average: 'Average play',
    share: 'Share',
    planned: 'Planned',
    delivered: 'Delivered',
    shown: 'Shown',
    ofPlanned: (amount) => `of ${amount} planned`,
    unknownUntil: (when) => `What was planned is known from ${when} on. “Delivered” is of the time from then on.`,
    deliveredMeans:
      '“Delivered” is the part of the planned time that was shown. A play that was cut short counts for as long as it was seen; what was shown beyond the plan makes up for nothing.',
    missing: 'What was missing',
    why: {
      off: (screen, time) => `${screen} was off or cut off for ${time}.`,
      offSince: (screen, when) =>
        `${screen} has not been heard of since ${when}; what it shows meanwhile is still to come.`,
      program: (screen, time) => `${screen} did not have its newest contents for ${time}.`,
      faults: (screen) => `${screen} could not show some of its contents.`,
      added: (screen, when) => `${screen} was added on ${when}.`,
      removed: (screen, when) => `${screen} was removed on ${when}.`,
      unknown: (screen, time) => `${screen} showed ${time} less than planned.`,
    },
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
    tableTime: 'Zeit',
    average: 'Mittlere Länge',
    share: 'Anteil',
    planned: 'Geplant',
    delivered: 'Erfüllt',
    shown: 'Gezeigt',
    ofPlanned: (amount) => `von ${amount} geplant`,
    unknownUntil: (when) => `Was geplant war, ist ab ${when} bekannt. „Erfüllt“ gilt für die Zeit danach.`,
    deliveredMeans:
      '„Erfüllt“ ist der Teil der geplanten Zeit, der gezeigt wurde. Eine abgebrochene Wiedergabe zählt, so lange sie zu sehen war; was über den Plan hinaus gezeigt wurde, gleicht nichts aus.',
    missing: 'Was gefehlt hat',
    why: {
      off: (screen, time) => `${screen} war ${time} aus oder nicht verbunden.`,
      offSince: (screen, when) =>
        `${screen} meldet sich seit ${when} nicht; was der Bildschirm inzwischen zeigt, kommt noch hinzu.`,
      program: (screen, time) => `${screen} hatte ${time} lang nicht die neuesten Inhalte.`,
      faults: (screen) => `${screen} konnte einige Inhalte nicht zeigen.`,
      added: (screen, when) => `${screen} kam am ${when} hinzu.`,
      removed: (screen, when) => `${screen} wurde am ${when} entfernt.`,
      unknown: (screen, time) => `${screen} hat ${time} weniger gezeigt als geplant.`,
    },
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
