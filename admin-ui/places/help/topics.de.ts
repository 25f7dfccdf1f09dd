import type { Topic, TopicId } from './topics.ts';

export const topics: readonly (Topic & { id: TopicId })[] = [
  {
    id: 'screens',
    title: 'Einen Bildschirm verbinden',
    lead: 'Ein Bildschirm ist eine Anzeige mit einem Rechner oder Stick, auf dem der Player läuft. Der Player findet den Server in Ihrem Netz automatisch.',
    steps: [
      'Starten Sie den Player auf dem Rechner des Bildschirms. Er zeigt einen Code aus 6 Zeichen.',
      'Öffnen Sie Bildschirme: Der neue wartet dort. Drücken Sie Verbinden, oder geben Sie den Code ein.',
      'Geben Sie einen Namen ein, den man im Laden kennt, und wählen Sie die Playlist des Bildschirms.',
    ],
    notes: [
      'Findet der Bildschirm mehrere Server, zeigt er einen eigenen Code; geben Sie diesen ein.',
      'Tags wie „Fenster“ oder „1. Stock“ helfen, Bildschirme zu finden, für sie zu planen und sie automatisch zu gruppieren.',
      'Identifizieren zeigt den Namen des Bildschirms auf ihm selbst.',
    ],
  },
  {
    id: 'content',
    title: 'Bilder und Videos hochladen',
    lead: 'Inhalte sind alles, was Bildschirme zeigen können: Bilder, Videos, Ton, PDF-Dateien und Webseiten. Sie liegen auf Ihrem eigenen Server.',
    steps: [
      'Ziehen Sie Dateien oder ganze Ordner in das Fenster, oder öffnen Sie Inhalte und drücken Dateien hochladen.',
      'Wenn es viele sind, ordnen Sie sie in Ordner, oder geben Sie ihnen Etiketten.',
      'Soll eine neue Datei an die Stelle einer alten, wählen Sie Datei ersetzen im Menü ihrer Kachel. Alles, was sie verwendet, zeigt die neue Datei.',
    ],
    notes: [
      'Fotos vom Telefon sind gut: Jeder Bildschirm bekommt sie in der richtigen Größe.',
      'Eine Datei von einer Web-Adresse wird auf den Server kopiert, damit Bildschirme kein Internet brauchen. Live-Seiten brauchen es.',
      'Die Einzelheiten einer Datei sagen, wo sie verwendet wird, bevor Sie sie ändern oder löschen.',
    ],
  },
  {
    id: 'playlists',
    title: 'Eine Playlist anlegen und veröffentlichen',
    lead: 'Eine Playlist zeigt Inhalte und Widgets nacheinander, immer wieder. Bildschirme mit derselben Playlist wechseln im selben Augenblick.',
    steps: [
      'Öffnen Sie Playlists, legen Sie eine neue an, und ziehen Sie Inhalte in die Liste. Auch Dateien von Ihrem Computer lassen sich dort ablegen.',
      'Legen Sie fest, wie lange jeder Eintrag zu sehen ist. Ein Video läuft automatisch ganz.',
      'Drücken Sie Vorschau, um sie wie auf einem Bildschirm zu sehen.',
      'Drücken Sie Veröffentlichen. Erst dann ändern sich Bildschirme, und Sie erfahren, welche.',
    ],
    notes: [
      'Was Sie später ändern, ist ein Entwurf, bis Sie wieder veröffentlichen; Vergleichen zeigt, was sich ändern würde.',
      'Die Kalender-Schaltfläche eines Eintrags begrenzt die Zeiten, zu denen er läuft: „Frühstück nur bis 11“.',
      'Ein Übergang lässt Einträge überblenden, schieben oder wischen. Legen Sie ihn für die ganze Playlist fest oder für einen Eintrag.',
    ],
  },
  {
    id: 'plans',
    title: 'Inhalte für bestimmte Zeiten planen',
    lead: 'Ein Plan zeigt Inhalte zu bestimmten Zeiten, zum Beispiel an bestimmten Tagen oder in bestimmten Wochen, auf Bildschirmen, die Sie wählen. Sonst läuft die Playlist.',
    steps: [
      'Öffnen Sie den Zeitplan und drücken Sie Neuer Plan, oder ziehen Sie über den Kalender.',
      'Wählen Sie den Inhalt, die Bildschirme, Gruppen oder Tags, und die Zeit.',
      'Lesen Sie die Zusammenfassung darunter: Sie sagt, was geschieht, wann das nächste Mal, und was der Plan ersetzt.',
      'Speichern Sie. Der Kalender zeigt, was jeder Bildschirm wirklich zeigen wird.',
    ],
    notes: [
      'Überschneiden sich zwei Pläne, läuft der mit der höheren Priorität; bei gleicher der, der später beginnt.',
      'Es gilt die Ortszeit des Bildschirms: 9 Uhr ist in jedem Laden 9 Uhr.',
    ],
  },
  {
    id: 'validity',
    title: 'Etwas nur ab oder bis zu einem Datum zeigen',
    lead: 'Die Gültigkeit begrenzt, wann Inhalte zu sehen sind. Ein Angebot, das bis Samstag gültig ist, ist am Sonntag nicht zu sehen, auch auf Bildschirmen ohne Netz.',
    steps: [
      'Öffnen Sie eine Datei unter Inhalte oder ein Widget, und füllen Sie Gezeigt ab oder Gezeigt bis aus.',
      'Für mehrere Dateien auf einmal wählen Sie sie unter Inhalte aus und drücken Gültigkeit.',
      'Nur für eine Playlist legen Sie es beim Eintrag fest: Drücken Sie seine Kalender-Schaltfläche.',
    ],
    notes: [
      'Inhalte lassen sich nach „Endet bald“, „Abgelaufen“ und „Beginnt später“ filtern.',
      'Die Einzelheiten der Datei sagen, was ihre Bildschirme danach zeigen.',
    ],
  },
  {
    id: 'layouts',
    title: 'Einen Bildschirm in Zonen teilen',
    lead: 'Ein Layout teilt einen Bildschirm in Zonen, zum Beispiel links Angebote, oben eine Uhr, unten ein Laufband. Jede Zone hat ihren eigenen Inhalt, ihr Widget oder ihre Playlist.',
    steps: [
      'Öffnen Sie Layouts und verwenden Sie eine Vorlage, oder zeichnen Sie Zonen in ein leeres.',
      'Ziehen Sie eine Playlist, eine Datei oder ein Widget in jede Zone.',
      'Sehen Sie es in der Vorschau zu jeder Tageszeit an, im Format der Bildschirme, die es zeigen werden.',
      'Speichern Sie, und wählen Sie die Bildschirme.',
    ],
    notes: [
      'Auch Einträge der Playlist eines Bildschirms können in einer Zone laufen: Wählen Sie das Layout über der Playlist.',
      'Pfeiltasten bewegen eine Zone, mit Alt ändern sie ihre Größe.',
    ],
  },
  {
    id: 'widgets',
    title: 'Uhr, Wetter, Laufband und mehr',
    lead: 'Ein Widget zeigt etwas, das immer aktuell ist, zum Beispiel eine Uhr, das Wetter, Nachrichten, einen Text oder einen Wegweiser. Fügen Sie es Playlists und Zonen hinzu wie ein Bild.',
    steps: [
      'Öffnen Sie Widgets, wählen Sie eine Art, und geben Sie einen Namen ein.',
      'Füllen Sie das Formular aus; die Vorschau daneben ändert sich sofort.',
      'Speichern Sie, und fügen Sie es einer Playlist oder Zone hinzu.',
    ],
    notes: [
      'Wetter und Nachrichten brauchen eine Verbindung. Ohne sie bleiben die letzten Daten, mit ihrem Alter.',
      'Logos und Hintergründe wählen Sie aus Ihren Inhalten.',
    ],
  },
  {
    id: 'kiosk',
    title: 'Kioskseiten für Touch-Bildschirme',
    lead: 'Eine Kioskseite hat große Schaltflächen, die zu eigenen Seiten oder zu Web-Adressen führen. Besucher benutzen sie auf einem Touch-Bildschirm; nach einer Weile kehrt sie zum Anfang zurück.',
    steps: [
      'Öffnen Sie Kioskseiten, und legen Sie eine an.',
      'Fügen Sie Schaltflächen hinzu, wählen Sie, wohin jede führt, und probieren Sie es in der Vorschau.',
      'Speichern Sie, und bringen Sie die Seite über ein Webseiten-Widget in eine Playlist.',
    ],
  },
  {
    id: 'messages',
    title: 'Jetzt eine Nachricht zeigen',
    lead: 'Eine Nachricht ist über dem zu sehen, was läuft: „Wir schließen in zehn Minuten“. Darunter läuft es weiter.',
    steps: [
      'Drücken Sie Nachricht jetzt, das auf jeder Seite steht.',
      'Geben Sie den Text ein, und wählen Sie, wie er aussieht, oder legen Sie ein Bild ab.',
      'Wählen Sie die Bildschirme und die Dauer, und drücken Sie Jetzt zeigen.',
    ],
    notes: [
      'Sie sehen, auf wie vielen Bildschirmen sie angekommen ist. Einer, der offline ist, zeigt sie, wenn er rechtzeitig wieder da ist.',
      'Zurückziehen entfernt sie überall mit einem Klick.',
    ],
  },
  {
    id: 'groups',
    title: 'Viele Bildschirme auf einmal',
    lead: 'Eine Gruppe gibt ihren Bildschirmen dieselbe Playlist, dieselben Pläne und Befehle. Sie wählen ihre Bildschirme, oder sie folgen aus Tags.',
    steps: [
      'Öffnen Sie Gruppen, und legen Sie eine an.',
      'Fügen Sie ihre Bildschirme hinzu, oder wählen Sie Tags: alle mit dem Tag „Fenster“.',
      'Wählen Sie die Playlist der Gruppe. Bildschirme ohne eigene Playlist spielen sie.',
    ],
    notes: [
      'Unter Bildschirme können Sie viele auswählen, oder alle, die eine Suche gefunden hat, und sie zusammen ändern.',
    ],
  },
  {
    id: 'walls',
    title: 'Videowände: ein Bild über mehrere Bildschirme',
    lead: 'Eine Videowand zeigt ein Bild über mehrere Bildschirme. Was hinter den Rahmen dazwischen liegt, wird ausgespart, damit Linien gerade bleiben.',
    steps: [
      'Öffnen Sie Videowände, legen Sie eine an, und geben Sie ein, wie viele Bildschirme neben- und übereinander sind.',
      'Ziehen Sie die Bildschirme an ihre Plätze, und drehen Sie die hochkant montierten.',
      'Messen Sie das sichtbare Bild eines Bildschirms und die Rahmen dazwischen, und tragen Sie die Maße ein.',
      'Wählen Sie die Playlist der Videowand.',
    ],
    notes: ['Die Seite der Videowand sagt, wie genau ihre Bildschirme synchron sind.'],
  },
  {
    id: 'why',
    title: 'Warum zeigt dieser Bildschirm das?',
    lead: 'Die Seite eines Bildschirms sagt, was er in jedem Augenblick zeigt, und warum: welcher Plan, welche Playlist, welche Gruppe entschieden hat.',
    steps: [
      'Öffnen Sie den Bildschirm, und gehen Sie zur Wiedergabe-Vorschau.',
      'Wählen Sie einen Tag und eine Uhrzeit.',
      'Lesen Sie die Gründe unter dem Bild; jeder führt zu dem, was entschieden hat.',
    ],
    notes: [
      'Die Reihenfolge: zuerst Pläne, die mit der höchsten Priorität vor den anderen; dann die Playlist der Videowand, des Bildschirms oder der Gruppe; dann der Ersatzinhalt.',
      'Der Inhalt einer Zone ist zu sehen, wenn für diese Zone nichts anderes da ist.',
    ],
  },
  {
    id: 'attention',
    title: 'Meldungen: was jetzt nicht stimmt',
    lead: 'Meldungen zeigt, was jetzt nicht stimmt: dunkle Bildschirme mit ihrer wahrscheinlichen Ursache, volle Laufwerke, schwaches WLAN, Rechner, die zu heiß sind oder deren Uhr falsch geht, tote Quellen, Angebote, die enden.',
    steps: [
      'Eine Zahl in der Navigation sagt, wie viel noch niemand gesehen hat. Öffnen Sie Meldungen.',
      'Lesen Sie die wahrscheinliche Ursache und was zu tun ist; der Name führt zum Bildschirm.',
      'Drücken Sie Ich kümmere mich, damit die anderen es wissen, oder Gesehen, oder stellen Sie es eine Weile stumm.',
    ],
    notes: [
      'Jede verschwindet automatisch, wenn sie vorbei ist. Was vorher nicht stimmte, steht unter Vorbei.',
      'Wann gemeldet wird legt die Grenzen fest, und wer eine Mail bekommt.',
    ],
  },
  {
    id: 'dark',
    title: 'Ein Bildschirm ist dunkel oder offline',
    lead: 'Die Seite des Bildschirms sagt, seit wann er offline ist. Einer, dem nur das Netz fehlt, spielt weiter.',
    steps: [
      'Sehen Sie die Anzeige an: Ist sie an, und auf dem richtigen Eingang?',
      'Ist sein Rechner an, und steckt das Netzkabel?',
      'Seine Seite zeigt seine letzte Adresse, sein WLAN, seinen Zustand im Verlauf und was zuletzt geschah.',
      'Starten Sie ihn von seiner Seite neu, wenn er online ist; sonst schalten Sie ihn aus und wieder ein.',
    ],
    notes: [
      'Vielleicht haben Öffnungszeiten die Anzeige ausgeschaltet: Sie stehen auf seiner Seite.',
      'Meldungen sagt, ob es seinen Nachbarn im Netz gut geht, und ob es am Netz liegt.',
    ],
  },
  {
    id: 'offline',
    title: 'Ohne Internet, ohne Netz',
    lead: 'Vitrine braucht kein Internet. Jeder Bildschirm hat alles, was er vielleicht zeigen muss, auf dem eigenen Laufwerk.',
    notes: [
      'Ohne den Server spielen Bildschirme wochenlang weiter, mit ihren Plänen, Spielzeiten und Gültigkeiten.',
      'Was währenddessen zu sehen war, wird gemeldet, sobald das Netz wieder da ist, jede Wiedergabe einmal.',
      'Eine Verbindung brauchen: Live-Webseiten, Wetter, Nachrichten, Videos von Videoportalen.',
    ],
  },
  {
    id: 'reports',
    title: 'Berichte und Wiedergabenachweis',
    lead: 'Jede Wiedergabe wird von dem Bildschirm aufgezeichnet und unterschrieben, der sie gezeigt hat.',
    steps: [
      'Öffnen Sie Berichte, und wählen Sie den Zeitraum; der letzte Monat ist ein Klick. Oder drücken Sie Bericht bei einem Inhalt, einem Plan, einer Playlist oder Gruppe.',
      'Geben Sie einen Filter ein: Inhalte, ein Etikett, einen Ordner, eine Playlist, einen Plan, Bildschirme, eine Gruppe oder ein Tag. Alle Zahlen folgen.',
      'Sehen Sie auf „Erfüllt“: wie viel von dem, was geplant war, zu sehen war, insgesamt, je Inhalt, je Bildschirm und je Tag.',
      'Drücken Sie PDF für einen Bericht mit Ihrem Logo für einen Kunden, oder laden Sie die Tabellen oder den signierten Wiedergabenachweis herunter.',
    ],
    notes: [
      'Geplant ist, was Playlists, Pläne, Layouts und Ersatzinhalte zeigen sollten, solange ein Bildschirm an sein sollte; Durchsagen zählen nicht. Eine abgebrochene Wiedergabe zählt, so lange sie zu sehen war, und was über den Plan hinaus gezeigt wurde, gleicht nichts aus.',
      '„Weniger als geplant“ sagt, welchen Bildschirmen am meisten fehlt, und warum: aus, ohne ihr neuestes Programm, etwas, das sich nicht zeigen ließ. Ein Bildschirm, der nur vom Netz getrennt ist, spielt weiter; seine Wiedergaben kommen später.',
      'Was geplant war, bevor Ihr Server es aufschrieb, ist nicht bekannt und wird nie als nichts gezeigt.',
      'Die signierte Datei kann jeder mit „vitrine verify“ prüfen, ohne Ihrem Server zu vertrauen.',
      'Ein gespeicherter Bericht lässt sich am Ersten jedes Monats per Mail schicken, und sein PDF des letzten Monats ist einen Klick entfernt.',
    ],
  },
  {
    id: 'bin',
    title: 'Gelöschtes wiederherstellen',
    lead: 'Was gelöscht oder ersetzt wurde, bleibt 30 Tage im Papierkorb. Es wird dorthin wiederhergestellt, wo es verwendet wurde: in Playlists, auf Bildschirmen, in Plänen.',
    steps: [
      'Gleich nach dem Löschen drücken Sie Rückgängig in der Meldung.',
      'Später öffnen Sie Einstellungen, Papierkorb, suchen es und drücken Wiederherstellen.',
      'Lesen Sie, was sich nicht wiederherstellen ließ, weil inzwischen etwas anderes an seinem Platz ist.',
    ],
    notes: [
      'Eine Playlist hat Versionen: In ihrem Menü vergleichen Sie mit einer früheren und stellen sie wieder her.',
    ],
  },
  {
    id: 'people',
    title: 'Personen und was sie dürfen',
    lead: 'Wer mit Vitrine arbeitet, hat ein eigenes Konto. Betrachten heißt nur ansehen, Bearbeiten auch Inhalte und Pläne ändern, Verwalten auch Personen und Einstellungen.',
    steps: [
      'Öffnen Sie Einstellungen, Personen, und drücken Sie Jemanden einladen.',
      'Wählen Sie die Rolle, und geben Sie den Link weiter.',
      'An derselben Stelle ändern Sie eine Rolle oder entfernen jemanden.',
    ],
    notes: [
      'Arbeitsbereiche trennen Läden oder Abteilungen: Jeder hat eigene Bildschirme, Inhalte und Personen.',
      'Alles, was jemand ändert, steht im Verlauf.',
      'Schalten Sie unter Konto die Anmeldung in zwei Schritten ein. Für ein vergessenes Passwort erstellen Sie einen Link: Einstellungen, Personen, beim Konto „Passwort-Link“. Kann sich niemand anmelden, hilft „vitrine reset-password“ auf dem Rechner des Servers.',
    ],
  },
  {
    id: 'tokens',
    title: 'Zugang für andere Programme',
    lead: 'Mit einem Zugangsschlüssel arbeitet ein Programm mit einem Arbeitsbereich, zum Beispiel eine Kasse, die eine Nachricht zeigt, oder ein Skript, das Inhalte hochlädt.',
    steps: [
      'Öffnen Sie Einstellungen, Zugangsschlüssel, und drücken Sie Neuer Schlüssel.',
      'Wählen Sie seine Berechtigungen und wie lange er gilt.',
      'Kopieren Sie ihn in das Programm. Er wird nur einmal gezeigt.',
    ],
    notes: [
      'Das Programm handelt im Namen der Person, die den Schlüssel ausgestellt hat.',
      'Widerrufen Sie einen Schlüssel, der nicht mehr gebraucht wird oder den jemand anderes kennen könnte.',
    ],
  },
  {
    id: 'rights',
    title: 'Wer was darf',
    lead: 'Wer bearbeitet, darf in einem Arbeitsbereich alles ändern, außer Sie sagen, wofür die Rechte gelten: nur fürs Hochladen, für einige Ordner oder für die Bildschirme einiger Gruppen.',
    steps: [
      'Öffnen Sie Einstellungen, Personen, und drücken Sie neben jemandem, der bearbeitet, die Schaltfläche für die Rechte.',
      'Wählen Sie die Aufgabe: alles bearbeiten oder nur hochladen.',
      'Wählen Sie die Ordner, deren Inhalte, und die Gruppen, deren Bildschirme geändert werden dürfen.',
      'Speichern Sie. Es gilt sofort, auch in offenen Fenstern.',
    ],
    notes: [
      'Wer Gruppen hat, ändert deren Bildschirme und was allein diese zeigen. Eine Playlist, die auch auf einem anderen Bildschirm läuft, ist zum Ansehen da.',
      'Wer Ordner hat, ändert, was in diesen und den Ordnern darin liegt. Was ohne Ordner hochgeladen wird, kommt in den ersten davon.',
      'Wer in einer Gruppe ist, welche Bildschirme es gibt und was alle gemeinsam haben, ändert nur, wessen Rechte allen Bildschirmen gelten.',
      'Wird ein Ordner oder eine Gruppe gelöscht, entfällt beides aus den Rechten. Niemand darf dadurch mehr.',
      'Wer verwaltet, darf immer alles, wer betrachtet, nur ansehen. Zugriffstoken dürfen, was ihr Besitzer darf.',
    ],
  },
  {
    id: 'approval',
    title: 'Nur Freigegebenes veröffentlichen',
    lead: 'Braucht Veröffentlichen in einem Arbeitsbereich eine Freigabe, kommt nichts Neues auf Bildschirme, bevor es jemand gesehen hat, der freigeben darf.',
    steps: [
      'Wer verwaltet, schaltet unter Einstellungen, Arbeitsbereiche „Veröffentlichen braucht eine Freigabe“ ein und legt unter Personen fest, wer freigeben darf.',
      'Wer eine Playlist bearbeitet hat, drückt „Um Freigabe bitten“, auf Wunsch mit einem Wort dazu.',
      'Wer freigibt, findet das unter Meldungen, vergleicht es mit dem, was läuft, und drückt Freigeben oder Ablehnen.',
      'Wer gebeten hat, sieht die Antwort in der Playlist.',
    ],
    notes: [
      'Veröffentlicht wird genau, worum gebeten wurde. Bearbeitet jemand die Playlist inzwischen, muss neu gebeten werden.',
      'Pläne und Bildschirme können ohne Freigabe jede Playlist bekommen: Was sie abspielt, ist freigegeben.',
      'Nachrichten, Inhalte und Widgets, die an einer Playlist vorbei auf Bildschirme kommen, und Änderungen an dem, was Bildschirme zeigen, bleiben denen, die freigeben.',
      'Etwas von Bildschirmen zu nehmen braucht keine Freigabe: löschen, entfernen, eine Nachricht zurückziehen.',
      'In den Versionen einer Playlist steht, wer gebeten und wer freigegeben hat.',
    ],
  },
  {
    id: 'server',
    title: 'Sicherungen und der Server',
    lead: 'Einstellungen, Server zeigt den Zustand des Servers: Laufwerk, Sicherungen, Adressen und Probleme.',
    steps: [
      'Wählen Sie für Sicherungen einen Ordner auf einem anderen Laufwerk. Jede Nacht wird automatisch eine gemacht.',
      'Drücken Sie Jetzt sichern vor großen Änderungen.',
      'Zurück geht es mit Wiederherstellen neben einer Sicherung. Es zeigt, was verloren ginge, und sichert zuerst den jetzigen Stand.',
    ],
    notes: [
      'Eine Warnung ganz oben sagt, was nicht stimmt und was zu tun ist.',
      'Prüfen packt eine Sicherung aus und sieht nach, ob sie sich wiederherstellen ließe.',
      'Der Server kann Personen per Mail benachrichtigen und andere Systeme per Webhook und MQTT.',
    ],
  },
  {
    id: 'updates',
    title: 'Bildschirme aktualisieren',
    lead: 'Bildschirme bekommen eine neue Version des Players von Ihrem Server: erst einer, dann Gruppen, dann alle. Einer, auf dem sie nicht startet, kehrt automatisch zur vorigen Version zurück.',
    steps: [
      'Öffnen Sie Einstellungen, Aktualisierung, und laden Sie die Dateien der Version hoch.',
      'Drücken Sie Verteilen, und wählen Sie den Bildschirm, der sie zuerst bekommt.',
      'Läuft sie dort, folgen die anderen.',
    ],
  },
  {
    id: 'keys',
    title: 'Tastenkürzel',
    lead: 'Alles geht auch ohne Maus.',
    notes: [
      'Strg+K, auf dem Mac ⌘K: suchen und jede Seite öffnen.',
      'Strg+Z und Strg+Umschalt+Z: rückgängig und wiederholen in Layouts und Videowänden.',
      'Pfeiltasten: bewegen Zonen, Bildschirme einer Videowand und Pläne. Der Hinweis dabei sagt, welche Tasten die Größe ändern.',
      'Die Leertaste am Griff eines Eintrags nimmt ihn auf, Pfeiltasten bewegen ihn, die Leertaste legt ihn ab.',
      'Umschalt und ein Klick wählen alles zwischen zweien aus; Esc hebt die Auswahl auf.',
    ],
  },
  {
    id: 'words',
    title: 'Was die Wörter bedeuten',
    lead: 'Begriffe aus Digital Signage, wie Vitrine sie gebraucht.',
    notes: [
      'Inhalt: Bild, Video, Ton, PDF oder Webseite. Eintrag: ein Inhalt oder Widget an seinem Platz in einer Playlist.',
      'Entwurf: was Sie bearbeiten. Veröffentlicht: was Bildschirme spielen.',
      'Plan: Inhalte zu bestimmten Zeiten auf bestimmten Bildschirmen. Spielzeiten: Stunden und Tage, in denen ein Eintrag läuft. Gültigkeit: ab und bis wann Inhalte zu sehen sind.',
      'Layout: wie ein Bildschirm geteilt ist. Zone: ein Teil davon.',
      'Ersatzinhalt: was zu sehen ist, wenn sonst nichts läuft. Priorität: welcher von zwei sich überschneidenden Plänen läuft.',
      'Gruppe: Bildschirme mit derselben Playlist, denselben Plänen und Befehlen. Tag: ein Wort, unter dem man Bildschirme findet.',
      'Videowand: mehrere Bildschirme, die ein Bild zeigen. Rahmen: der Rand zwischen zweien davon. Nachricht: Text oder Bild über dem, was läuft, für eine Weile.',
      'Wiedergabenachweis: was wo und wann zu sehen war, unterschrieben von den Bildschirmen. Arbeitsbereich: Bildschirme, Inhalte und Personen eines Ladens oder einer Abteilung.',
    ],
  },
];
