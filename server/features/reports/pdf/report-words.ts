/** Texts of the report for customers, in the languages of the admin window. */
import type { ReportLanguage } from '../../../../shared/contract/server/reports.ts';

export interface ReportWords {
  readonly title: string;
  readonly screens: string;
  readonly contents: string;
  readonly plays: string;
  readonly time: string;
  /** Text of `time`, as a column heading. */
  readonly tableTime: string;
  readonly average: string;
  readonly share: string;
  readonly planned: string;
  /** Name of the delivered share: shown plays in percent of planned plays. */
  readonly delivered: string;
  readonly shown: string;
  readonly ofPlanned: (amount: string) => string;
  readonly unknownUntil: (when: string) => string;
  readonly deliveredMeans: string;
  /** Text that explains why there is no percentage yet. */
  readonly tooEarly: string;
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
    contents: 'Content',
    plays: 'Plays',
    time: 'Time on screen',
    tableTime: 'Time',
    average: 'Average play',
    share: 'Share',
    planned: 'Planned',
    delivered: 'Delivered',
    shown: 'Shown',
    ofPlanned: (amount) => `of ${amount} planned`,
    unknownUntil: (when) => `Planned playback is recorded since ${when}. “Delivered” covers the time since then.`,
    deliveredMeans:
      '“Delivered” is the share of the planned time that was shown. A play that was cut short counts for the time it was visible; extra plays do not count towards it.',
    tooEarly: '“Delivered” is known after the first whole day for which the planned playback is recorded.',
    missing: 'Less than planned',
    why: {
      off: (screen, time) => `${screen} was off or not connected for ${time}.`,
      offSince: (screen, when) => `${screen} has been offline since ${when}; its plays since then are added later.`,
      program: (screen, time) => `${screen} did not have its newest content for ${time}.`,
      faults: (screen) => `${screen} could not show some of its content.`,
      added: (screen, when) => `${screen} was added on ${when}.`,
      removed: (screen, when) => `${screen} was removed on ${when}.`,
      unknown: (screen, time) => `${screen} showed ${time} less than planned.`,
    },
    byDay: 'Plays by day',
    byMonth: 'Plays by month',
    content: 'Content',
    screen: 'Screen',
    period: 'Period',
    all: 'All content on all screens',
    nothing: 'No plays in this period.',
    filters: {
      device: 'Screen',
      content: 'Content',
      label: 'Label',
      folder: 'Folder',
      playlist: 'Playlist',
      group: 'Group',
      tag: 'Screens with the tag',
      plan: 'Plan',
    },
    more: (count) => `and ${count} more`,
    proof: (count) =>
      `Each screen reports and signs its own plays. ${count} signatures cover this period. The signed file of this report contains them, and “vitrine verify” checks it.`,
    made: (when, zone) => `Created on ${when}. Days and times are in the time zone ${zone}.`,
    page: (page, of) => `Page ${page} of ${of}`,
    units: { hours: 'h', minutes: 'min', seconds: 's' },
  },
  de: {
    title: 'Wiedergabenachweis',
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
    unknownUntil: (when) => `Geplante Wiedergaben werden seit ${when} erfasst. „Erfüllt“ gilt für die Zeit seitdem.`,
    deliveredMeans:
      '„Erfüllt“ ist der Anteil der geplanten Zeit, der zu sehen war. Eine abgebrochene Wiedergabe zählt für die Zeit, in der sie zu sehen war; zusätzliche Wiedergaben zählen nicht.',
    tooEarly: '„Erfüllt“ ist nach dem ersten ganzen Tag bekannt, für den die geplanten Wiedergaben erfasst sind.',
    missing: 'Weniger als geplant',
    why: {
      off: (screen, time) => `${screen} war ${time} aus oder nicht verbunden.`,
      offSince: (screen, when) => `${screen} ist seit ${when} offline; die Wiedergaben seitdem kommen später hinzu.`,
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
    nothing: 'Keine Wiedergaben in diesem Zeitraum.',
    filters: {
      device: 'Bildschirm',
      content: 'Inhalte',
      label: 'Etikett',
      folder: 'Ordner',
      playlist: 'Playlist',
      group: 'Gruppe',
      tag: 'Bildschirme mit Tag',
      plan: 'Plan',
    },
    more: (count) => `und ${count} weitere`,
    proof: (count) =>
      `Jeder Bildschirm meldet und signiert seine eigenen Wiedergaben. ${count} Signaturen decken diesen Zeitraum ab. Die signierte Datei dieses Berichts enthält sie, und „vitrine verify“ prüft sie.`,
    made: (when, zone) => `Erstellt am ${when}. Tage und Zeiten gelten für ${zone}.`,
    page: (page, of) => `Seite ${page} von ${of}`,
    units: { hours: 'Std.', minutes: 'Min.', seconds: 'Sek.' },
  },
};
