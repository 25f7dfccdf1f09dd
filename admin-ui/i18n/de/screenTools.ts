import type { Texts } from '../texts.ts';

export const commands: Texts['commands'] = {
  title: 'Befehle',
  of: {
    screen_on: {
      name: 'Anzeige an',
      about: 'Schaltet die Anzeige ein. Außerhalb der Öffnungszeiten bleibt sie an, bis die nächsten vorbei sind.',
      ask: '{{name}} einschalten?',
      effect_one: 'Die Anzeige zeigt den laufenden Inhalt.',
      effect_other: 'Die Anzeigen zeigen den laufenden Inhalt.',
    },
    screen_off: {
      name: 'Anzeige aus',
      about: 'Schaltet die Anzeige aus, bis sie eingeschaltet wird oder die nächsten Öffnungszeiten beginnen.',
      ask: '{{name}} ausschalten?',
      effect_one: 'Die Anzeige bleibt aus, bis sie eingeschaltet wird oder die nächsten Öffnungszeiten beginnen.',
      effect_other: 'Die Anzeigen bleiben aus, bis sie eingeschaltet werden oder die nächsten Öffnungszeiten beginnen.',
    },
    launch: {
      name: 'App oder Seite öffnen',
      about: 'Holt den Player oder eine Webseite nach vorn.',
      ask: 'App oder Seite öffnen: {{name}}',
      effect_one: 'Lassen Sie die Adresse leer, um zum Player zurückzukehren.',
      effect_other: 'Lassen Sie die Adresse leer, um zu den Playern zurückzukehren.',
    },
    update: {
      name: 'Aktualisieren',
      about: 'Installiert die neueste Version des Players.',
      ask: '{{name}} aktualisieren?',
      effect_one:
        'Der Bildschirm lädt die neueste Version und startet neu. Kurz zeigt er nichts. Ist er offline, aktualisiert er sich, wenn er sich innerhalb eines Tages wieder verbindet.',
      effect_other:
        'Die Bildschirme laden die neueste Version und starten neu. Kurz zeigen sie nichts. Bildschirme, die offline sind, aktualisieren sich, wenn sie sich innerhalb eines Tages wieder verbinden.',
    },
    reboot: {
      name: 'Neu starten',
      about: 'Startet den Rechner des Bildschirms neu.',
      ask: '{{name}} neu starten?',
      effect_one: 'Der Bildschirm zeigt ein, zwei Minuten nichts und macht dann weiter.',
      effect_other: 'Die Bildschirme zeigen ein, zwei Minuten nichts und machen dann weiter.',
    },
    shutdown: {
      name: 'Herunterfahren',
      about: 'Fährt den Rechner herunter. Danach müssen Sie ihn von Hand einschalten.',
      ask: '{{name}} herunterfahren?',
      effect_one: 'Der Rechner bleibt aus. Von hier lässt er sich nicht einschalten: Jemand muss seinen Knopf drücken.',
      effect_other:
        'Die Rechner bleiben aus. Von hier lassen sie sich nicht einschalten: Jemand muss jeden Knopf drücken.',
    },
  },
  why: { cannot: 'Dieser Bildschirm kann das nicht.', offline: 'Der Bildschirm ist offline.' },
  result: {
    done: '{{screen}}: {{command}} ist ausgeführt',
    sent: '{{screen}}: {{command}} ist gesendet, noch keine Antwort',
    offline: '{{screen}} ist offline. {{command}} wird ausgeführt, wenn er sich rechtzeitig wieder verbindet.',
    failed: '{{screen}}: {{command}} ist fehlgeschlagen',
    unsupported: '{{screen}} kann das nicht: {{command}}',
  },
  url: 'Adresse der Seite',
  urlHint: 'Kann leer bleiben.',
};

export const telemetry: Texts['telemetry'] = {
  title: 'Zustand im Verlauf',
  range: 'Zeitraum',
  ranges: { day: '24 Stunden', week: '7 Tage', month: '30 Tage' },
  none: 'Keine Daten in diesem Zeitraum.',
  series: {
    cpu: 'Prozessor',
    memory: 'Arbeitsspeicher belegt',
    storage: 'Speicherplatz belegt',
    wifi: 'WLAN-Signal',
    battery: 'Akku',
  },
  latest: 'zuletzt',
  now: 'jetzt',
  between: '{{low}} bis {{high}}',
  summary: '{{name}}: zwischen {{low}} und {{high}}, zuletzt {{latest}}',
};

export const dayparts: Texts['dayparts'] = {
  title: 'Spielzeiten von {{name}}',
  always: 'Dieser Eintrag läuft immer.',
  lead: 'Der Eintrag läuft zu diesen Zeiten, in der Ortszeit jedes Bildschirms. Sonst wird er übersprungen.',
  limit: 'Nur zu bestimmten Zeiten',
  addBlock: 'Weitere Zeit hinzufügen',
  removeBlock: 'Diese Zeit entfernen',
  keep: 'Übernehmen',
  everyDay: 'täglich',
  span: '{{first}} bis {{last}}',
  fromTo: '{{days}} von {{start}} bis {{end}} Uhr',
  overnight: '{{days}} von {{start}} bis {{end}} Uhr am nächsten Tag',
  allDay: '{{days}}, ganztägig',
  between: '{{when}}, vom {{first}} bis {{last}}',
  since: '{{when}}, ab {{first}}',
  until: '{{when}}, bis {{last}}',
  or: ', oder ',
  wholeDay: 'Ganztägig',
  wrong: {
    noDays: 'Wählen Sie mindestens einen Tag',
    noTime: 'Geben Sie beide Zeiten ein',
    sameTime: 'Beginn und Ende sind gleich',
    datesTurned: 'Der letzte Tag liegt vor dem ersten',
  },
  kinds: { content: 'Inhalte', widgets: 'Widgets' },
  choose: 'Art',
  noWidgets: 'Es gibt noch keine Widgets, zum Beispiel eine Uhr, das Wetter oder Nachrichten.',
  toWidgets: 'Zu den Widgets',
};

export const hours: Texts['hours'] = {
  title: 'Öffnungszeiten',
  bulkTitle_one: 'Öffnungszeiten von {{count}} Bildschirm',
  bulkTitle_other: 'Öffnungszeiten von {{count}} Bildschirmen',
  always: 'Immer an',
  alwaysLead: 'Die Anzeige ist rund um die Uhr an.',
  differ:
    'Diese Bildschirme haben verschiedene Öffnungszeiten. Wenn Sie ohne Öffnungszeiten speichern, sind alle Anzeigen rund um die Uhr an.',
  lead: 'Zu diesen Zeiten ist die Anzeige an, in der Ortszeit des Bildschirms. Sonst ist sie aus, und Wiedergaben zählen nicht.',
  limit: 'Nur zu bestimmten Zeiten an',
  change: 'Zeiten ändern …',
  off: 'Die Anzeige ist aus',
  closed: 'Aus: außerhalb der Öffnungszeiten',
  closedUntil: 'Aus: außerhalb der Öffnungszeiten, bis {{when}}',
  onAt: 'Anzeige an: {{hours}}.',
  turnedOff: 'Von Hand ausgeschaltet',
  turnedOffUntil: 'Von Hand ausgeschaltet bis {{when}}',
  turnedOn: 'Von Hand eingeschaltet, außerhalb der Öffnungszeiten.',
};

export const identify: Texts['identify'] = {
  title: 'Identifizieren',
  sent: '{{screen}} zeigt 20 Sekunden lang seinen Namen',
  offline: '{{screen}} ist offline und kann seinen Namen gerade nicht zeigen',
  unsupported: 'Der Player von {{screen}} ist zu alt, um den Namen zu zeigen. Aktualisieren Sie ihn zuerst.',
  shown_one: '{{count}} Bildschirm zeigt 20 Sekunden lang seinen Namen',
  shown_other: '{{count}} Bildschirme zeigen 20 Sekunden lang ihre Namen',
  notShown_one: '{{count}} Bildschirm ist offline oder hat einen alten Player',
  notShown_other: '{{count}} Bildschirme sind offline oder haben einen alten Player',
};

export const history: Texts['history'] = {
  title: 'Verlauf',
  all: 'Gesamter Verlauf',
  none: 'Noch kein Verlauf zu diesem Bildschirm.',
  plays: 'Letzte Wiedergaben',
  allPlays: 'Alle Wiedergaben',
  noPlays: 'Noch keine Wiedergabe gemeldet.',
  brokenOff: '{{length}}, abgebrochen',
  day: 'Letzte 24 Stunden',
  online: '{{share}} online',
  outages_zero: 'nie offline',
  outages_one: 'einmal offline',
  outages_other: '{{count}}-mal offline',
};

export const views: Texts['views'] = {
  title: 'Ansichten',
  none: 'Noch keine gespeicherten Ansichten. Suchen und filtern Sie, dann speichern Sie die Liste als Ansicht.',
  name: 'Name der Ansicht',
  keep: 'Diese Ansicht speichern',
  rename: 'Die Ansicht {{name}} umbenennen',
  newName: 'Neuer Name',
  delete: 'Die Ansicht {{name}} löschen',
  csv: 'Als CSV herunterladen',
};
