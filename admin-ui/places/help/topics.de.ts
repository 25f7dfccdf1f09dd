import type { Topic, TopicId } from './topics.ts';

export const topics: readonly (Topic & { id: TopicId })[] = [
  {
    id: 'screens',
    title: 'Einen Bildschirm verbinden',
    lead: 'Ein Bildschirm ist ein Rechner oder Stick hinter einer Anzeige, auf dem der Player läuft. Er findet den Server in Ihrem Netz von selbst.',
    steps: [
      'Starten Sie den Player auf dem Rechner hinter der Anzeige. Er zeigt einen Code aus sechs Buchstaben.',
      'Öffnen Sie Bildschirme: Der neue wartet dort. Drücken Sie Verbinden, oder tippen Sie den Code ein.',
      'Geben Sie ihm einen Namen, den man im Laden kennt, und wählen Sie die Playlist, die er zeigen soll.',
    ],
    notes: [
      'Sind mehrere Server zu hören, zeigt der Bildschirm einen eigenen Code; tippen Sie diesen ein.',
      'Tags wie „Fenster“ oder „1. Stock“ helfen, Bildschirme zu finden, für sie zu planen und sie von selbst in Gruppen zu bringen.',
      'Erkennen zeigt den Namen des Bildschirms auf ihm selbst.',
    ],
  },
  {
    id: 'content',
    title: 'Bilder und Videos hereinholen',
    lead: 'Inhalte sind alles, was sich zeigen lässt: Bilder, Videos, Töne, PDF-Dateien, Webseiten. Sie liegen auf Ihrem eigenen Server.',
    steps: [
      'Öffnen Sie Inhalte und ziehen Sie Dateien oder ganze Ordner auf die Seite, oder drücken Sie Dateien hochladen.',
      'Ordnen Sie sie in Ordner, oder geben Sie ihnen Etiketten, wenn es viele sind.',
      'Soll eine neue Datei an die Stelle einer alten, wählen Sie Datei ersetzen im Menü ihrer Kachel. Alles, was sie zeigt, wechselt.',
    ],
    notes: [
      'Fotos vom Telefon sind gut genug: Jeder Bildschirm bekommt sie in der richtigen Größe.',
      'Von einer Web-Adresse wird eine Kopie geholt, damit Bildschirme kein Internet brauchen. Live-Seiten brauchen es.',
      'Die Seite eines Inhalts sagt, wo er gebraucht wird, bevor Sie ihn ändern oder löschen.',
    ],
  },
  {
    id: 'playlists',
    title: 'Eine Playlist machen und veröffentlichen',
    lead: 'Eine Playlist ist eine Reihe von Inhalten und Widgets, die immer wieder gezeigt wird. Bildschirme mit derselben Playlist wechseln im selben Augenblick.',
    steps: [
      'Öffnen Sie Playlists, legen Sie eine neue an, und ziehen Sie Inhalte in die Liste.',
      'Sagen Sie, wie lange jeder Eintrag zu sehen ist. Ein Video läuft von selbst ganz.',
      'Drücken Sie Vorschau, um sie wie auf einem Bildschirm zu sehen.',
      'Drücken Sie Veröffentlichen. Erst dann ändern sich Bildschirme, und Sie erfahren, welche.',
    ],
    notes: [
      'Was Sie später ändern, ist ein Entwurf, bis Sie wieder veröffentlichen; Vergleichen sagt, was sich ändern würde.',
      'Tageszeiten, im Menü eines Eintrags, schränken ein, wann er zu sehen ist: „Frühstück nur bis 11“.',
      'Ein Übergang lässt Einträge überblenden, schieben oder wischen: für die ganze Liste oder einen Eintrag.',
    ],
  },
  {
    id: 'plans',
    title: 'Eine Kampagne planen',
    lead: 'Ein Plan zeigt etwas zu bestimmten Zeiten: an bestimmten Tagen, in bestimmten Wochen, auf Bildschirmen, die Sie wählen. Sonst läuft die Playlist weiter.',
    steps: [
      'Öffnen Sie den Zeitplan und drücken Sie Etwas planen, oder ziehen Sie über den Kalender.',
      'Sagen Sie, was, auf welchen Bildschirmen, Gruppen oder Tags, und wann.',
      'Lesen Sie den Satz darunter: Er sagt in Worten, was geschieht, wann das nächste Mal, und was weicht.',
      'Speichern Sie. Der Kalender zeigt, was jeder Bildschirm wirklich zeigen wird.',
    ],
    notes: [
      'Treffen sich zwei Pläne, ist der stärkere zu sehen; unter gleichen der spätere.',
      'Es gilt die Uhr des Bildschirms: 9 Uhr ist in jedem Laden 9 Uhr.',
    ],
  },
  {
    id: 'validity',
    title: 'Etwas von und bis zeigen',
    lead: 'Ein Angebot, das am Samstag endet, darf am Sonntag nicht zu sehen sein. Sagen Sie es beim Angebot, und kein Bildschirm zeigt es länger, auch nicht ohne Netz.',
    steps: [
      'Öffnen Sie einen Inhalt oder ein Widget, und füllen Sie Zu sehen ab oder Zu sehen bis aus.',
      'Für mehrere auf einmal kreuzen Sie sie unter Inhalte an und drücken Gültigkeit.',
      'Nur für eine Stelle sagen Sie es beim Eintrag der Playlist: Tageszeiten in seinem Menü.',
    ],
    notes: [
      'Inhalte lassen sich nach „Endet bald“, „Vorbei“ und „Noch nicht“ filtern.',
      'Die Seite des Inhalts sagt, was seine Bildschirme danach zeigen.',
    ],
  },
  {
    id: 'layouts',
    title: 'Einen Bildschirm in Zonen teilen',
    lead: 'Ein Layout teilt das Bild: links Angebote, oben eine Uhr, unten ein Laufband. Jede Zone hat ihren eigenen Inhalt, ihr Widget oder ihre Playlist.',
    steps: [
      'Öffnen Sie Layouts und verwenden Sie eine Vorlage, oder zeichnen Sie Zonen in ein leeres.',
      'Ziehen Sie eine Playlist, einen Inhalt oder ein Widget in jede Zone.',
      'Sehen Sie es zu jeder Tageszeit an, in der Form der Bildschirme, die es zeigen werden.',
      'Speichern Sie, und wählen Sie die Bildschirme.',
    ],
    notes: [
      'Auch Einträge der Playlist eines Bildschirms lassen sich in eine Zone bringen: Wählen Sie das Layout über der Playlist.',
      'Pfeiltasten bewegen eine Zone, mit Umschalt ändern sie ihre Größe.',
    ],
  },
  {
    id: 'widgets',
    title: 'Uhr, Wetter, Laufband und mehr',
    lead: 'Ein Widget macht sein Bild selbst: Uhr, Wetter, Text, Nachrichten, Speisekarte, Wegweiser. Es kommt wie ein Inhalt in Playlists und Zonen.',
    steps: [
      'Öffnen Sie Widgets, wählen Sie eine Art, und geben Sie ihm einen Namen.',
      'Füllen Sie das Formular aus; die Vorschau daneben folgt sofort.',
      'Speichern Sie, und fügen Sie es einer Playlist oder Zone hinzu.',
    ],
    notes: [
      'Wetter und Nachrichten brauchen eine Verbindung. Ohne sie bleibt die letzte Antwort, mit ihrem Alter.',
      'Logos und Hintergründe kommen aus den Inhalten.',
    ],
  },
  {
    id: 'kiosk',
    title: 'Seiten zum Berühren',
    lead: 'Eine Kioskseite hat große Knöpfe, die zu Ihren eigenen Seiten oder ins Netz führen. Auf einem Bildschirm zum Berühren benutzen Besucher sie; nach einer Weile geht sie zurück zum Anfang.',
    steps: [
      'Öffnen Sie Kioskseiten, und legen Sie eine an.',
      'Fügen Sie Knöpfe hinzu, sagen Sie, wohin jeder führt, und probieren Sie es in der Vorschau.',
      'Speichern Sie, und bringen Sie die Seite über ein Webseiten-Widget in eine Playlist.',
    ],
  },
  {
    id: 'messages',
    title: 'Jetzt etwas sagen',
    lead: 'Eine Nachricht liegt über dem, was läuft: „Wir schließen in zehn Minuten“. Darunter läuft alles weiter.',
    steps: [
      'Drücken Sie Nachricht jetzt, das auf jeder Seite steht.',
      'Tippen Sie den Text, und wählen Sie, wie er aussieht, oder legen Sie ein Bild darauf ab.',
      'Wählen Sie, wo und wie lange, und senden Sie sie.',
    ],
    notes: [
      'Sie sehen, auf wie vielen Bildschirmen sie angekommen ist. Einer, der aus ist, bekommt sie, wenn er rechtzeitig wiederkommt.',
      'Zurückziehen nimmt sie mit einem Klick überall weg.',
    ],
  },
  {
    id: 'groups',
    title: 'Viele Bildschirme auf einmal',
    lead: 'Eine Gruppe hat eine Playlist, Pläne und Befehle für alle ihre Bildschirme. Wer dazugehört, wird gewählt oder folgt aus Tags.',
    steps: [
      'Öffnen Sie Gruppen, und legen Sie eine an.',
      'Kreuzen Sie ihre Bildschirme an, oder geben Sie ihr eine Regel: alle mit dem Tag „Fenster“.',
      'Wählen Sie die Playlist der Gruppe. Bildschirme ohne eigene zeigen sie.',
    ],
    notes: [
      'Unter Bildschirme können Sie viele ankreuzen, oder alle, die eine Suche gefunden hat, und sie auf einmal ändern.',
    ],
  },
  {
    id: 'walls',
    title: 'Mehrere Anzeigen, ein Bild',
    lead: 'Eine Wand fügt Anzeigen zu einem großen Bild. Die Lücken dazwischen werden ausgespart, damit Linien gerade bleiben.',
    steps: [
      'Öffnen Sie Wände, legen Sie eine an, und sagen Sie, wie viele Anzeigen neben- und übereinander hängen.',
      'Ziehen Sie die Bildschirme an ihre Plätze, und drehen Sie die, die hochkant hängen.',
      'Messen Sie eine Anzeige und ihren Rahmen, und tragen Sie die Maße ein.',
      'Wählen Sie, was die Wand zeigt.',
    ],
    notes: ['Die Seite der Wand sagt, wie genau ihre Anzeigen im Gleichtakt sind.'],
  },
  {
    id: 'why',
    title: 'Warum zeigt dieser Bildschirm das?',
    lead: 'Die Seite eines Bildschirms sagt, was er in jedem Augenblick zeigt, und warum: welcher Plan, welche Playlist, welche Gruppe entschieden hat.',
    steps: [
      'Öffnen Sie den Bildschirm, und gehen Sie zu „Jetzt und dann“.',
      'Wählen Sie einen Tag und eine Uhrzeit.',
      'Lesen Sie die Gründe unter dem Bild; jeder führt zu dem, was entschieden hat.',
    ],
    notes: [
      'Die Reihenfolge: zuerst Pläne, der stärkste vor den anderen; dann die Playlist der Wand, des Bildschirms oder der Gruppe; dann der Ersatzinhalt.',
      'Der eigene Inhalt einer Zone ist zu sehen, wo sonst nichts in diese Zone will.',
    ],
  },
  {
    id: 'attention',
    title: 'Was jemanden braucht',
    lead: 'Meldungen sagt, was jetzt nicht stimmt: dunkle Bildschirme mit ihrer wahrscheinlichen Ursache, volle Laufwerke, schwaches WLAN, Rechner, die zu heiß sind oder deren Uhr falsch geht, tote Quellen, Angebote, die enden.',
    steps: [
      'Eine Zahl in der Navigation sagt, wie viel noch niemand gesehen hat. Öffnen Sie Meldungen.',
      'Lesen Sie die wahrscheinliche Ursache und was zu tun ist; der Name führt zum Bildschirm.',
      'Drücken Sie Ich kümmere mich, damit die anderen es wissen, oder Gesehen, oder stellen Sie es eine Weile stumm.',
    ],
    notes: [
      'Jedes geht von selbst, wenn es vorbei ist. Was vorher nicht stimmte, steht unter Vorbei.',
      'Wann gemeldet wird legt die Grenzen fest, und wer eine Mail bekommt.',
    ],
  },
  {
    id: 'dark',
    title: 'Ein Bildschirm ist dunkel',
    lead: 'Das Fenster sagt, seit wann man von einem Bildschirm nichts hört. Einer, dem nur das Netz fehlt, läuft weiter.',
    steps: [
      'Sehen Sie die Anzeige an: Ist sie an, und auf dem richtigen Eingang?',
      'Ist der Rechner dahinter an, und steckt sein Netzkabel?',
      'Seine Seite sagt seine letzte Adresse, sein WLAN, wie es ihm ging und was zuletzt geschah.',
      'Starten Sie ihn von der Seite neu, wenn er antwortet; sonst schalten Sie ihn aus und wieder ein.',
    ],
    notes: [
      'Vielleicht haben Öffnungszeiten ihn ausgeschaltet: Sie stehen auf seiner Seite.',
      'Meldungen sagt, ob es seinen Nachbarn im Netz gut geht, und ob es am Netz liegt.',
    ],
  },
  {
    id: 'offline',
    title: 'Ohne Internet, ohne Netz',
    lead: 'Nichts an Vitrine braucht das Internet. Jeder Bildschirm hat alles, was er vielleicht zeigen muss, auf dem eigenen Laufwerk.',
    notes: [
      'Ohne den Server laufen Bildschirme wochenlang weiter: Pläne, Tageszeiten und das Ende von Angeboten hält der Bildschirm selbst ein.',
      'Was währenddessen zu sehen war, wird gemeldet, sobald das Netz wieder da ist, jede Ausspielung einmal.',
      'Eine Verbindung brauchen: Live-Webseiten, Wetter, Nachrichten, Videos von Videoseiten.',
    ],
  },
  {
    id: 'reports',
    title: 'Was zu sehen war',
    lead: 'Jede Ausspielung schreibt der Bildschirm auf, der sie gezeigt hat, auf den Bruchteil einer Sekunde, und unterschreibt sie.',
    steps: [
      'Öffnen Sie Berichte, und wählen Sie den Zeitraum.',
      'Tippen Sie ein, worum es geht: Inhalte, ein Etikett, einen Ordner, eine Playlist, einen Plan, Bildschirme, eine Gruppe oder ein Tag. Alle Zahlen folgen.',
      'Drücken Sie PDF für einen Bericht mit Ihrem Logo, den Kunden bekommen können, oder laden Sie die Tabelle oder die signierte Datei herunter.',
    ],
    notes: [
      'Die signierte Datei kann jeder mit „vitrine verify“ prüfen, ohne Ihrem Server zu vertrauen.',
      'Ein gespeicherter Bericht lässt sich am Ersten jedes Monats per Mail schicken.',
    ],
  },
  {
    id: 'bin',
    title: 'Gelöschtes zurückholen',
    lead: 'Was gelöscht oder ersetzt wurde, liegt 30 Tage im Papierkorb und kommt mit seinen Plätzen zurück: in Playlists, auf Bildschirmen, in Plänen.',
    steps: [
      'Gleich nach dem Löschen drücken Sie Rückgängig in der Meldung.',
      'Später öffnen Sie Einstellungen, Papierkorb, suchen es und holen es zurück.',
      'Lesen Sie, was nicht zurückkonnte, weil inzwischen etwas anderes an seinem Platz ist.',
    ],
    notes: ['Eine Playlist hat Versionen: In ihrem Menü vergleichen Sie mit einer früheren und kehren zu ihr zurück.'],
  },
  {
    id: 'people',
    title: 'Personen und was sie dürfen',
    lead: 'Wer mit dem Fenster arbeitet, hat ein eigenes Konto. Betrachten heißt nur ansehen, Bearbeiten auch Inhalte und Pläne ändern, Verwalten auch Personen und Einstellungen.',
    steps: [
      'Öffnen Sie Einstellungen, Personen, und drücken Sie Einladen.',
      'Wählen Sie die Rolle, und schicken Sie den Link.',
      'An derselben Stelle ändern Sie eine Rolle oder entfernen jemanden.',
    ],
    notes: [
      'Arbeitsbereiche trennen Läden oder Abteilungen: Jeder hat eigene Bildschirme, Inhalte und Personen.',
      'Alles, was jemand ändert, steht im Verlauf.',
      'Schalten Sie unter Konto die Anmeldung in zwei Schritten ein. Wer das Passwort vergessen hat, bekommt einen Link: Einstellungen, Personen, beim Konto „Passwort-Link“. Wer ganz ausgesperrt ist: Auf dem Rechner des Servers hilft „vitrine reset-password“.',
    ],
  },
  {
    id: 'server',
    title: 'Der Server',
    lead: 'Einstellungen, Server sagt, wie es dem Server geht: Laufwerk, Adressen, und was jemanden braucht.',
    notes: [
      'Eine Warnung ganz oben sagt, was nicht stimmt und was zu tun ist.',
      'Der Server kann einem Webhook, einem MQTT-Broker und per Mail melden, was geschieht.',
    ],
  },
  {
    id: 'backups',
    title: 'Sicherungen',
    lead: 'Einstellungen, Sicherungen: Kopien von allem. Jede Nacht wird von selbst eine gemacht und nachgelesen, bevor sie gilt.',
    steps: [
      'Wählen Sie für Sicherungen einen Ordner auf einem anderen Laufwerk.',
      'Drücken Sie Jetzt sichern, bevor Sie viel ändern.',
      'Zurück geht es mit Zurückspielen neben einer Sicherung. Sie sehen vorher, was verloren ginge, und vom Jetzt wird erst eine gemacht.',
    ],
    notes: [
      'Wer sich vor weniger als 15 Minuten angemeldet hat, wird vor dem Zurückspielen nicht nach dem Passwort gefragt.',
      'Während der Server neu startet, sagt das Fenster, wie weit er ist. Danach bietet es eine Woche lang an zurückzukehren.',
      'Prüfen packt eine Sicherung aus und sieht nach, ob sie sich zurückspielen ließe.',
      'Zum Umzug auf einen anderen Rechner: Alles in einer Datei, dann Herunterladen. Auf dem neuen nimmt Sicherung einbringen die Datei an, prüft sie und stellt sie in die Liste, wo sie 30 Tage bleibt. Dort zurückgespielt, wird der Rechner zu Ihrem Server, mit seinen Bildschirmen.',
      'Wer eine Sicherung hat, kann Ihr Server sein: Legen Sie sie so ab, dass nur Sie sie lesen können.',
    ],
  },
  {
    id: 'updates',
    title: 'Neue Versionen auf den Bildschirmen',
    lead: 'Bildschirme holen eine neue Version von Ihrem Server: erst einer, dann Gruppen, dann alle. Einer, der nicht gut startet, geht von selbst zurück.',
    steps: [
      'Öffnen Sie Einstellungen, Aktualisierung, und laden Sie die Dateien der Version hoch.',
      'Wählen Sie den Bildschirm, der sie zuerst probiert.',
      'Ist er eine Weile gut gelaufen, folgen die anderen.',
    ],
  },
  {
    id: 'keys',
    title: 'Tasten',
    lead: 'Alles geht auch ohne Maus.',
    notes: [
      'Strg+K, auf dem Mac ⌘K: alles finden, überall hingehen.',
      'Strg+Z und Strg+Umschalt+Z: rückgängig und wiederholen in Layouts und Wänden.',
      'Pfeiltasten: bewegen Zonen, Anzeigen und Pläne im Kalender; mit Umschalt: ändern ihre Größe.',
      'Die Leertaste am Griff eines Eintrags nimmt ihn auf, Pfeiltasten bewegen ihn, die Leertaste legt ihn ab.',
      'Umschalt und ein Klick kreuzt alles zwischen zweien an; Escape lässt los.',
    ],
  },
  {
    id: 'words',
    title: 'Was die Wörter bedeuten',
    lead: 'Begriffe des Fachs, wie dieses Fenster sie gebraucht.',
    notes: [
      'Inhalt: Bild, Video, Ton, PDF oder Seite. Eintrag: ein Inhalt oder Widget an seinem Platz in einer Playlist.',
      'Entwurf: was Sie bearbeiten. Veröffentlicht: was Bildschirme spielen.',
      'Plan: etwas zu bestimmten Zeiten auf bestimmten Bildschirmen. Tageszeit: Stunden, in denen ein Eintrag zu sehen ist.',
      'Layout: wie das Bild geteilt ist. Zone: ein Teil davon.',
      'Ersatzinhalt: was zu sehen ist, wenn sonst nichts läuft.',
      'Gruppe: Bildschirme, die etwas gemeinsam haben. Tag: ein Wort, unter dem man sie findet.',
      'Wand: mehrere Anzeigen als ein Bild. Nachricht: etwas über dem Bild, für eine Weile.',
      'Ausspielnachweis: was wo und wann zu sehen war, unterschrieben von den Bildschirmen.',
    ],
  },
];
