import type { Texts } from '../texts.ts';

export const attention: Texts['attention'] = {
  title: 'Meldungen',
  lead: 'Aktuelle Probleme, die schwersten zuerst. Meldungen schließen sich automatisch, sobald das Problem behoben ist.',
  none: 'Keine Meldungen',
  noneHelp: 'Bildschirme, Inhalte und Verbindungen haben keine Probleme.',
  noneEnded: 'Keine behobenen Meldungen',
  states: { open: 'Offen', ended: 'Behoben' },
  state: 'Status',
  whose: { label: 'Zugewiesen an', all: 'Alle', me: 'Meine', nobody: 'Nicht zugewiesen' },
  noneOf: { me: 'Ihnen sind keine Meldungen zugewiesen', nobody: 'Alle Meldungen sind zugewiesen' },
  noneOfHelp_one: 'Es gibt {{count}} andere offene Meldung.',
  noneOfHelp_other: 'Es gibt {{count}} andere offene Meldungen.',
  moreFaults_one: 'Der Bildschirm hat {{count}} weiteren Wiedergabefehler.',
  moreFaults_other: 'Der Bildschirm hat {{count}} weitere Wiedergabefehler.',
  kind: {
    server: { name: 'Server' },
    screen_dark: {
      name: 'Bildschirme offline',
      one: 'Offline',
    },
    screen_program: {
      name: 'Nicht auf dem neuesten Stand',
      one: 'Der Bildschirm hat seine neuesten Inhalte noch nicht',
    },
    screen_fault: {
      name: 'Wiedergabefehler',
      one: 'Der Bildschirm konnte etwas nicht zeigen',
    },
    screen_disk: {
      name: 'Volles Laufwerk',
      one: 'Laufwerk zu {{value}} % frei',
    },
    screen_cpu: {
      name: 'Hohe Prozessorlast',
      one: 'Prozessorlast {{value}} %',
    },
    screen_wifi: {
      name: 'Schwaches WLAN',
      one: 'WLAN-Signal {{value}} dBm',
    },
    screen_battery: {
      name: 'Schwacher Akku',
      one: 'Akku bei {{value}} %',
    },
    screen_hot: { name: 'Zu heiß', one: 'Prozessor bei {{value}} °C' },
    screen_clock: { name: 'Falsche Uhr', one: 'Uhr geht um {{value}} s falsch' },
    source_dead: {
      name: 'Feed oder Vorhersage ohne Aktualisierung',
      one: 'Feed oder Vorhersage wird nicht aktualisiert',
    },
    content_unfetched: {
      name: 'Herunterladen fehlgeschlagen',
      one: 'Die Datei ließ sich nicht von ihrer Adresse herunterladen',
    },
    content_ends: { name: 'Endet bald', one: 'Zu sehen bis {{until}}' },
  },
  todo: {
    screen_dark: {
      alone_one:
        'Ein anderer Bildschirm in seinem Netz ist online. Prüfen Sie, ob sein Rechner an, wach und angeschlossen ist.',
      alone_other:
        '{{count}} andere Bildschirme in seinem Netz sind online. Prüfen Sie, ob sein Rechner an, wach und angeschlossen ist.',
      network: 'Andere Bildschirme in seinem Netz gingen gleichzeitig offline. Prüfen Sie dort Switch, WLAN und Strom.',
      unknown:
        'Prüfen Sie, ob sein Rechner an und angeschlossen ist. Fehlt nur das Netz, spielt der Bildschirm weiter.',
    },
    screen_program:
      'Vielleicht fehlen Dateien oder passen nicht aufs Laufwerk. Öffnen Sie den Bildschirm, um die Ursache zu sehen.',
    screen_fault: 'Öffnen Sie den Bildschirm, um den Fehler zu sehen, und ersetzen Sie dann den Inhalt.',
    screen_disk: 'Schaffen Sie Platz auf seinem Rechner, oder weisen Sie ihm weniger Inhalte zu.',
    screen_cpu: 'Verwenden Sie kleinere Videos und weniger Webseiten, oder einen schnelleren Rechner.',
    screen_wifi: 'Stellen Sie den Zugangspunkt näher auf, oder verwenden Sie ein Kabel.',
    screen_battery: 'Schließen Sie ihn ans Ladegerät an.',
    screen_hot:
      'Reinigen Sie den Lüfter, und sorgen Sie dafür, dass Luft herankommt. In der Sonne oder in einem geschlossenen Gehäuse wird er zu heiß.',
    screen_clock:
      'Schalten Sie auf seinem Rechner die automatische Uhrzeit ein. Bis dahin folgt er der Uhr des Servers, würde aber zur falschen Zeit wechseln, solange der Server aus ist.',
    source_dead: 'Die Bildschirme zeigen weiter den letzten Stand. Prüfen Sie die Adresse und die Internetverbindung.',
    content_unfetched: 'Prüfen Sie die Adresse, oder laden Sie die Datei stattdessen hoch.',
    content_ends: 'Ersetzen Sie ihn, oder verlängern Sie seine Gültigkeit.',
  },
  since: '· begann {{ago}}',
  over: '{{from}}, {{length}} lang',
  address: 'Letzte Adresse: {{address}}',
  was: {
    alone: 'Andere Bildschirme in seinem Netz waren online',
    network: 'Andere Bildschirme in seinem Netz waren auch offline',
    unknown: 'Der Bildschirm war offline',
  },
  seen: 'Als gesehen markieren',
  unseen: 'Als ungesehen markieren',
  take: 'Mir zuweisen',
  leave: 'Zuweisung aufheben',
  taken: 'Zugewiesen an {{name}}',
  seenBy: 'Gesehen von {{name}}',
  more: 'Mehr: {{name}}',
  give: 'Zuweisen …',
  giveTitle: '{{name}} zuweisen',
  giveWho: 'Person',
  giveHint: 'Die Person bekommt eine E-Mail, wenn sie E-Mails über Meldungen erhält.',
  giveChoose: 'Person wählen',
  giveDo: 'Zuweisen',
  giveNobody: 'Zuweisung aufheben',
  mend: 'Beheben unter Server, {{page}}',
  muteFor: { hour: 'Eine Stunde stumm', tomorrow: 'Bis morgen stumm', week: 'Eine Woche stumm' },
  unmute: 'Stummschaltung aufheben',
  muted: 'Stumm bis {{until}}',
  showAll: 'Alle {{count}} zeigen',
  shownOf: 'Die neuesten {{shown}} von {{total}}.',
  newestEnded: 'Die neuesten {{shown}}.',
  seenAll: 'Alle als gesehen markieren',
  rules: 'Regeln für Meldungen',
  rulesLead:
    'Regeln für Meldungen in diesem Arbeitsbereich und die Wege, auf denen benachrichtigt wird. Probleme des Servers selbst gehen an seine Administration.',
  rule: {
    minutes: 'Nach Minuten',
    threshold: 'Grenze',
    told: 'Benachrichtigen per',
    mail: 'E-Mail',
    webhook: 'Webhook',
    mqtt: 'MQTT',
  },
  digest: {
    name: 'Tägliche E-Mail',
    hint: 'Offene, neue und behobene Meldungen und Inhalte, die bald enden. Geht an Administratoren, die E-Mails über Meldungen erhalten.',
    hour: 'Um',
    whenNothing: 'Auch an Tagen ohne Meldungen',
  },
};
