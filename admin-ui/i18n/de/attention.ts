import type { Texts } from '../texts.ts';

export const attention: Texts['attention'] = {
  title: 'Meldungen',
  lead: 'Was jetzt nicht stimmt, das Schlimmste zuerst. Jede Meldung verschwindet automatisch, wenn sie vorbei ist.',
  none: 'Keine Meldungen',
  noneHelp: 'Bildschirme, Inhalte und Verbindungen sind, wie sie sein sollen.',
  noneEnded: 'Keine vergangenen Meldungen',
  states: { open: 'Jetzt', ended: 'Vorbei' },
  state: 'Welche',
  server: 'Der Server selbst braucht jemanden',
  serverOpen: 'Zum Server',
  kind: {
    screen_dark: {
      name: 'Dunkle Bildschirme',
      one: 'Nichts zu hören',
    },
    screen_program: {
      name: 'Falsches Programm',
      one: 'Er hat sein neuestes Programm nicht',
    },
    screen_fault: {
      name: 'Nicht gezeigt',
      one: 'Etwas ließ sich nicht zeigen',
    },
    screen_disk: {
      name: 'Volles Laufwerk',
      one: '{{value}} % seines Laufwerks sind frei',
    },
    screen_cpu: {
      name: 'Voller Prozessor',
      one: 'Sein Prozessor ist zu {{value}} % beschäftigt',
    },
    screen_wifi: {
      name: 'Schwaches WLAN',
      one: 'Sein WLAN hat {{value}} dBm',
    },
    screen_battery: {
      name: 'Leerer Akku',
      one: 'Sein Akku hat {{value}} %',
    },
    screen_hot: { name: 'Zu heiß', one: 'Sein Prozessor hat {{value}} °C' },
    screen_clock: { name: 'Falsche Uhr', one: 'Seine eigene Uhr geht um {{value}} s falsch' },
    source_dead: {
      name: 'Tote Quelle',
      one: 'Seine Nachrichten oder Vorhersage kommen nicht',
    },
    content_unfetched: {
      name: 'Nicht geholt',
      one: 'Seine Adresse ließ sich nicht holen',
    },
    content_ends: { name: 'Endet bald', one: 'Er ist zu sehen bis {{until}}' },
  },
  todo: {
    screen_dark: {
      alone:
        'Seinen {{count}} Nachbarn im Netz geht es gut: Er ist ausgeschaltet, schläft oder ist abgesteckt. Ist sein Rechner an, und steckt das Kabel?',
      network: 'Andere seines Netzes gingen mit ihm. Sehen Sie dort nach Switch, WLAN oder Strom.',
      unknown: 'Ist sein Rechner an, und steckt das Kabel? Ein Bildschirm, dem nur das Netz fehlt, läuft weiter.',
    },
    screen_program: 'Vielleicht fehlen Dateien oder passen nicht. Seine Seite sagt, welche.',
    screen_fault: 'Sehen Sie auf seine Seite; ersetzen Sie, was kaputt ist.',
    screen_disk: 'Schaffen Sie Platz auf seinem Rechner, oder geben Sie ihm weniger zu behalten.',
    screen_cpu: 'Kleinere Videos und weniger Webseiten helfen, oder ein stärkerer Rechner.',
    screen_wifi: 'Bringen Sie den Zugangspunkt näher, oder nehmen Sie ein Kabel.',
    screen_battery: 'Stecken Sie ihn ans Ladegerät.',
    screen_hot:
      'Ist der Lüfter frei von Staub, und kommt Luft heran? In der Sonne oder im geschlossenen Kasten wird er zu heiß.',
    screen_clock:
      'Er folgt der Uhr des Servers. Ist der Server weg, würde er zur falschen Zeit wechseln: Lassen Sie sein System die Uhr nach einem Zeitserver stellen.',
    source_dead: 'Bildschirme zeigen das Letzte, was kam. Stimmt die Adresse, und ist das Internet da?',
    content_unfetched: 'Stimmt die Adresse? Laden Sie die Datei hoch, wenn sie ausbleibt.',
    content_ends: 'Setzen Sie etwas an seine Stelle, oder lassen Sie ihn länger laufen.',
  },
  since: '{{ago}}',
  over: '{{from}}, {{length}} lang',
  address: 'zuletzt an {{address}}',
  seen: 'Gesehen',
  unseen: 'Nicht gesehen',
  take: 'Ich kümmere mich',
  leave: 'Zurückgeben',
  taken: '{{name}} kümmert sich',
  seenBy: 'Gesehen von {{name}}',
  mute: 'Stumm',
  muteFor: { hour: 'Eine Stunde', tomorrow: 'Bis morgen', week: 'Eine Woche' },
  unmute: 'Nicht mehr stumm',
  muted: 'Stumm bis {{until}}',
  showAll: 'Alle {{count}} zeigen',
  shownOf: 'Die neuesten {{shown}} von {{total}}.',
  seenAll: 'Alle gesehen',
  rules: 'Wann gemeldet wird',
  rulesLead: 'Ab wann in diesem Arbeitsbereich etwas jemanden braucht.',
  rule: { minutes: 'Nach Minuten', threshold: 'Grenze', mail: 'Per Mail' },
};
