/**
 * German translations of the sentences that the server and the screens produce. The key is the English sentence, with
 * `{0}`, `{1}` … for its values. The program that sends a sentence may be older or newer than this admin window; a
 * sentence without a translation stays English.
 */
export const sentences: Readonly<Record<string, string>> = {
  // Reasons why a screen does not show a content.
  'the browser of this player has no open page': 'der Browser dieses Players hat keine Seite geöffnet',
  'the browser cannot take a screenshot now': 'der Browser kann gerade kein Bild aufnehmen',
  'the browser has ended': 'der Browser ist beendet',
  'the last check of this computer’s hardware has not ended yet':
    'die letzte Prüfung der Hardware dieses Rechners ist noch nicht beendet',
  'the drivers of this computer did not answer within {0} s':
    'die Treiber dieses Rechners haben binnen {0} s nicht geantwortet',
  'the hardware of this computer could not be checked': 'die Hardware dieses Rechners ließ sich nicht prüfen',
  'the recorded plays in {0} were written by a newer version of this player; update this player':
    'die Wiedergaben in {0} stammen von einer neueren Version dieses Players; aktualisieren Sie diesen Player',
  'the data of the widget is too large': 'die Daten des Widgets sind zu groß',
  'the font for emoji could not be loaded (status {0})': 'die Schrift für Emoji ließ sich nicht laden (Status {0})',
  'the database of recorded plays is closed': 'die Datenbank der Wiedergaben ist geschlossen',
  'Nothing written yet': 'Noch kein Text',
  'No entries yet': 'Noch keine Einträge',
  'Enter the address of a page': 'Geben Sie die Adresse einer Seite ein',
  'Enter the address of a feed': 'Geben Sie die Adresse eines Feeds ein',
  'Waiting for the feed': 'Der Feed wird abgerufen',
  'The feed is empty': 'Der Feed ist leer',
  'Choose a location': 'Wählen Sie einen Ort',
  'Waiting for the first forecast': 'Die erste Vorhersage wird abgerufen',
  'the image cannot be loaded': 'das Bild lässt sich nicht laden',
  'loading took too long': 'das Laden hat zu lange gedauert',
  'the page has nothing to show: {0}': 'die Seite hat nichts zu zeigen: {0}',
  'the page no longer has anything to show: {0}': 'die Seite hat nichts mehr zu zeigen: {0}',
  'the image cannot be read': 'das Bild lässt sich nicht lesen',
  'this version of the player cannot show this kind of content; update the player':
    'diese Version des Players kann diese Art von Inhalt nicht zeigen; aktualisieren Sie den Player',
  'the playback stopped unexpectedly': 'die Wiedergabe ist unerwartet stehen geblieben',
  'the PDF reader did not start': 'der PDF-Leser ist nicht gestartet',
  'the PDF was closed before it was loaded': 'das PDF wurde geschlossen, bevor es geladen war',
  'the video cannot be played': 'das Video lässt sich nicht abspielen',
  'the video file cannot be read': 'die Videodatei lässt sich nicht lesen',
  'the video is damaged: this screen cannot decode it':
    'das Video ist beschädigt: Dieser Bildschirm kann es nicht decodieren',
  'this screen cannot play the format of the video, or the video is damaged':
    'dieser Bildschirm kann das Format des Videos nicht abspielen, oder das Video ist beschädigt',
  'the browser of this screen cannot show this content':
    'der Browser dieses Bildschirms kann diesen Inhalt nicht zeigen',
  'this computer can play the audio of the video, but not its images: convert it to MP4 with H.264':
    'dieser Rechner kann den Ton des Videos abspielen, aber nicht seine Bilder: Wandeln Sie es in MP4 mit H.264 um',

  'the audio cannot be played': 'das Audio lässt sich nicht abspielen',
  'the audio file cannot be read': 'die Audiodatei lässt sich nicht lesen',
  'the audio is damaged: this screen cannot decode it':
    'das Audio ist beschädigt: Dieser Bildschirm kann es nicht decodieren',
  'this screen cannot play the format of the audio, or the audio is damaged':
    'dieser Bildschirm kann das Format des Audios nicht abspielen, oder das Audio ist beschädigt',
  'the player did not run the command: the start of the command could not be saved, so the command would run again after every restart':
    'der Player hat den Befehl nicht ausgeführt: Der Beginn ließ sich nicht speichern, und der Befehl liefe nach jedem Neustart wieder',
  'the address does not begin with http:// or https://': 'die Adresse beginnt nicht mit http:// oder https://',
  'the address does not answer': 'die Adresse antwortet nicht',
  'the address is not a web page': 'die Adresse ist keine Webseite',
  'the address redirects too many times': 'die Adresse leitet zu oft weiter',
  'this player does not trust the certificate of the address':
    'dieser Player vertraut dem Zertifikat der Adresse nicht',
  'the website does not allow other pages to show its page (X-Frame-Options or frame-ancestors)':
    'die Website erlaubt anderen Seiten nicht, ihre Seite zu zeigen (X-Frame-Options oder frame-ancestors)',
  'the page no longer responds: one of its scripts may be in an endless loop':
    'die Seite reagiert nicht mehr: Vielleicht läuft darin ein Skript endlos',
  'the page crashed': 'die Seite ist abgestürzt',
  '{0}; the last image stays on the screen': '{0}; das letzte Bild bleibt auf dem Bildschirm',
  'the content is shown again': 'der Inhalt wird wieder gezeigt',
  'the content continues': 'der Inhalt läuft weiter',
  'the player did not answer': 'der Player hat nicht geantwortet',
  'the PDF is protected by a password': 'das PDF ist mit einem Passwort geschützt',
  'the PDF cannot be read': 'das PDF lässt sich nicht lesen',
  'page {0} of the PDF cannot be drawn': 'Seite {0} des PDFs lässt sich nicht zeichnen',
  'The disk of this player is full: {0}. Free some space on the disk, or show less content on this player.':
    'Das Laufwerk dieses Players ist voll: {0}. Schaffen Sie Platz auf dem Laufwerk, oder zeigen Sie auf diesem Player weniger Inhalte.',
  'The disk of this player has free space again.': 'Das Laufwerk dieses Players hat wieder freien Platz.',
  'new files cannot be downloaded': 'Neue Dateien lassen sich nicht herunterladen',
  'instructions from the server cannot be stored': 'Anweisungen des Servers lassen sich nicht speichern',
  'new plays are only in memory and are lost if the power fails':
    'Neue Wiedergaben sind nur im Arbeitsspeicher und gehen verloren, wenn der Strom ausfällt',
  'the address answers with the error {0}': 'die Adresse antwortet mit dem Fehler {0}',
  'the file is missing on this player': 'die Datei fehlt auf diesem Player',
  'the page cannot be opened while the server cannot be reached':
    'die Seite lässt sich nicht öffnen, solange der Server nicht erreichbar ist',
  'This computer is too slow for transitions: items change without transitions until the player restarts':
    'Dieser Rechner ist zu langsam für Übergänge: Bis zum Neustart des Players wechseln Einträge ohne Übergänge',
  // Sign-in, accounts and people.
  'This e-mail address already has an account. Sign in instead.':
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich damit an.',
  'Registration is closed on this server. Ask its administrator for an invitation, and open the link in it.':
    'Auf diesem Server kann man sich nicht selbst registrieren. Bitten Sie um eine Einladung und öffnen Sie den Link darin.',
  'Your session or token has expired. Sign in again.':
    'Ihre Sitzung oder Ihr Zugangsschlüssel ist abgelaufen. Melden Sie sich neu an.',
  'The owner of this token is no longer a member of the token’s workspace. Use a token of a current member.':
    'Wem dieser Zugangsschlüssel gehört, ist nicht mehr Mitglied seines Arbeitsbereichs. Nehmen Sie einen Zugangsschlüssel eines heutigen Mitglieds.',
  '{0} is set by an environment variable of the server’s computer ({1}). Change the variable there.':
    '{0} ist durch eine Umgebungsvariable auf dem Rechner des Servers festgelegt ({1}). Ändern Sie dort die Variable.',
  'No mail server is configured. Enter one in Settings, Server.':
    'Es ist kein Mailserver eingetragen. Tragen Sie einen unter Einstellungen, Server ein.',
  'Too many people are signing in at this moment. Try again in a few seconds.':
    'Gerade melden sich zu viele an. Versuchen Sie es in ein paar Sekunden noch einmal.',
  'You are not a member of this workspace. Ask one of its administrators for an invitation.':
    'Sie gehören nicht zu diesem Arbeitsbereich. Bitten Sie seine Administration um eine Einladung.',
  'your password is managed by your sign-in provider; change it there':
    'Ihr Passwort wird beim Anmeldedienst verwaltet; ändern Sie es dort',
  'must differ from the password that you were given': 'muss ein anderes sein als das Passwort, das Sie bekommen haben',
  'is wrong': 'ist falsch',
  'This server does not accept sign-ins from this sign-in provider':
    'Dieser Server nimmt Anmeldungen dieses Anmeldedienstes nicht an',
  'There is an account with a password for this e-mail address. Sign in with the password.':
    'Zu dieser E-Mail-Adresse gibt es ein Konto mit Passwort. Melden Sie sich mit dem Passwort an.',
  'This e-mail address is connected to another account at the sign-in provider. An administrator of this server can disconnect that account (People, Accounts).':
    'Diese E-Mail-Adresse ist mit einem anderen Konto beim Anmeldedienst verbunden. Wer diesen Server verwaltet, kann jenes Konto trennen (Personen, Konten).',
  'This sign-in was already used. Sign in again with the sign-in provider.':
    'Diese Anmeldung wurde schon benutzt. Melden Sie sich noch einmal beim Anmeldedienst an.',
  'The first account needs the setup code that the server printed when it started. Enter the code (setup_code), or create the account on the server’s own computer.':
    'Das erste Konto braucht den Einrichtungscode, den der Server beim Start ausgegeben hat. Geben Sie den Code ein (setup_code), oder legen Sie das Konto auf dem Rechner des Servers an.',
  'This is not the setup code that the server printed when it started.':
    'Das ist nicht der Einrichtungscode, den der Server beim Start ausgegeben hat.',
  'too many wrong passwords': 'zu viele falsche Passwörter',
  'wrong password': 'falsches Passwort',
  'a password was used, but this account uses a sign-in provider':
    'Es wurde ein Passwort benutzt, aber dieses Konto läuft über einen Anmeldedienst',
  'a sign-in provider was used, but this account uses a password':
    'Es wurde ein Anmeldedienst benutzt, aber dieses Konto hat ein Passwort',
  'a sign-in provider was used, but this account belongs to headquarters':
    'Es wurde ein Anmeldedienst benutzt, aber dieses Konto gehört zur Zentrale',
  'another account of the sign-in provider was used than the connected one':
    'Beim Anmeldedienst wurde ein anderes Konto benutzt als das verbundene',
  'too many wrong codes': 'zu viele falsche Codes',
  'wrong code': 'falscher Code',
  'This sign-in has expired. Start again with your password.':
    'Diese Anmeldung ist abgelaufen. Beginnen Sie neu mit Ihrem Passwort.',
  'This code is wrong or was used already. Wait for the next one, then try again.':
    'Dieser Code ist falsch oder schon benutzt. Warten Sie auf den nächsten und versuchen Sie es dann noch einmal.',
  'is not the code that the app shows now. Check the time on your phone and on the server.':
    'ist nicht der Code, den die App jetzt zeigt. Prüfen Sie die Uhr des Telefons und des Servers.',
  'is wrong or was used already. Wait for the next one, then try again.':
    'ist falsch oder schon benutzt. Warten Sie auf den nächsten und versuchen Sie es dann noch einmal.',
  'Two-factor sign-in is already on. Turn it off before you set it up again.':
    'Die Anmeldung in zwei Schritten ist schon an. Schalten Sie sie aus, bevor Sie sie neu einrichten.',
  'set up the authenticator app first (POST /api/auth/totp/setup)':
    'richten Sie zuerst die App ein (POST /api/auth/totp/setup)',
  'Change your own password in your account (PUT /api/auth/me)': 'Ihr eigenes Passwort ändern Sie in Ihrem Konto',
  'Two-factor sign-in is only for accounts with a password. Your sign-in provider manages your second factor.':
    'Die Anmeldung in zwei Schritten gibt es nur für Konten mit Passwort. Ihr Anmeldedienst verwaltet den zweiten Schritt.',
  'Two-factor sign-in is not on': 'Die Anmeldung in zwei Schritten ist nicht an',
  'You cannot delete your own account. Another administrator of the server can delete your account.':
    'Ihr eigenes Konto können Sie nicht löschen. Das kann jemand anderes, der den Server verwaltet.',
  '{0} owns {1}, which has other members. Remove those members first, or keep the user.':
    '{0} gehört {1} mit weiteren Mitgliedern. Entfernen Sie zuerst diese Mitglieder, oder behalten Sie das Konto.',
  'you cannot change your own role; ask another administrator of the server':
    'Ihre eigene Rolle können Sie nicht ändern; bitten Sie jemand anderen, der den Server verwaltet',
  'Only an owner of the user’s organization or an administrator of the server can reset this password':
    'Dieses Passwort kann nur zurücksetzen, wem die Organisation dieser Person gehört oder wer den Server verwaltet',
  'This user signs in with a sign-in provider; change the password there':
    'Diese Person meldet sich über einen Anmeldedienst an; ändern Sie das Passwort dort',
  'Only an owner or administrator of the organization may do this':
    'Das darf nur, wem die Organisation gehört oder wer sie verwaltet',
  'Only an owner of the organization may do this': 'Das darf nur, wem die Organisation gehört',
  'This is the organization’s last owner. Make somebody else an owner first.':
    'Das ist die letzte Person, der die Organisation gehört. Übertragen Sie sie erst jemand anderem.',
  'You do not belong to an organization, so you cannot create a workspace':
    'Sie gehören zu keiner Organisation und können darum keinen Arbeitsbereich anlegen',
  'An organization can have at most {0} workspaces. Delete one that is not needed, then try again.':
    'Eine Organisation kann höchstens {0} Arbeitsbereiche haben. Löschen Sie einen unnötigen, und versuchen Sie es dann noch einmal.',
  'Only an owner or administrator of the organization may rename the organization':
    'Umbenennen darf die Organisation nur, wem sie gehört oder wer sie verwaltet',
  'Only an owner or administrator of the organization can delete this workspace. If you are one, switch to a workspace of that organization first.':
    'Diesen Arbeitsbereich kann nur löschen, wem seine Organisation gehört oder wer sie verwaltet. Trifft das auf Sie zu, dann wechseln Sie zuerst in einen Arbeitsbereich dieser Organisation.',
  'The last workspace of an organization cannot be deleted':
    'Der letzte Arbeitsbereich einer Organisation lässt sich nicht löschen',

  'You do not belong to a workspace yet. Ask for an invitation, or create a workspace.':
    'Sie gehören noch zu keinem Arbeitsbereich. Bitten Sie um eine Einladung, oder legen Sie einen an.',
  'Only an administrator of the workspace may do this': 'Das darf nur, wer den Arbeitsbereich verwaltet',
  'Only {0} may do this': 'Das darf nur, wer diese Rolle hat: {0}',
  'must be in the future': 'muss in der Zukunft liegen',
  'Only members of this workspace can create tokens. You see this workspace only as staff of the platform; become a member first.':
    'Zugangsschlüssel erstellen nur Mitglieder dieses Arbeitsbereichs. Sie sehen ihn nur als Verwaltung; werden Sie zuerst Mitglied.',
  'A workspace can have at most {0} tokens. Revoke tokens that are not needed, then try again.':
    'Ein Arbeitsbereich kann höchstens {0} Zugangsschlüssel haben. Ziehen Sie unnötige zurück, und versuchen Sie es dann noch einmal.',
  'This e-mail address already belongs to a member of the workspace':
    'Diese E-Mail-Adresse gehört schon zu einem Mitglied des Arbeitsbereichs',
  'A workspace can have at most {0} pending invitations. Delete some invitations, then try again.':
    'Ein Arbeitsbereich kann höchstens {0} offene Einladungen haben. Löschen Sie einige, und versuchen Sie es dann noch einmal.',
  'This server has sent too many e-mails to this address':
    'Dieser Server hat zu viele E-Mails an diese Adresse gesendet',
  'This link was used, replaced, or is older than 24 hours. Ask for a new one.':
    'Dieser Link wurde benutzt, ersetzt oder ist älter als 24 Stunden. Bitten Sie um einen neuen.',
  'This invitation has expired. Ask for a new invitation.': 'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
  'This invitation is for another e-mail address. Sign in with that address.':
    'Diese Einladung gilt für eine andere E-Mail-Adresse. Melden Sie sich mit jener Adresse an.',
  'The workspace of this invitation no longer exists': 'Den Arbeitsbereich dieser Einladung gibt es nicht mehr',
  'An owner of an organization set your password, so the password works only for that organization. Confirm the password with the link in our e-mail to you, or ask an administrator of the server.':
    'Ihr Passwort wurde vom Inhaber einer Organisation gesetzt; es gilt darum nur für diese Organisation. Bestätigen Sie das Passwort mit dem Link in der E-Mail an Sie, oder fragen Sie die Administration des Servers.',
  // Content, and files from other servers.
  'The file is empty (0 bytes). Copy it again from its source, then upload it.':
    'Die Datei ist leer (0 Byte). Kopieren Sie sie noch einmal vom Ursprung, und laden Sie sie dann hoch.',
  'This {0} image is incomplete: its end is missing. Copy it again from its source, then upload it.':
    'Dieses {0}-Bild ist unvollständig: Sein Ende fehlt. Kopieren Sie es noch einmal vom Ursprung, und laden Sie es dann hoch.',
  'This {0} image is damaged and cannot be opened. Use another copy, or open it in an image editor and save it again.':
    'Dieses {0}-Bild ist beschädigt und lässt sich nicht öffnen. Nehmen Sie eine andere Kopie, oder speichern Sie es in einem Bildprogramm neu.',
  'This video is incomplete: its end is missing. Copy it again from its source, then upload it.':
    'Dieses Video ist unvollständig: Sein Ende fehlt. Kopieren Sie es noch einmal vom Ursprung, und laden Sie es dann hoch.',
  'This video is incomplete: its index (moov) is missing, for example because the recording was interrupted. Copy the video again, or export it again from the program that made it.':
    'Dieses Video ist unvollständig: Sein Verzeichnis (moov) fehlt, etwa weil die Aufnahme abbrach. Kopieren Sie das Video noch einmal, oder exportieren Sie es neu aus dem Programm, aus dem es stammt.',
  'This video or audio file is damaged and cannot be played. Use another copy, or export it again from the program that made it.':
    'Diese Video- oder Audiodatei ist beschädigt und lässt sich nicht abspielen. Nehmen Sie eine andere Kopie, oder exportieren Sie sie neu aus dem Programm, aus dem sie stammt.',
  'This video is damaged: no image can be read from it. Use another copy, or export it again from the program that made it.':
    'Dieses Video ist beschädigt: Es lässt sich kein Bild daraus lesen. Nehmen Sie eine andere Kopie, oder exportieren Sie es neu aus dem Programm, aus dem es stammt.',
  'This PDF is damaged and cannot be opened. Use another copy, or export it again from the program that made it.':
    'Dieses PDF ist beschädigt und lässt sich nicht öffnen. Nehmen Sie eine andere Kopie, oder exportieren Sie es neu aus dem Programm, aus dem es stammt.',
  'This PDF has no pages. Export it again from the program that made it.':
    'Dieses PDF hat keine Seiten. Exportieren Sie es neu aus dem Programm, aus dem es stammt.',
  'This PDF is incomplete: its end is missing. Copy it again from its source, then upload it.':
    'Dieses PDF ist unvollständig: Sein Ende fehlt. Kopieren Sie es noch einmal vom Ursprung, und laden Sie es dann hoch.',
  'This SVG image refers to another file ({0}), which screens do not load. Embed that file in the SVG image, or save the image as PNG.':
    'Dieses SVG-Bild verweist auf eine andere Datei ({0}), die Bildschirme nicht laden. Betten Sie jene Datei in das SVG-Bild ein, oder speichern Sie das Bild als PNG.',
  'This animation is rotated, and it has too many frames ({0}) for the server to turn it upright. Rotate the animation in an image editor, then upload it again.':
    'Diese Animation ist gedreht und hat zu viele Einzelbilder ({0}), als dass der Server sie aufrichten könnte. Drehen Sie die Animation in einem Bildprogramm, und laden Sie sie dann neu hoch.',
  'This image is rotated, and the server could not turn it upright. Rotate the image in an image editor, then upload it again.':
    'Dieses Bild ist gedreht, und der Server konnte es nicht aufrichten. Drehen Sie das Bild in einem Bildprogramm, und laden Sie es dann neu hoch.',
  'the address is a web page that names no feed': 'die Adresse ist eine Webseite, die keinen Feed nennt',
  'The address is a web page, and the feed address on that page ({0}) does not return a feed':
    'Die Adresse ist eine Webseite, und unter der Feed-Adresse auf dieser Seite ({0}) gibt es keinen Feed',
  'the end of the feed is missing, and none of its entries is complete':
    'das Ende des Feeds fehlt, und keiner seiner Einträge ist vollständig',
  'The font has {0} MB; at most 5 MB are allowed. Use WOFF2, or fewer scripts.':
    'Die Schrift hat {0} MB; erlaubt sind höchstens 5 MB. Nehmen Sie WOFF2 oder weniger Schriftsysteme.',
  'The font has {0} characters; at most {1} are allowed. Use fewer scripts.':
    'Die Schrift hat {0} Zeichen; erlaubt sind höchstens {1}. Nehmen Sie weniger Schriftsysteme.',
  'This file is a collection of fonts. Upload one font as TTF, OTF or WOFF2.':
    'Diese Datei ist eine Sammlung von Schriften. Laden Sie eine Schrift als TTF, OTF oder WOFF2 hoch.',
  'This font is a WOFF file. Upload it as WOFF2, TTF or OTF.':
    'Diese Schrift ist eine WOFF-Datei. Laden Sie sie als WOFF2, TTF oder OTF hoch.',
  'This file is not a font. Upload a font as WOFF2, TTF or OTF.':
    'Diese Datei ist keine Schrift. Laden Sie eine Schrift als WOFF2, TTF oder OTF hoch.',
  'This font is damaged. Use another copy, or export it again from the program that made it.':
    'Diese Schrift ist beschädigt. Nehmen Sie eine andere Kopie, oder exportieren Sie sie neu aus dem Programm, das sie erstellt hat.',
  'no answer within {0} ms': 'keine Antwort binnen {0} ms',
  'BYSETPOS needs BYDAY, BYMONTHDAY or BYMONTH': 'BYSETPOS braucht BYDAY, BYMONTHDAY oder BYMONTH',
  'FREQ=WEEKLY cannot have both BYSETPOS and BYMONTH': 'FREQ=WEEKLY kann nicht BYSETPOS und BYMONTH zugleich haben',
  'This PDF is protected by a password. Save it without the password, then upload it.':
    'Dieses PDF ist mit einem Passwort geschützt. Speichern Sie es ohne das Passwort, und laden Sie es dann hoch.',
  'This file has the name of a {0} file, but its content is not: the file is damaged or of another type. Use another copy, or save the file again in the program that made it.':
    'Diese Datei heißt wie eine {0}-Datei, aber ihr Inhalt ist keine: Die Datei ist beschädigt oder von anderer Art. Nehmen Sie eine andere Kopie, oder speichern Sie die Datei neu in dem Programm, aus dem sie stammt.',
  'The file is {0}.': 'Die Datei ist {0}.',
  'a HEIC image, which no screen can show; save it as JPEG':
    'ein HEIC-Bild, das kein Bildschirm zeigen kann; speichern Sie es als JPEG',
  'a TIFF image, which no screen can show; save it as PNG or JPEG':
    'ein TIFF-Bild, das kein Bildschirm zeigen kann; speichern Sie es als PNG oder JPEG',
  'an image of a type that no screen can show ({0}); save it as PNG or JPEG':
    'ein Bild einer Art, die kein Bildschirm zeigen kann ({0}); speichern Sie es als PNG oder JPEG',
  'a video of a type that no screen can play ({0}); convert it to MP4 with H.264':
    'ein Video einer Art, die kein Bildschirm abspielen kann ({0}); wandeln Sie es in MP4 mit H.264 um',
  'an audio file of a type that no screen can play ({0}); convert it to MP3':
    'eine Audiodatei einer Art, die kein Bildschirm abspielen kann ({0}); wandeln Sie sie in MP3 um',
  'an office document ({0}); save it as PDF': 'ein Office-Dokument ({0}); speichern Sie es als PDF',
  'of type {0}, which no screen can show; save it as JPEG, PNG, MP4 or PDF':
    'von der Art {0}, die kein Bildschirm zeigen kann; speichern Sie sie als JPEG, PNG, MP4 oder PDF',
  'of an unknown type; save it as JPEG, PNG, MP4 or PDF':
    'von unbekannter Art; speichern Sie sie als JPEG, PNG, MP4 oder PDF',
  'text; put it into a text widget, or save it as PDF':
    'ein Text; schreiben Sie ihn in ein Text-Widget, oder speichern Sie ihn als PDF',
  'a web page; add it by its address instead': 'eine Webseite; fügen Sie sie mit ihrer Adresse hinzu',
  'The design is larger than {0} kB. Use fewer elements or shorter texts.':
    'Die Gestaltung ist größer als {0} kB. Verwenden Sie weniger Bestandteile oder kürzere Texte.',
  'The design is damaged: it is not valid JSON. Export it again.':
    'Die Gestaltung ist beschädigt: Sie ist kein gültiges JSON. Exportieren Sie sie noch einmal.',
  'The design was made by a newer version of Vitrine. Update this server, then try again.':
    'Die Gestaltung stammt aus einer neueren Version von Vitrine. Aktualisieren Sie diesen Server und versuchen Sie es dann noch einmal.',
  'The drawing is larger than 16 MB; save it as PNG.': 'Die Zeichnung ist größer als 16 MB; speichern Sie sie als PNG.',
  'The image has {0} megapixels ({1} × {2}); {3} {4}. A 4K screen needs 8: make the image smaller.':
    'Das Bild hat {0} Megapixel ({1} × {2}); {3} {4}. Ein 4K-Bildschirm braucht 8: Verkleinern Sie das Bild.',
  'screens can show at most': 'Bildschirme zeigen höchstens',
  'for AVIF images the limit is': 'bei AVIF-Bildern ist die Grenze',
  'Screens cannot play this video’s codec ({0}); convert it to MP4 with H.264.':
    'Bildschirme können den Codec dieses Videos nicht abspielen ({0}); wandeln Sie es in MP4 mit H.264 um.',
  'Screens cannot play the codec of this audio file ({0}); convert it to MP3.':
    'Bildschirme können den Codec dieser Audiodatei nicht abspielen ({0}); wandeln Sie sie in MP3 um.',
  'screens cannot show files of the type {0}': 'Bildschirme können Dateien des Typs {0} nicht zeigen',
  '{0} does not fit content of the kind {1}; send a media type of the kind {2}':
    '{0} passt nicht zu Inhalten der Art {1}; senden Sie einen Medientyp der Art {2}',
  'this content is an uploaded file and has no address; to change the file, use “Replace”':
    'dieser Inhalt ist eine hochgeladene Datei und hat keine Adresse; um die Datei zu ändern, benutzen Sie „Ersetzen“',
  'The file could not be read ({0}).': 'Die Datei ließ sich nicht lesen ({0}).',
  'The file has {0} bytes, more than this server accepts': 'Die Datei hat {0} Byte, mehr als dieser Server annimmt',
  '{0} sends a file of more than {1} bytes, the limit for this download':
    '{0} sendet eine Datei von mehr als {1} Byte, der Grenze für diesen Abruf',
  '{0} answered with the status {1}': '{0} antwortete mit dem Status {1}',
  'The file has no SHA-256 hash as its name': 'Der Name der Datei ist kein SHA-256-Wert',
  '{0} ended its answer too early': '{0} hat die Antwort zu früh beendet',
  '{0} sends too slowly': '{0} sendet zu langsam',
  'is not the address of a video on YouTube, Vimeo or Dailymotion. Open the video, and copy the address from there.':
    'ist nicht die Adresse eines Videos bei YouTube, Vimeo oder Dailymotion. Öffnen Sie das Video und kopieren Sie die Adresse von dort.',
  'must be an address like https://example.com/picture.jpg': 'muss eine Adresse sein wie https://example.com/bild.jpg',
  'must begin with http:// or https://': 'muss mit http:// oder https:// beginnen',
  'must not contain a user name or password': 'darf weder Benutzernamen noch Passwort enthalten',
  '{0} is an address in your own network or a reserved address. An administrator can allow this host (Settings, Server).':
    '{0} ist eine Adresse im eigenen Netz oder eine reservierte Adresse. Die Administration kann diesen Rechner freigeben (Einstellungen, Server).',
  'timed out': 'keine Antwort in der erlaubten Zeit',
  'no address': 'keine Adresse',
  'The file is larger than {0}, the limit of this server': 'Die Datei ist größer als {0}, die Grenze dieses Servers',
  'The upload was interrupted, and the file is incomplete. Upload it again.':
    'Das Hochladen wurde unterbrochen, und die Datei ist unvollständig. Laden Sie sie noch einmal hoch.',
  'A stored file has become shorter': 'Eine gespeicherte Datei ist kürzer geworden',
  'The media folder of the server was removed while the file was being saved. Upload the file again.':
    'Der Medienordner des Servers verschwand, während die Datei gespeichert wurde. Laden Sie die Datei noch einmal hoch.',
  'a folder cannot be moved into itself or into one of its subfolders':
    'ein Ordner lässt sich nicht in sich selbst oder in einen seiner Unterordner verschieben',
  'The feed takes too long to read': 'Der Feed braucht zum Lesen zu lange',
  'This is not a feed ({0})': 'Das ist kein Feed ({0})',
  'The image is too large': 'Das Bild ist zu groß',
  'This image type cannot be shown': 'Diese Art von Bild lässt sich nicht zeigen',
  'The weather service did not send a forecast': 'Der Wetterdienst hat keine Vorhersage gesendet',
  'The weather service does not know the place “{0}”. Check the spelling.':
    'Der Wetterdienst kennt den Ort „{0}“ nicht. Prüfen Sie die Schreibweise.',
  'must not be nested more than {0} levels deep': 'darf höchstens {0} Ebenen tief sein',
  'must be at most {0} KiB': 'darf höchstens {0} KiB groß sein',
  'The script of the page {0} contains </script> or <!--, which a script must not contain':
    'Das Skript der Seite {0} enthält </script> oder <!--, was in einem Skript nicht stehen darf',
  // Screens and groups.
  '{0} would have more than {1} tags. Remove some tags of this screen first.':
    '{0} hätte mehr als {1} Tags. Entfernen Sie erst einige Tags dieses Bildschirms.',
  'There is no screenshot of this screen yet': 'Von diesem Bildschirm gibt es noch kein Bild',
  'This screen is in contact with more than one server. To connect the screen to this server, enter the code that the screen shows.':
    'Dieser Bildschirm hat Kontakt zu mehr als einem Server. Um ihn mit diesem Server zu verbinden, geben Sie den Code ein, den er zeigt.',
  'No screen has this code. Codes change every 15 minutes. Check the screen and enter the code again.':
    'Kein Bildschirm hat diesen Code. Codes wechseln alle 15 Minuten. Sehen Sie noch einmal nach, und geben Sie den Code erneut ein.',
  'On a hosted server, a screen can be connected only with the code that the screen shows. Enter that code.':
    'Auf einem gemieteten Server lässt sich ein Bildschirm nur mit dem Code verbinden, den er zeigt. Geben Sie diesen Code ein.',
  'The group {0} contains all screens with the tags {1}. Change the tags of the screen, or remove the rule of the group.':
    'Zur Gruppe {0} gehören alle Bildschirme mit den Tags {1}. Ändern Sie die Tags des Bildschirms, oder entfernen Sie die Regel der Gruppe.',
  'Each of the {0} schedules of {1} would become {2} schedules, one for each screen. A workspace can have at most {3} schedules. Delete the schedules of the group first, or move them to another group.':
    'Aus jedem der {0} Pläne von {1} würden {2} Pläne, einer für jeden Bildschirm. Ein Arbeitsbereich kann höchstens {3} Pläne haben. Löschen Sie zuerst die Pläne der Gruppe, oder geben Sie sie einer anderen Gruppe.',
  '{0} of the {1} screens got the content. The other screens did not get the content: {2}':
    '{0} der {1} Bildschirme haben den Inhalt bekommen. Die anderen haben ihn nicht bekommen: {2}',
  'a screen or group can have at most {0} schedules': 'ein Bildschirm oder eine Gruppe kann höchstens {0} Pläne haben',
  // Plans, playlists, layouts, walls.
  'must be the id of an image that is stored on this server':
    'muss die Id eines Bildes sein, das auf diesem Server gespeichert ist',
  // Brand.
  'must be an image of this workspace': 'muss ein Bild dieses Arbeitsbereichs sein',
  'must be a day that exists, like 2026-12-24': 'muss ein Tag sein, den es gibt, wie 2026-12-24',
  'must be a date-time that exists, like 2026-12-24T09:00':
    'muss ein Zeitpunkt sein, den es gibt, wie 2026-12-24T09:00',
  'with these tags, the plans would need more than the {0} schedules that a workspace can have. Delete plans that are not needed, or plan for a group instead of a tag.':
    'mit diesen Tags bräuchten die Planungen mehr als die {0} Pläne, die ein Arbeitsbereich haben kann. Löschen Sie unnötige Pläne, oder planen Sie für eine Gruppe statt für ein Tag.',
  'send at least one of content_id, widget_id, layout_id and playlist_id':
    'mindestens eines wird gebraucht: Inhalt, Widget, Layout oder Playlist',
  'send exactly one of content_id and widget_id': 'genau eines wird gebraucht: Inhalt oder Widget',
  'send exactly one of device_id and group_id': 'genau eines wird gebraucht: Bildschirm oder Gruppe',
  'send content_id or playlist_id; send null to remove the content or playlist':
    'senden Sie content_id oder playlist_id; senden Sie null, um Inhalt oder Playlist zu entfernen',
  'must name at least one alert': 'muss mindestens eine Meldung nennen',
  'must be at most {0} alerts': 'dürfen höchstens {0} Meldungen sein',
  'must be a time in epoch seconds': 'muss ein Zeitpunkt in Sekunden sein',
  'alerts of the kind {0} have no threshold': 'Meldungen der Art {0} haben keinen Schwellenwert',
  'With the restored plans, the workspace would have more than the {0} schedules that it can have.':
    'Mit den wiederhergestellten Plänen hätte der Arbeitsbereich mehr als die {0} Pläne, die er haben kann.',
  'Delete plans that are not needed, then try the restore again.':
    'Löschen Sie unnötige Pläne, und versuchen Sie das Wiederherstellen dann noch einmal.',
  '{0} already exists, so it cannot be restored': '{0} gibt es schon und lässt sich darum nicht wiederherstellen',
  'The screens and groups of the plan {0} no longer exist. Create a new plan.':
    'Die Bildschirme und Gruppen des Plans {0} gibt es nicht mehr. Legen Sie einen neuen Plan an.',
  'The content {0} was deleted, too. Restore the content first, then this file.':
    'Auch der Inhalt {0} ist gelöscht. Stellen Sie zuerst den Inhalt wieder her, dann diese Datei.',
  'You already have {0} views. Delete a view that you do not need, then try again.':
    'Sie haben schon {0} Ansichten. Löschen Sie eine, die Sie nicht brauchen, und versuchen Sie es dann noch einmal.',
  'must be names of letters and underscores, like status':
    'müssen Namen aus Buchstaben und Unterstrichen sein, wie status',

  'must be the ids of playlist items': 'müssen Ids von Einträgen der Playlist sein',
  'must be after start_time': 'muss nach dem Beginn liegen',
  'must not be before start_time': 'darf nicht vor dem Beginn liegen',
  'more than {0} repetitions would run at the same time, because each repetition lasts from start_time to end_time. Set end_time to the end of the first repetition, and recurrence_end to the last day.':
    'mehr als {0} Wiederholungen liefen gleichzeitig, denn jede dauert vom Beginn (start_time) bis zum Ende (end_time). Setzen Sie end_time auf das Ende der ersten Wiederholung und recurrence_end auf den letzten Tag.',
  'A workspace can have at most {0} schedules: each plan counts once for each of its screens and groups. Delete plans that are not needed, or plan for groups instead of screens.':
    'Ein Arbeitsbereich kann höchstens {0} Pläne haben: Jede Planung zählt einmal für jeden Bildschirm und jede Gruppe. Löschen Sie unnötige, oder planen Sie für Gruppen statt für Bildschirme.',
  'A workspace can have at most {0} {1}s': 'Ein Arbeitsbereich kann davon höchstens {0} haben',
  'This playlist was never published, so it has no published version to return to':
    'Diese Playlist wurde nie veröffentlicht; darum gibt es keine veröffentlichte Fassung, zu der sie zurückkehren könnte',
  'send exactly one of content_id, playlist_id and layout_id':
    'nennen Sie genau eines von content_id, playlist_id und layout_id',
  'A playlist can have at most {0} items. Delete items that are not needed, or use another playlist.':
    'Eine Playlist kann höchstens {0} Einträge haben. Löschen Sie unnötige Einträge, oder nehmen Sie eine andere Playlist.',
  'must contain the id of each of the playlist’s {0} items exactly once':
    'muss die Id jedes der {0} Einträge der Playlist genau einmal enthalten',
  'A layout can have at most {0} zones': 'Ein Layout kann höchstens {0} Zonen haben',
  'is the id of a zone that is already in this list': 'ist die Id einer Zone, die schon in dieser Liste steht',
  'Templates cannot be changed. Duplicate the template, then change the copy.':
    'Vorlagen lassen sich nicht ändern. Duplizieren Sie die Vorlage, und ändern Sie dann die Kopie.',
  'must be a screen of the video wall; add screens to the new video wall first':
    'muss ein Bildschirm der Videowand sein; fügen Sie der neuen Videowand erst Bildschirme hinzu',
  'must be a screen of the video wall': 'muss ein Bildschirm der Videowand sein',
  'The screen {0} would be outside the grid. Move the screen to another cell first.':
    'Der Bildschirm {0} läge außerhalb des Rasters. Verschieben Sie ihn zuerst in ein anderes Feld.',
  'cell {0}, {1} is outside the grid of {2} × {3}': 'Feld {0}, {1} liegt außerhalb des Rasters von {2} × {3}',
  'is the id of a screen that is already in this list': 'ist die Id eines Bildschirms, der schon in dieser Liste steht',
  'the cell {0} already has another screen': 'das Feld {0} hat schon einen anderen Bildschirm',
  'must be after valid_from': 'muss nach dem Beginn liegen',
  'this screen has more than {0} scheduled times in this week; the limit was reached at the schedule “{1}”. Delete schedules that are not needed.':
    'dieser Bildschirm hat in dieser Woche mehr als {0} Termine; die Grenze wurde beim Plan „{1}“ erreicht. Löschen Sie unnötige Pläne.',
  // Import and export, reports, backups, the server.
  'The export has {0} {1}; an import accepts at most {2}. Nothing was changed.':
    'Der Export hat {0} {1}; ein Import nimmt höchstens {2}. Nichts wurde geändert.',
  'The unpacked files of the export have {0}; for an upload of this size an import accepts at most {1}. Nothing was changed.':
    'Ausgepackt haben die Dateien des Exports {0}; bei dieser Größe des Hochgeladenen nimmt ein Import höchstens {1} an. Nichts wurde geändert.',
  'The export of this workspace needs too much time or memory. Try again when the server is less busy.':
    'Der Export dieses Arbeitsbereichs braucht zu viel Zeit oder Speicher. Versuchen Sie es, wenn der Server weniger zu tun hat.',
  'The content {0} was not imported: {1}': 'Der Inhalt {0} wurde nicht importiert: {1}',
  'The widget {0} was not imported: {1}': 'Das Widget {0} wurde nicht importiert: {1}',
  'The kiosk page {0} was not imported: {1}': 'Die Kioskseite {0} wurde nicht importiert: {1}',
  'The layout {0} was not imported: {1}': 'Das Layout {0} wurde nicht importiert: {1}',
  'The playlist {0} was not imported: {1}': 'Die Playlist {0} wurde nicht importiert: {1}',
  'An item of the playlist {0} was not imported: {1}': 'Ein Eintrag der Playlist {0} wurde nicht importiert: {1}',
  '{0} items of the playlist {1} were not imported: {2}': '{0} Einträge der Playlist {1} wurden nicht importiert: {2}',
  'The playlist {0} was imported, but not published: {1}':
    'Die Playlist {0} wurde importiert, aber nicht veröffentlicht: {1}',
  'The group {0} was not imported: {1}': 'Die Gruppe {0} wurde nicht importiert: {1}',
  'The schedule {0} was not imported: {1}': 'Der Plan {0} wurde nicht importiert: {1}',
  'The item {0} was not imported: {1}': 'Der Eintrag {0} wurde nicht importiert: {1}',
  'the layout has {0} zones; a layout can have at most {1}':
    'das Layout hat {0} Zonen; ein Layout kann höchstens {1} haben',
  'the playlist has {0} items; a playlist can have at most {1}':
    'die Playlist hat {0} Einträge; eine Playlist kann höchstens {1} haben',
  'the item has {0} play times; an item can have at most {1}':
    'der Eintrag hat {0} Spielzeiten; ein Eintrag kann höchstens {1} haben',
  'the file has {0}, more than the {1} that this server accepts':
    'die Datei hat {0}, mehr als die {1}, die dieser Server annimmt',
  'the entry is larger than {0}': 'der Eintrag ist größer als {0}',
  'the unpacked file would be {0} times as large as the packed file; the limit is {1} times':
    'ausgepackt wäre die Datei {0}-mal so groß wie gepackt; die Grenze ist das {1}-fache',
  'the file is not in the export': 'die Datei ist nicht im Export',
  'their content or widget was not imported': 'ihr Inhalt oder Widget wurde nicht importiert',
  'there is no screen named {0}': 'es gibt keinen Bildschirm namens {0}',
  'the schedule has no screen or group on this server':
    'der Plan hat keinen Bildschirm und keine Gruppe auf diesem Server',
  'The server is stopping, so the import ended early. Entries imported so far are kept. Send the same file again to continue.':
    'Der Server hält an, deshalb endete der Import vorzeitig. Bisher Importiertes bleibt. Senden Sie dieselbe Datei noch einmal, um fortzufahren.',
  'Another import into this workspace is still running. Wait until it is finished, then try again.':
    'Ein anderer Import in diesen Arbeitsbereich läuft noch. Warten Sie, bis er fertig ist, und versuchen Sie es dann noch einmal.',
  'The server is busy with other imports': 'Der Server ist mit anderen Importen beschäftigt',
  'The connection was lost, so the import ended early. Entries imported so far are kept. Send the same file again to continue.':
    'Die Verbindung ging verloren, deshalb endete der Import vorzeitig. Bisher Importiertes bleibt. Senden Sie dieselbe Datei noch einmal, um fortzufahren.',
  'This file is not an export. Send a ZIP from Vitrine, or a ZIP or JSON from screentinker.':
    'Diese Datei ist kein Export. Senden Sie ein ZIP von Vitrine oder ein ZIP oder JSON von screentinker.',
  'The JSON file of the export is larger than {0}, the limit of an import. Nothing was changed.':
    'Die JSON-Datei des Exports ist größer als {0}, die Grenze eines Imports. Nichts wurde geändert.',
  '{0}. Nothing was changed.': '{0}. Nichts wurde geändert.',
  'The JSON file of the export has {0} values; an import accepts at most {1}. Nothing was changed.':
    'Die JSON-Datei des Exports hat {0} Werte; ein Import nimmt höchstens {1}. Nichts wurde geändert.',
  'The JSON file of the export is nested {0} levels deep; an import accepts at most {1}. Nothing was changed.':
    'Die JSON-Datei des Exports ist {0} Ebenen tief; ein Import nimmt höchstens {1}. Nichts wurde geändert.',
  'This export was made by a newer version of Vitrine, or is damaged':
    'Dieser Export stammt von einer neueren Version von Vitrine oder ist beschädigt',
  'This export takes too long to read. Nothing was changed.':
    'Dieser Export braucht zum Lesen zu lange. Nichts wurde geändert.',
  'This export needs more memory than an import may use. Nothing was changed.':
    'Dieser Export braucht mehr Speicher, als ein Import haben darf. Nichts wurde geändert.',
  'The export was closed': 'Der Export wurde geschlossen',
  'The ZIP is damaged ({0})': 'Das ZIP ist beschädigt ({0})',
  'The ZIP has an entry whose name is longer than {0} bytes':
    'Das ZIP hat einen Eintrag, dessen Name länger als {0} Byte ist',
  'The ZIP has {0} entries; an import accepts at most {1}': 'Das ZIP hat {0} Einträge; ein Import nimmt höchstens {1}',
  'The ZIP has entries that overlap': 'Das ZIP hat Einträge, die sich überschneiden',
  'The ZIP has two entries of the same name': 'Das ZIP hat zwei Einträge mit demselben Namen',
  'the file is encrypted or packed with an unsupported method':
    'die Datei ist verschlüsselt oder mit einem unbekannten Verfahren gepackt',
  'the unpacked file is larger than the ZIP states': 'die ausgepackte Datei ist größer, als das ZIP angibt',
  'the file in the ZIP is damaged': 'die Datei im ZIP ist beschädigt',
  'the file overlaps another file in the ZIP': 'die Datei überschneidet sich mit einer anderen Datei im ZIP',
  'must not be before start': 'darf nicht vor dem Beginn liegen',
  'must be after start': 'muss nach dem Beginn liegen',
  'must be an ISO date or date-time like 2026-03-01 or 2026-03-01T09:00:00Z':
    'muss ein Datum oder Zeitpunkt sein wie 2026-03-01 oder 2026-03-01T09:00:00Z',
  'The server is busy with other reports': 'Der Server ist mit anderen Berichten beschäftigt',
  'This report takes too long. Ask for a shorter period.':
    'Dieser Bericht braucht zu lange. Wählen Sie einen kürzeren Zeitraum.',
  'Too many exports are running': 'Gerade laufen zu viele Exporte',
  'No file of {0} for screens has a signature. Upload also the .sig files that the build created next to its files.':
    'Keine Datei von {0} für Bildschirme hat eine Signatur. Laden Sie auch die .sig-Dateien hoch, die beim Bauen neben den Dateien entstanden sind.',
  'Another rollout is running. Finish or abort that rollout first.':
    'Eine andere Verteilung läuft. Beenden Sie jene Verteilung zuerst, oder brechen Sie sie ab.',
  'This is not possible, because the rollout is {0}': 'Das ist nicht möglich; der Stand der Verteilung ist: {0}',
  'this file is not a signature; send the unchanged {0} file from the build, which has 128 hexadecimal digits':
    'diese Datei ist keine Signatur; senden Sie die unveränderte {0}-Datei, die beim Bauen entstand; sie hat 128 hexadezimale Ziffern',
  'A rollout of {0} is running, so the files of this version cannot be changed. Finish or abort the rollout first.':
    'Eine Verteilung von {0} läuft, darum lassen sich die Dateien dieser Version nicht ändern. Beenden Sie die Verteilung zuerst, oder brechen Sie sie ab.',
  '{0} is not on this server. Upload that file first, then its signature.':
    '{0} ist nicht auf diesem Server. Laden Sie zuerst jene Datei hoch, dann ihre Signatur.',
  'this signature does not belong to the uploaded file {0} and the publisher of this server; build the file and its signature again, then upload both unchanged':
    'diese Signatur gehört nicht zur hochgeladenen Datei {0} und zum Herausgeber dieses Servers; bauen Sie Datei und Signatur neu, und laden Sie beide unverändert hoch',
  'A rollout of {0} is running. Abort the rollout first.':
    'Eine Verteilung von {0} läuft. Brechen Sie die Verteilung zuerst ab.',
  '{0} is an unsigned development build; screens install only releases, which are packaged with a release key':
    '{0} ist ein Entwicklungsstand ohne Signatur; Bildschirme installieren nur Versionen, die mit einem Schlüssel gepackt sind',
  'the name {0} is not the name of a release file; keep the name from the build, like Vitrine-1.2.0-linux-x64.tar.gz':
    'der Name {0} ist nicht der einer Versionsdatei; behalten Sie den Namen vom Bauen, etwa Vitrine-1.2.0-linux-x64.tar.gz',
  'the certificate and the key do not belong together; use the key of this certificate':
    'Zertifikat und Schlüssel gehören nicht zusammen; nehmen Sie den Schlüssel zu diesem Zertifikat',
  'The server is still creating its certificate. Try again in a moment.':
    'Der Server erstellt sein Zertifikat noch. Versuchen Sie es gleich noch einmal.',
  'The backup folder {0} does not exist. Check whether its disk is connected.':
    'Der Ordner der Sicherungen {0} ist nicht vorhanden. Prüfen Sie, ob sein Laufwerk angeschlossen ist.',
  'The file name {0} is too long for a backup': 'Der Dateiname {0} ist zu lang für eine Sicherung',
  'This server cannot restart itself.': 'Dieser Server kann sich nicht selbst neu starten.',
  'Stop the server, then use "vitrine restore".': 'Halten Sie den Server an, und benutzen Sie dann „vitrine restore“.',
  'A backup is being restored.': 'Eine Sicherung wird gerade wiederhergestellt.',
  'A backup is being restored. The server answers again in a moment. Screens keep playing.':
    'Eine Sicherung wird wiederhergestellt. Der Server antwortet gleich wieder. Die Bildschirme spielen weiter.',
  'The server restarts in a moment.': 'Der Server startet gleich neu.',
  'The backup was made by a newer version of Vitrine ({0}).':
    'Die Sicherung stammt von einer neueren Version von Vitrine ({0}).',
  'Install that version first.': 'Installieren Sie erst diese Version.',
  'The disk has too little free space for unpacking: {0} MB are needed, {1} MB are free.':
    'Das Laufwerk hat zum Auspacken zu wenig freien Platz: {0} MB werden gebraucht, {1} MB sind frei.',
  'The database of the backup was changed outside of Vitrine: {0}.':
    'Die Datenbank der Sicherung wurde außerhalb von Vitrine verändert: {0}.',
  'Use an unchanged backup.': 'Nehmen Sie eine unveränderte Sicherung.',
  'The database of the backup is damaged ({0}).': 'Die Datenbank der Sicherung ist beschädigt ({0}).',
  'Try an older backup.': 'Nehmen Sie eine ältere Sicherung.',
  'A backup is already running. Wait until it is finished.':
    'Eine Sicherung läuft schon. Warten Sie, bis sie fertig ist.',
  'no answer in {0} s': 'keine Antwort in {0} s',
  'The clock has changed since this page was loaded. Reload the page and check it again.':
    'Die Uhr hat sich geändert, seit diese Seite geladen wurde. Laden Sie die Seite neu, und prüfen Sie sie noch einmal.',
  'must be the complete address; {0} is only a placeholder for the hidden part of the current address':
    'muss die ganze Adresse sein; {0} ist nur ein Platzhalter für den verborgenen Teil der jetzigen Adresse',
  'The server cannot be reached': 'Der Server ist nicht zu erreichen',
  'The server answered with the status {0}': 'Der Server antwortete mit dem Status {0}',
  'The server is starting': 'Der Server startet',
  'The server is stopping': 'Der Server hält an',
  '{0} not found': '{0} nicht gefunden',
  // Conversions of contents.
  'An original file of this content was not found': 'Eine Originaldatei dieses Inhalts wurde nicht gefunden',
  'Only video and audio files can be converted. {0} is another kind of content.':
    'Nur Video- und Audiodateien lassen sich umwandeln. {0} ist eine andere Art von Inhalt.',
  'The server has not downloaded the file of this address yet. Convert the file when the server has a copy.':
    'Der Server hat die Datei dieser Adresse noch nicht heruntergeladen. Wandeln Sie die Datei um, sobald der Server eine Kopie hat.',
  'ffmpeg is not installed on the server’s computer. Install ffmpeg, then convert again.':
    'ffmpeg ist auf dem Rechner des Servers nicht installiert. Installieren Sie ffmpeg, und starten Sie die Umwandlung erneut.',
  'The ffmpeg on the server’s computer cannot write H.264. Install an ffmpeg with libx264, then convert again.':
    'Das ffmpeg auf dem Rechner des Servers kann kein H.264 schreiben. Installieren Sie ein ffmpeg mit libx264, und starten Sie die Umwandlung erneut.',
  '{0} conversions are waiting already. Try again later.':
    '{0} Umwandlungen warten bereits. Versuchen Sie es später noch einmal.',
  'ffmpeg could not convert this file. Its message is in the log of the server. Convert the file on another computer, then replace it here.':
    'ffmpeg konnte diese Datei nicht umwandeln. Die Meldung von ffmpeg steht im Protokoll des Servers. Wandeln Sie die Datei auf einem anderen Rechner um, und ersetzen Sie sie hier.',
  'The person who started the conversion signed out before the conversion was finished. Start the conversion again.':
    'Die Person, die die Umwandlung gestartet hat, hat sich vor dem Ende abgemeldet. Starten Sie die Umwandlung erneut.',
  'The conversion was stopped after {0} minutes. Convert the file on a faster computer, then replace it here.':
    'Die Umwandlung wurde nach {0} Minuten beendet. Wandeln Sie die Datei auf einem schnelleren Rechner um, und ersetzen Sie sie hier.',
  '{0} was changed by somebody else in the meantime. Reload, then repeat your change.':
    '{0}: inzwischen von jemand anderem geändert. Laden Sie neu, und wiederholen Sie Ihre Änderung.',
  '{0}. Try again in {1} s.': '{0}. Versuchen Sie es in {1} s noch einmal.',
  'Too many requests': 'Zu viele Anfragen',
  'The server’s disk is full. Nothing was changed. Free some space, then try again.':
    'Das Laufwerk des Servers ist voll. Nichts wurde geändert. Schaffen Sie Platz und versuchen Sie es dann noch einmal.',
  'The server’s disk is failing and cannot be read or written. Nothing was changed. Screens keep playing. Have the disk checked.':
    'Das Laufwerk des Servers versagt und lässt sich nicht lesen oder beschreiben. Nichts wurde geändert. Die Bildschirme spielen weiter. Lassen Sie das Laufwerk prüfen.',
  'The server’s disk failed while your change was being saved. Your change may be lost. Check the result when the disk works again.':
    'Das Laufwerk des Servers versagte, während Ihre Änderung gespeichert wurde. Vielleicht ist sie verloren. Prüfen Sie das Ergebnis, sobald das Laufwerk wieder geht.',
  'This address has expired. Load the page again.': 'Diese Adresse ist abgelaufen. Laden Sie die Seite neu.',
  'The task was interrupted. Try again.': 'Der Vorgang wurde unterbrochen. Versuchen Sie es noch einmal.',
  // Problems of the server, and their solutions.
  'The disk is full ({0} free).': 'Das Laufwerk ist voll ({0} frei).',
  'Screens keep playing, but nothing new can be saved.':
    'Die Bildschirme spielen weiter, aber nichts Neues lässt sich speichern.',
  'The disk is getting full: {0} are free.': 'Das Laufwerk wird voll: {0} sind frei.',
  'At the current rate, the disk is full in {0} days.': 'Geht es so weiter, ist das Laufwerk in {0} Tagen voll.',
  '{0} MB are unused media and versions (folders media-aside and updates-aside). The server deletes them automatically, the oldest first.':
    '{0} MB sind unbenutzte Inhalte und Versionen (Ordner media-aside und updates-aside). Der Server löscht sie automatisch, die ältesten zuerst.',
  'The server’s disk is getting full: {0} are free.': 'Das Laufwerk des Servers wird voll: {0} sind frei.',
  'The server’s disk is getting full: {0} are free, enough for {1} days.':
    'Das Laufwerk des Servers wird voll: {0} sind frei, genug für {1} Tage.',
  'Delete content that is no longer used, or give the server a larger disk.':
    'Löschen Sie Inhalte, die niemand mehr braucht, oder geben Sie dem Server ein größeres Laufwerk.',
  'The server’s disk is full ({0} free).': 'Das Laufwerk des Servers ist voll ({0} frei).',
  'Free some space now.': 'Schaffen Sie jetzt Platz.',
  'The server’s disk has free space again ({0}).': 'Das Laufwerk des Servers hat wieder freien Platz ({0}).',
  'The database is damaged ({0}).': 'Die Datenbank ist beschädigt ({0}).',
  'Screens keep playing, and older backups are kept.':
    'Die Bildschirme spielen weiter, und ältere Sicherungen bleiben erhalten.',
  'Stop the server and restore the newest good backup: "vitrine doctor" names it.':
    'Halten Sie den Server an, und stellen Sie die neueste gute Sicherung wieder her: „vitrine doctor“ nennt sie.',
  'The clock of this computer shows {0}, but it should show {1}.':
    'Die Uhr dieses Rechners zeigt {0}, müsste aber {1} zeigen.',
  'The clock of this computer shows {0}, but it should show {1} or somewhat later.':
    'Die Uhr dieses Rechners zeigt {0}, müsste aber {1} oder etwas später zeigen.',
  'Until the server can trust the clock again, the server deletes no old data and no backups, and plays stay on the screens.':
    'Bis der Server der Uhr wieder trauen kann, löscht der Server keine alten Daten und keine Sicherungen, und Wiedergaben bleiben auf den Bildschirmen.',
  'Set the clock, or confirm that it is right.': 'Stellen Sie die Uhr, oder bestätigen Sie, dass sie richtig geht.',
  'This server has renewed its certificate authority.': 'Dieser Server hat seine Zertifizierungsstelle erneuert.',
  'The previous certificate, which is installed in browsers, expires on {0}. Before that day, install the new certificate in the browsers (Server, HTTPS, “Download the certificate”).':
    'Das bisherige Zertifikat, das in Browsern installiert ist, läuft am {0} ab. Installieren Sie vorher das neue Zertifikat in den Browsern (Server, Verschlüsselung, „Zertifikat herunterladen“).',
  'The previous certificate, which is installed in browsers, expired on {0}. Install the new certificate in the browsers (Server, HTTPS, “Download the certificate”).':
    'Das bisherige Zertifikat, das in Browsern installiert ist, lief am {0} ab. Installieren Sie das neue Zertifikat in den Browsern (Server, Verschlüsselung, „Zertifikat herunterladen“).',
  'Screens get the new certificate automatically.': 'Bildschirme bekommen das neue Zertifikat automatisch.',
  'The HTTPS certificate of this server expires on {0}.': 'Das HTTPS-Zertifikat dieses Servers läuft am {0} ab.',
  'The HTTPS certificate of this server expired on {0}.': 'Das HTTPS-Zertifikat dieses Servers lief am {0} ab.',
  'Replace the certificate file with a new certificate; the server reads the file again automatically.':
    'Ersetzen Sie die Datei durch ein neues Zertifikat; der Server liest die Datei automatisch neu.',
  'ffmpeg was not found.': 'ffmpeg wurde nicht gefunden.',
  'Videos can still be uploaded and played, but they have no thumbnail and cannot be converted.':
    'Videos lassen sich trotzdem hochladen und abspielen, haben aber keine Vorschau und lassen sich nicht umwandeln.',
  'Install ffmpeg on this computer.': 'Installieren Sie ffmpeg auf diesem Rechner.',
  'The rollout of {0} stopped: {1}': 'Die Verteilung von {0} wurde angehalten: {1}',
  'The newest backup failed.': 'Die neueste Sicherung ist fehlgeschlagen.',
  'The newest backup is more than three days old.': 'Die neueste Sicherung ist mehr als drei Tage alt.',
  '{0} media file is missing from the disk: {1}.': '{0} Mediendatei fehlt auf dem Laufwerk: {1}.',
  '{0} media files are missing from the disk: {1}.': '{0} Mediendateien fehlen auf dem Laufwerk: {1}.',
  '{0} media file is damaged: {1}.': '{0} Mediendatei ist beschädigt: {1}.',
  '{0} media files are damaged: {1}.': '{0} Mediendateien sind beschädigt: {1}.',
  '{0} and {1} more': '{0} und {1} weitere',
  'Screens that have these files keep playing them.': 'Bildschirme, die diese Dateien haben, spielen sie weiter.',
  'The server is searching the backups for these files.': 'Der Server sucht diese Dateien in den Sicherungen.',
  'No connected backup has undamaged copies of these files.':
    'Keine angeschlossene Sicherung hat unbeschädigte Kopien dieser Dateien.',
  'Upload the files again with "Replace", or connect the disk of an older backup.':
    'Laden Sie die Dateien mit „Ersetzen“ neu hoch, oder schließen Sie das Laufwerk einer älteren Sicherung an.',
  '{0} file of the backups in {1} is damaged: the disk may be failing.':
    '{0} Datei der Sicherungen in {1} ist beschädigt: Vielleicht versagt das Laufwerk.',
  '{0} files of the backups in {1} are damaged: the disk may be failing.':
    '{0} Dateien der Sicherungen in {1} sind beschädigt: Vielleicht versagt das Laufwerk.',
  'The next backup replaces the damaged files that the server still has. Also make backups on another disk.':
    'Die nächste Sicherung ersetzt die beschädigten Dateien, die der Server noch hat. Sichern Sie auch auf ein anderes Laufwerk.',
  'The file keys/secrets.key is missing, so two-factor sign-in with an authenticator app does not work.':
    'Die Datei keys/secrets.key fehlt, darum geht die Anmeldung in zwei Schritten mit einer App nicht.',
  'Restore the file from a backup ("vitrine restore FILE --keys-only"). Recovery codes still work.':
    'Stellen Sie die Datei aus einer Sicherung wieder her („vitrine restore FILE --keys-only“). Wiederherstellungscodes gelten weiter.',
  'The file keys/server.json, the key that screens trust, is missing.':
    'Die Datei keys/server.json fehlt: der Schlüssel, dem die Bildschirme vertrauen.',
  'The server still runs, but cannot start again without this file. Restore the file from a backup now ("vitrine restore FILE --keys-only").':
    'Der Server läuft noch, kann ohne diese Datei aber nicht wieder starten. Stellen Sie die Datei jetzt aus einer Sicherung wieder her („vitrine restore FILE --keys-only“).',
  'E-mails cannot be delivered. {0}': 'E-Mails lassen sich nicht zustellen. {0}',
  'The webhook cannot be reached. {0}': 'Der Webhook ist nicht zu erreichen. {0}',
  'The MQTT broker cannot be reached. {0}': 'Der MQTT-Broker ist nicht zu erreichen. {0}',
  'Not connected yet': 'Noch nicht verbunden',
  'The connection was closed': 'Die Verbindung wurde geschlossen',
  'No MQTT broker is configured': 'Es ist kein MQTT-Broker eingetragen',
  'Not connected': 'Nicht verbunden',
  'The server’s disk is failing: the database cannot be written or read ({0}).':
    'Das Laufwerk des Servers versagt: Die Datenbank lässt sich nicht beschreiben oder lesen ({0}).',
  'Screens keep playing their content, but nothing can be saved.':
    'Die Bildschirme spielen ihre Inhalte weiter, aber nichts lässt sich speichern.',
  'Have the disk checked now, and keep the newest backup safe.':
    'Lassen Sie das Laufwerk jetzt prüfen, und verwahren Sie die neueste Sicherung gut.',
  '{0}: the disk is full.': '{0}: Das Laufwerk ist voll.',
  'Free some space, then try again.': 'Schaffen Sie Platz, und versuchen Sie es dann noch einmal.',
  '{0} cannot be written ({1}): the disk or the file is read-only.':
    '{0} lässt sich nicht beschreiben ({1}): Laufwerk oder Datei sind schreibgeschützt.',
  'Make the disk or file writable, or choose another folder.':
    'Machen Sie Laufwerk oder Datei beschreibbar, oder wählen Sie einen anderen Ordner.',
  // Rules that values must fulfil.
  'is required': 'wird gebraucht',
  'is missing': 'fehlt',
  'must be text': 'muss Text sein',
  'must be a number': 'muss eine Zahl sein',
  'must be a list': 'muss eine Liste sein',
  'must be an object': 'muss ein Objekt sein',
  'must be true or false': 'muss ja oder nein sein',
  'must be 0, 1, true or false': 'muss ja oder nein sein',
  'Send either ids, for single alerts, or kind, for all alerts of one kind':
    'Senden Sie entweder ids für einzelne Meldungen oder kind für alle Meldungen einer Art',
  'Send either taken or assigned_to, not both': 'Senden Sie entweder taken oder assigned_to, nicht beides',
  'must be a member of this workspace': 'muss zu diesem Arbeitsbereich gehören',
  'must be an administrator of the server, because some of these alerts are about the server':
    'muss den Server verwalten, denn einige dieser Meldungen betreffen den Server',
  'must be the code at the end of the link': 'muss der Code am Ende des Links sein',
  'must be a whole number': 'muss eine ganze Zahl sein',
  'must be whole numbers': 'müssen ganze Zahlen sein',
  'must be a whole number of seconds': 'muss eine ganze Zahl von Sekunden sein',
  'must be a whole number of milliseconds': 'muss eine ganze Zahl von Millisekunden sein',
  'must be given together with {0}': 'muss zusammen mit {0} angegeben werden',
  'must be {0} to {1}': 'muss zwischen {0} und {1} liegen',
  'must be at most {0}': 'darf höchstens {0} sein',
  'must be at least {0}': 'muss mindestens {0} sein',
  'must not be negative': 'darf nicht negativ sein',
  'must be at most {0} characters': 'darf höchstens {0} Zeichen haben',
  'must be at most {0} characters each': 'dürfen je höchstens {0} Zeichen haben',
  'must be at least {0} characters': 'muss mindestens {0} Zeichen haben',
  'must be at most {0} bytes': 'darf höchstens {0} Byte haben',
  'must be at most {0} tags': 'dürfen höchstens {0} Tags sein',
  'must be at most {0} screens': 'dürfen höchstens {0} Bildschirme sein',
  'must be at most {0} targets': 'dürfen höchstens {0} Ziele sein',
  'must be at most {0} zones': 'dürfen höchstens {0} Zonen sein',
  'must be at most {0} blocks': 'dürfen höchstens {0} Zeiten sein',
  'must be at most {0} groups': 'dürfen höchstens {0} Gruppen sein',
  'must have at most {0} entries': 'darf höchstens {0} Einträge haben',
  'must contain at least one change: a field to set, or a group to add or remove':
    'muss mindestens eine Änderung enthalten: ein Feld, das gesetzt wird, oder eine Gruppe, die dazukommt oder wegfällt',
  'must contain each screen only once': 'darf jeden Bildschirm nur einmal enthalten',
  'You already have a view with the name {0}. Choose another name, or delete that view first.':
    'Sie haben schon eine Ansicht mit dem Namen {0}. Wählen Sie einen anderen Namen, oder löschen Sie zuerst jene Ansicht.',
  'must name at least one screen': 'muss mindestens einen Bildschirm nennen',
  'must name at least one screen, group or tag': 'muss mindestens einen Bildschirm, eine Gruppe oder ein Tag nennen',
  'must name at least one screen, group or tag, or all':
    'muss mindestens einen Bildschirm, eine Gruppe oder ein Tag nennen, oder alle',
  'must name at least one day': 'muss mindestens einen Tag nennen',
  'must not be empty': 'darf nicht leer sein',
  'must not be empty without a title or an image': 'darf ohne Titel und Bild nicht leer sein',
  'must not contain control characters': 'darf keine Steuerzeichen enthalten',
  'must be one line': 'muss eine einzige Zeile sein',
  'must be one of {0}': 'muss eines davon sein: {0}',
  'must be {0} or {1}': 'muss {0} oder {1} sein',
  'must be cover, contain or fill': 'muss cover, contain oder fill sein',
  'must be image or web': 'muss image oder web sein',
  'must be top-left, top-right, bottom-left, bottom-right or center':
    'muss top-left, top-right, bottom-left, bottom-right oder center sein',
  'must be clock or leader': 'muss clock oder leader sein',
  'must be a media type like image/jpeg': 'muss ein Medientyp sein wie image/jpeg',
  'must be an IANA time zone like Europe/Berlin': 'muss eine Zeitzone sein wie Europe/Berlin',
  'must be a colour like #3B82F6': 'muss eine Farbe sein wie #3B82F6',
  'must be a colour like #000000 or #000000FF': 'muss eine Farbe sein wie #000000 oder #000000FF',
  'must be a time like {0}': 'muss eine Uhrzeit sein wie {0}',
  'must be a time like 17:30, or 24:00': 'muss eine Uhrzeit sein wie 17:30, oder 24:00',
  'must be a date like 2026-12-24': 'muss ein Datum sein wie 2026-12-24',
  'must be a date-time like 2026-12-24T09:00': 'muss ein Zeitpunkt sein wie 2026-12-24T09:00',
  'must be a day that exists': 'muss ein Tag sein, den es gibt',
  'must be a minute like 2026-12-24T18:00': 'muss ein Zeitpunkt sein wie 2026-12-24T18:00',
  'must be a minute that exists': 'muss ein Zeitpunkt sein, den es gibt',
  'must not be before start_date': 'darf nicht vor dem ersten Tag liegen',
  'must not be the same time as start': 'darf nicht derselbe Zeitpunkt sein wie der Beginn',
  'must be an address that begins with http:// or https://':
    'muss eine Adresse sein, die mit http:// oder https:// beginnt',
  'must be an address that begins with http:// or https://, or an image as data:image/…;base64,':
    'muss eine Adresse sein, die mit http:// oder https:// beginnt, oder ein Bild als data:image/…;base64,',
  'must be empty or an address that begins with {0}': 'muss leer sein oder eine Adresse, die mit {0} beginnt',
  'must be empty or an address that begins with https://, without a user name or password':
    'muss leer sein oder eine Adresse, die mit https:// beginnt, ohne Benutzernamen und Passwort',
  'must be empty, or an address like store@example.com': 'muss leer sein oder eine Adresse wie laden@example.com',
  'must be names like signage.example.com, without http:// and port':
    'müssen Namen sein wie anzeige.example.com, ohne http:// und Port',
  'must be host names or addresses, each like nas.local or 192.168.1.5:8080':
    'müssen Rechnernamen oder Adressen sein, jeweils wie nas.local oder 192.168.1.5:8080',
  'must be a host name or an address': 'muss ein Rechnername oder eine Adresse sein',
  'must be a topic without spaces, # and +': 'muss ein Thema ohne Leerzeichen, # und + sein',
  // Errors in the rule of a repetition.
  'FREQ is missing': 'FREQ fehlt',
  'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY, not {0}':
    'FREQ muss DAILY, WEEKLY, MONTHLY oder YEARLY sein, nicht {0}',
  'COUNT and UNTIL cannot be used together; remove one of them':
    'COUNT und UNTIL lassen sich nicht zusammen benutzen; entfernen Sie eines davon',
  'BYMONTHDAY cannot be used with FREQ=WEEKLY': 'BYMONTHDAY lässt sich nicht mit FREQ=WEEKLY benutzen',
  '"{0}" is not NAME=VALUE': '„{0}“ ist nicht NAME=WERT',
  '{0} is not supported': '{0} wird nicht unterstützt',
  '{0} is given twice': '{0} ist doppelt angegeben',
  '{0} must be a whole number from 1 to 999999, not {1}': '{0} muss eine ganze Zahl von 1 bis 999999 sein, nicht {1}',
  '{0} must be {1}1 to {2}, not {3}': '{0} muss zwischen {1}1 und {2} liegen, nicht {3}',
  '{0} must be one of {1}, not {2}': '{0} muss eines davon sein: {1}; nicht {2}',
  'BYDAY must contain weekdays like MO or -1FR, not {0}': 'BYDAY muss Wochentage wie MO oder -1FR enthalten, nicht {0}',
  'BYDAY={0} needs FREQ=MONTHLY or YEARLY': 'BYDAY={0} braucht FREQ=MONTHLY oder YEARLY',
  'UNTIL must be a date (20261231) or date-time (20261231T235959Z), not {0}':
    'UNTIL muss ein Datum (20261231) oder Zeitpunkt (20261231T235959Z) sein, nicht {0}',
  // Rights of members, and approval.
  'You can only add and change content, and create folders for it.':
    'Sie können nur Inhalte hinzufügen und ändern und Ordner für sie anlegen.',
  'You can change content only in the folders {0}. This is in another folder.':
    'Sie können Inhalte nur in den Ordnern {0} ändern. Das hier liegt anderswo.',
  'The folders for which you have rights no longer exist. Ask an administrator of the workspace for new rights.':
    'Die Ordner, für die Sie Rechte haben, gibt es nicht mehr. Bitten Sie die Administration des Arbeitsbereichs um neue.',
  'The content of this folder would move to a place where you cannot change it. Move or delete the content first, then the folder.':
    'Die Inhalte dieses Ordners kämen dorthin, wo Sie sie nicht ändern können. Verschieben oder löschen Sie sie zuerst, dann den Ordner.',
  'Somebody else deleted this. Ask an administrator of the workspace to restore it.':
    'Das hat jemand anderes gelöscht. Bitten Sie die Administration des Arbeitsbereichs, es wiederherzustellen.',
  'You can change only the screens of {0}. Only people with rights for all screens can add or remove screens and change groups.':
    'Sie können nur die Bildschirme von {0} ändern. Bildschirme hinzufügen oder entfernen und Gruppen ändern können nur Personen mit Rechten für alle Bildschirme.',
  'You can change only the screens of {0}. This affects other screens, too.':
    'Sie können nur die Bildschirme von {0} ändern. Das betrifft auch andere.',
  'You can change only the screens of {0}. Other screens can have the tag {1}, too.':
    'Sie können nur die Bildschirme von {0} ändern. Auch andere Bildschirme können das Tag {1} haben.',
  'You can change only the screens of {0}. The tag {1} adds screens to a group, so you cannot change it.':
    'Sie können nur die Bildschirme von {0} ändern. Der Tag {1} ordnet Bildschirme einer Gruppe zu, deshalb können Sie ihn nicht ändern.',
  'You can change only the screens of {0}. {1} is not in these groups.':
    'Sie können nur die Bildschirme von {0} ändern. {1} ist nicht in diesen Gruppen.',
  'You can change only the groups {0}, not {1}.': 'Sie können nur die Gruppen {0} ändern, nicht {1}.',
  'You can change only the screens of {0}. {1} is also on {2}.':
    'Sie können nur die Bildschirme von {0} ändern. {1} läuft auch auf {2}.',
  'The groups for which you have rights no longer exist. Ask an administrator of the workspace for new rights.':
    'Die Gruppen, für die Sie Rechte haben, gibt es nicht mehr. Bitten Sie die Administration des Arbeitsbereichs um neue.',
  'Your rights in this workspace do not include this action. Ask an administrator of the workspace.':
    'Dafür reichen Ihre Rechte in diesem Arbeitsbereich nicht. Fragen Sie die Administration des Arbeitsbereichs.',
  'Only approvers can do this.': 'Das kann nur, wer freigeben darf.',
  'Publishing needs approval here. Add this to a playlist and ask for approval, or ask an approver to do it.':
    'Veröffentlichen braucht hier eine Freigabe. Nehmen Sie es in eine Playlist auf und bitten Sie um Freigabe, oder bitten Sie jemanden, der freigeben darf.',
  'Publishing needs approval here. Plan a playlist instead of a single content item or widget, or ask an approver to do it.':
    'Veröffentlichen braucht hier eine Freigabe. Planen Sie eine Playlist statt eines einzelnen Inhalts oder Widgets, oder bitten Sie jemanden, der freigeben darf.',
  '{0} is on screens or waiting for approval, so only approvers can change it. Add new content to a playlist instead, or ask an approver to change it.':
    '{0} ist auf Bildschirmen oder wartet auf Freigabe, deshalb kann es nur ändern, wer freigeben darf. Nehmen Sie stattdessen einen neuen Inhalt in eine Playlist auf, oder bitten Sie jemanden, der freigeben darf.',
  '{0} is part of the design “{1}”, which is on screens or waiting for approval, so only approvers can change it. Ask an approver to change it.':
    '{0} gehört zur Gestaltung „{1}“. Sie ist auf Bildschirmen oder wartet auf Freigabe, deshalb kann es nur ändern, wer freigeben darf. Bitten Sie jemanden, der freigeben darf.',
  '{0} is part of the design “{1}”, which is on screens or waiting for approval, so only approvers can restore it. Ask an approver to restore it.':
    '{0} gehört zur Gestaltung „{1}“. Sie ist auf Bildschirmen oder wartet auf Freigabe, deshalb kann es nur wiederherstellen, wer freigeben darf. Bitten Sie jemanden, der freigeben darf.',
  '{0} is part of the design “{1}”, which is on screens or can return to them. You can replace, expire and delete only uploads that no screen shows. Ask an administrator of the workspace.':
    '{0} gehört zur Gestaltung „{1}“. Sie ist auf Bildschirmen oder kann dorthin zurückkehren. Ersetzen, befristen und löschen können Sie nur, was kein Bildschirm zeigt. Fragen Sie die Administration des Arbeitsbereichs.',
  'Somebody else added {0}. You can replace, expire and delete only your own uploads. Ask an administrator of the workspace.':
    'Jemand anderes hat {0} hinzugefügt. Ersetzen, befristen und löschen können Sie nur, was Sie selbst hochgeladen haben. Fragen Sie die Administration des Arbeitsbereichs.',
  '{0} is on screens or can return to them. You can replace, expire and delete only uploads that no screen shows. Ask an administrator of the workspace.':
    '{0} ist auf Bildschirmen oder kann dorthin zurückkehren. Ersetzen, befristen und löschen können Sie nur, was kein Bildschirm zeigt. Fragen Sie die Administration des Arbeitsbereichs.',
  '{0} was on screens with {1}, which is in the bin and can be restored, so only approvers can change it. Add new content to a playlist instead, or ask an approver to change it.':
    '{0} war mit {1} auf Bildschirmen. Das liegt im Papierkorb und lässt sich wiederherstellen, deshalb kann es nur ändern, wer freigeben darf. Nehmen Sie stattdessen einen neuen Inhalt in eine Playlist auf, oder bitten Sie jemanden, der freigeben darf.',
  '{0} is the playlist of the screen {1} only. Every edit of this playlist is published at once, so only approvers can edit it. Use another playlist and ask for approval, or ask an approver to edit this playlist.':
    '{0} ist die Playlist nur des Bildschirms {1}. Jede Änderung daran wird sofort veröffentlicht, deshalb kann sie nur bearbeiten, wer freigeben darf. Nehmen Sie eine andere Playlist und bitten Sie um Freigabe, oder bitten Sie jemanden, der freigeben darf.',
  'The content of the playlist has changed since approval was requested: {0}. Approval has to be requested again.':
    'Der Inhalt der Playlist wurde geändert, seit um Freigabe gebeten wurde: {0}. Um Freigabe muss erneut gebeten werden.',
  'The campaign or its content has changed since approval was requested. Ask the requester to start it again, or withdraw the request and start the campaign yourself.':
    'Die Kampagne oder ihr Inhalt wurde geändert, seit um Freigabe gebeten wurde. Wer darum gebeten hat, muss sie erneut starten; oder ziehen Sie die Bitte zurück und starten Sie die Kampagne selbst.',
  'Publishing needs no approval in this workspace. Publish it yourself.':
    'Veröffentlichen braucht in diesem Arbeitsbereich keine Freigabe. Veröffentlichen Sie es selbst.',
  'This playlist has no changes to publish. Screens already show its current version.':
    'Diese Playlist hat keine Änderungen zu veröffentlichen. Bildschirme zeigen schon ihre jetzige Fassung.',
  '{0} already asked for approval. Wait for the answer.':
    '{0} hat schon um Freigabe gebeten. Warten Sie auf die Antwort.',
  'Only {0} can withdraw this request. Approvers can refuse it.':
    'Zurückziehen kann diese Bitte nur {0}. Wer freigeben darf, kann sie ablehnen.',
  'The playlist has been edited since approval was requested. Ask for a new request, so that you approve the current version.':
    'Die Playlist wurde bearbeitet, seit um Freigabe gebeten wurde. Verlangen Sie eine neue Bitte, damit Sie die jetzige Fassung freigeben.',
  'Only approvers and administrators can answer this request.':
    'Diese Bitte beantworten können nur Mitglieder, die freigeben, und wer den Arbeitsbereich verwaltet.',
  'This request was withdrawn or replaced by a new one.':
    'Diese Bitte wurde zurückgezogen oder durch eine neue ersetzt.',
  '{0} has already answered this request.': '{0} hat diese Bitte schon beantwortet.',
  // Backups: faults, and backups of other servers.
  'Another backup is being uploaded. Wait until it is finished.':
    'Eine andere Sicherung wird gerade hochgeladen. Warten Sie, bis sie fertig ist.',
  'This backup is already on the server: {0}.': 'Diese Sicherung ist schon auf dem Server: {0}.',
  'The file is empty and contains no backup.': 'Die Datei ist leer und enthält keine Sicherung.',
  'The file': 'Die Datei',
  '{0} is not a Vitrine backup, or is damaged': '{0} ist keine Sicherung von Vitrine, oder sie ist beschädigt',
  '{0} is incomplete: the end of the backup is missing': '{0} ist unvollständig: Das Ende der Sicherung fehlt',
  '{0} is damaged': '{0} ist beschädigt',
  '{0} does not exist': '{0} ist nicht vorhanden',
  '{0} is incomplete, because writing the backup was interrupted. Use another backup.':
    '{0} ist unvollständig, denn das Schreiben der Sicherung wurde unterbrochen. Nehmen Sie eine andere Sicherung.',
  '{0} contains {1}, which does not belong in a backup': '{0} enthält {1}, was nicht in eine Sicherung gehört',
  '{0} contains {1} twice': '{0} enthält {1} doppelt',
  '{0} contains a key file that is too large': '{0} enthält eine Schlüsseldatei, die zu groß ist',
  '{0} contains more files than a backup can have': '{0} enthält mehr Dateien, als eine Sicherung haben kann',
  '{0} does not contain the key {1}': 'In {0} fehlt der Schlüssel {1}',
  'The database in {0} is damaged': 'Die Datenbank darin ist beschädigt ({0})',
  'The database in {0} is damaged: {1} has other content than when the backup was made':
    'Die Datenbank von {0} ist beschädigt: {1} hat einen anderen Inhalt als bei der Sicherung',
  '{0} keeps its database in the folder "database" next to it, where {1} file is missing.':
    '{0} hat seine Datenbank im Ordner „database“ daneben, und dort fehlt {1} Datei.',
  '{0} keeps its database in the folder "database" next to it, where {1} files are missing.':
    '{0} hat seine Datenbank im Ordner „database“ daneben, und dort fehlen {1} Dateien.',
  'Copy the whole folder of backups, or download the backup as one file.':
    'Kopieren Sie den ganzen Ordner der Sicherungen, oder laden Sie die Sicherung als eine Datei herunter.',
  '{0} has become shorter since the backup began': '{0} ist seit Beginn der Sicherung kürzer geworden',
  '{0} returns different content each time it is read. Check the disk.':
    '{0} liefert bei jedem Lesen einen anderen Inhalt. Prüfen Sie das Laufwerk.',
  'The media file {0} in {1} is damaged': 'Die Mediendatei {0} in {1} ist beschädigt',
  '{0} was made by a newer version of Vitrine. Restore it with that version.':
    '{0} stammt von einer neueren Version von Vitrine. Stellen Sie sie mit dieser Version wieder her.',
  'The database of the backup is not a Vitrine database.': 'Die Datenbank der Sicherung ist keine von Vitrine.',
  'The database of the backup does not match the description of the backup.':
    'Die Datenbank der Sicherung passt nicht zur Beschreibung der Sicherung.',
  'The server key in the backup is missing or damaged.':
    'Der Server-Schlüssel in der Sicherung fehlt oder ist beschädigt.',
  'The database and the server key of the backup do not belong together.':
    'Datenbank und Server-Schlüssel der Sicherung gehören nicht zusammen.',
  'The disk is full: the backup could not be uploaded to {0}.':
    'Das Laufwerk ist voll: Die Sicherung ließ sich nicht nach {0} hochladen.',
  'There is too little space in {0}: the backup needs {1}, {2} are free.':
    'In {0} ist zu wenig Platz: Die Sicherung braucht {1}, {2} sind frei.',
  'Free another {0}.': 'Schaffen Sie Platz für weitere {0}.',
  'You signed in more than 15 minutes ago. Sign in again, then repeat this.':
    'Sie haben sich vor mehr als 15 Minuten angemeldet. Melden Sie sich neu an, und tun Sie es dann noch einmal.',
  'This report has too many different programs. Ask for a shorter period or fewer screens.':
    'Dieser Bericht hat zu viele verschiedene Programme. Wählen Sie einen kürzeren Zeitraum oder weniger Bildschirme.',
  // New versions.
  'Version {0} is not on this server. Upload the files of this version first.':
    'Version {0} ist nicht auf diesem Server. Laden Sie zuerst die Dateien dieser Version hoch.',
  'this file has no release notes; send the unchanged file from the build':
    'diese Datei enthält keine Hinweise zu einer Version; senden Sie die unveränderte Datei, die beim Bauen entstand',
  'these release notes have no valid signature of this server’s publisher; send the unchanged file from the build':
    'diese Hinweise haben keine gültige Signatur des Herausgebers dieses Servers; senden Sie die unveränderte Datei, die beim Bauen entstand',
  'This server was not started by a launcher, so nothing would restart it after the update. Start it with npm start or as a service.':
    'Dieser Server wurde nicht von einem Starter gestartet, deshalb würde ihn nach der Aktualisierung nichts wieder starten. Starten Sie ihn mit npm start oder als Dienst.',
  'Version {0} is not newer than the running version {1}.': 'Version {0} ist nicht neuer als die laufende Version {1}.',
  'Version {0} has no signed file for this server: {1}.':
    'Zu Version {0} fehlt die signierte Datei für diesen Server: {1}.',
  'Another version is being installed. Wait until the installation is finished.':
    'Eine andere Version wird gerade eingespielt. Warten Sie, bis das fertig ist.',
  'This server has no earlier version to return to.':
    'Dieser Server hat keine frühere Version, zu der Sie zurückkönnten.',
  'The backup from before the update no longer exists. Without that backup the server cannot return to the earlier version, because the earlier version cannot read the current data.':
    'Die Sicherung von vor der Aktualisierung gibt es nicht mehr. Ohne sie kann der Server nicht zur früheren Version zurück, denn diese kann die jetzigen Daten nicht lesen.',
  '{0} does not match the signature of this server’s publisher. Upload the file again.':
    '{0} passt nicht zur Signatur des Herausgebers dieses Servers. Laden Sie die Datei noch einmal hoch.',
  'Version {0} could not be unpacked: {1}': 'Version {0} ließ sich nicht auspacken: {1}',
  'Version {0} contains no server for this computer.': 'In Version {0} ist kein Server für diesen Rechner.',
  'Version {0} does not run on this computer.': 'Version {0} läuft auf diesem Rechner nicht.',
  'Version {0} contains another Node, which the firewall of this computer does not allow yet. Install this version with its installer.':
    'Version {0} enthält ein anderes Node, das die Firewall dieses Rechners noch nicht erlaubt. Spielen Sie diese Version mit ihrem Installationsprogramm ein.',
  'This server runs from unsigned source code, so it cannot install releases. Fetch the new source code, then restart the server.':
    'Dieser Server läuft aus Quelltexten ohne Signatur und kann darum keine Versionen installieren. Holen Sie die neuen Quelltexte, und starten Sie den Server neu.',
  'This server is an unsigned development build, so it cannot install releases. Install a release over this server.':
    'Dieser Server ist ein Entwicklungsstand ohne Signatur und kann darum keine Versionen installieren. Installieren Sie eine Version über diesen Server.',
  'This server was installed as a system package. Update the server with the package manager of the system.':
    'Dieser Server wurde als Paket des Systems installiert. Aktualisieren Sie ihn mit der Paketverwaltung des Systems.',
  'This server is not a service of the computer, so nothing would restart it.':
    'Dieser Server ist kein Dienst des Rechners, deshalb würde ihn nichts wieder starten.',
  'the version did not start': 'die Version ist nicht gestartet',
  'the version was not started': 'die Version wurde nicht gestartet',
  'the program ended with {0}': 'das Programm endete mit {0}',
  'the version did not answer in time': 'die Version antwortete nicht rechtzeitig',
  'the version stopped answering': 'die Version antwortete nicht mehr',
  'the files of the version are incomplete on the disk':
    'die Dateien der Version liegen nicht vollständig auf dem Laufwerk',
  'the file {0} of the version is damaged': 'die Datei {0} der Version ist beschädigt',
  'the files of the version cannot be read: {0}': 'die Dateien der Version lassen sich nicht lesen: {0}',
  'the version contains no program for this computer': 'die Version enthält kein Programm für diesen Rechner',
  // Sentences about the database of plays.
  'The database of plays cannot be reached. Headquarters tries again automatically. See its log for the cause.':
    'Die Datenbank der Wiedergaben ist nicht erreichbar. Die Zentrale versucht es automatisch weiter. Die Ursache steht in ihrem Protokoll.',
  'Another headquarters is using the database of plays. This headquarters takes over when the other one ends.':
    'Eine andere Zentrale nutzt die Datenbank der Wiedergaben. Diese Zentrale übernimmt, wenn die andere endet.',
  'The database of plays took too long. Try again, or ask for fewer days or stores.':
    'Die Datenbank der Wiedergaben hat zu lange gebraucht. Versuchen Sie es noch einmal, oder fragen Sie nach weniger Tagen oder Filialen.',
  'The disk of the database of plays is full. Nothing was changed. Free some space there, then try again.':
    'Das Laufwerk der Datenbank der Wiedergaben ist voll. Nichts wurde geändert. Schaffen Sie dort Platz und versuchen Sie es dann noch einmal.',
  'The database of plays cannot be used. {0}': 'Die Datenbank der Wiedergaben lässt sich nicht nutzen. {0}',
  'The database runs PostgreSQL {0}. Vitrine needs PostgreSQL 15 or newer.':
    'Die Datenbank läuft mit PostgreSQL {0}. Vitrine braucht PostgreSQL 15 oder neuer.',
  'The database has the encoding {0}. Create a database with UTF8: createdb --encoding UTF8 --template template0 NAME':
    'Die Datenbank hat die Zeichenkodierung {0}. Legen Sie eine mit UTF8 an: createdb --encoding UTF8 --template template0 NAME',
  'The database is a read-only standby. Enter the address of the primary database.':
    'Die Datenbank ist eine Kopie, die nur gelesen werden kann. Geben Sie die Adresse der führenden Datenbank an.',
  'A newer version of Vitrine has changed the database. Start that newer version.':
    'Eine neuere Version von Vitrine hat die Datenbank verändert. Starten Sie diese neuere Version.',
  'The database belongs to another headquarters, whose key has the fingerprint {0}. Use a separate database for each headquarters.':
    'Die Datenbank gehört einer anderen Zentrale; deren Schlüssel hat den Fingerabdruck {0}. Geben Sie jeder Zentrale eine eigene Datenbank.',
  'The database is not the one that contains the plays of this headquarters. Enter the address of that database. If that database is lost, run vitrine hq move; stores then send the plays again that they still have.':
    'Die Datenbank ist nicht die mit den Wiedergaben dieser Zentrale. Geben Sie die Adresse jener Datenbank an. Ist sie verloren, führen Sie vitrine hq move aus; die Filialen schicken dann die Wiedergaben noch einmal, die sie noch haben.',
  'The plays of this headquarters are still in its data folder. Stop headquarters, then move the plays: vitrine hq move':
    'Die Wiedergaben dieser Zentrale sind noch in ihrem Datenordner. Beenden Sie die Zentrale, und ziehen Sie dann die Wiedergaben um: vitrine hq move',
  'An earlier change of the database is still running. Headquarters checks again in a moment.':
    'Eine frühere Änderung der Datenbank läuft noch. Die Zentrale sieht gleich noch einmal nach.',
  'Another program stored plays of this store at the same time.':
    'Ein anderes Programm hat zur selben Zeit Wiedergaben dieser Filiale gespeichert.',
  '{0} Plays stay on the server of the store until then.':
    '{0} Bis dahin bleiben die Wiedergaben auf dem Server der Filiale.',
  'The single plays of {0} are not on this computer, because headquarters was restored without its folder “chain”. The totals are complete. Put the folder back, or exclude this store.':
    'Die einzelnen Wiedergaben von {0} sind nicht auf diesem Rechner, denn die Zentrale wurde ohne ihren Ordner „chain“ wiederhergestellt. Die Summen sind vollständig. Legen Sie den Ordner zurück, oder lassen Sie diese Filiale weg.',
  'Headquarters does not answer at {0}: {1}.': 'Unter {0} antwortet keine Zentrale: {1}.',
  'Headquarters does not answer: {0}.': 'Die Zentrale antwortet nicht: {0}.',
  'Headquarters answers with the error {0}.': 'Die Zentrale antwortet mit dem Fehler {0}.',
  'Headquarters sent an answer that this version of Vitrine does not understand. Update Vitrine on this server.':
    'Die Zentrale hat eine Antwort geschickt, die diese Version von Vitrine nicht versteht. Aktualisieren Sie Vitrine auf diesem Server.',
  'Headquarters at {0} does not use HTTPS. Turn on HTTPS there, then try again.':
    'Die Zentrale unter {0} nutzt kein HTTPS. Schalten Sie HTTPS dort ein, und versuchen Sie es dann noch einmal.',
  'The server at {0} is not the expected headquarters. Nothing was sent to that server.':
    'Der Server unter {0} ist nicht die erwartete Zentrale. An ihn wurde nichts gesendet.',
  'The connection between this server and headquarters is intercepted. Ask the administrator of your network.':
    'Jemand greift in die Verbindung zwischen diesem Server und der Zentrale ein. Fragen Sie die Administration Ihres Netzes.',
  'nothing answers at this address': 'unter dieser Adresse antwortet nichts',
  'this network does not know the host name': 'dieses Netz kennt den Rechnernamen nicht',
  'this network has no route to the address': 'dieses Netz führt nicht zu dieser Adresse',
  'the other side closed the connection': 'die Gegenseite hat die Verbindung beendet',
  'the answer is too long': 'die Antwort ist zu lang',
  'there was no answer in time': 'es kam nicht rechtzeitig eine Antwort',
  'the server does not accept this host name; use the IP address of the server':
    'der Server nimmt diesen Rechnernamen nicht an; nehmen Sie die IP-Adresse des Servers',
  'the answer is not from a Vitrine server': 'die Antwort ist nicht von einem Vitrine-Server',
  'This server could not prepare plays for headquarters. The server tries again automatically.':
    'Dieser Server konnte Wiedergaben nicht für die Zentrale vorbereiten. Er versucht es automatisch noch einmal.',
  'is not an enrolment code; an enrolment code has six groups of four letters and digits':
    'ist kein Anschlusscode; ein Anschlusscode hat sechs Gruppen von vier Buchstaben und Ziffern',
  'is a code from another headquarters than the one at this address. Nothing was sent to that address.':
    'ist ein Code von einer anderen Zentrale als der unter dieser Adresse. Dorthin wurde nichts gesendet.',
  'The headquarters that created this code does not answer at this address.':
    'Unter dieser Adresse antwortet die Zentrale nicht, die diesen Code erstellt hat.',
  'Check the address and the code, or ask the administrator of the server. The log of the server contains the reason.':
    'Prüfen Sie Adresse und Code, oder fragen Sie die Administration des Servers. Der Grund steht im Protokoll des Servers.',
  'must be like https://hq.example.com:8711': 'muss so aussehen: https://hq.example.com:8711',
  'This workspace is already being enrolled. Wait until the enrolment is finished.':
    'Dieser Arbeitsbereich wird schon angemeldet. Warten Sie, bis die Anmeldung fertig ist.',
  'This workspace already belongs to a headquarters. Leave that headquarters first.':
    'Dieser Arbeitsbereich gehört schon zu einer Zentrale. Verlassen Sie zuerst jene Zentrale.',
  'is not valid: the code may be used up or too old. Create a new code at headquarters.':
    'gilt nicht: Vielleicht ist der Code verbraucht oder zu alt. Lassen Sie in der Zentrale einen neuen erstellen.',
  'This server is already enrolled as the store {0}. That store must leave headquarters first.':
    'Dieser Server ist schon als Filiale {0} angemeldet. Diese Filiale muss die Zentrale zuerst verlassen.',
  'Headquarters receives too many requests. This server tries again later.':
    'Die Zentrale bekommt zu viele Anfragen. Dieser Server versucht es später noch einmal.',
  'The request is larger than {0} bytes.': 'Die Anfrage ist größer als {0} Byte.',
  'Headquarters is busy with other stores. Plays stay on this server until headquarters has time.':
    'Die Zentrale hat mit anderen Filialen zu tun. Die Wiedergaben bleiben auf diesem Server, bis die Zentrale Zeit hat.',
  'Headquarters is still busy with earlier plays of this server. Further plays stay on this server until headquarters has time.':
    'Die Zentrale hat noch mit früheren Wiedergaben dieses Servers zu tun. Weitere Wiedergaben bleiben auf diesem Server, bis die Zentrale Zeit hat.',
  'Headquarters cannot answer now. This server tries again later.':
    'Die Zentrale kann gerade nicht antworten. Dieser Server versucht es später noch einmal.',
  'This version of headquarters does not know this request. Update Vitrine at headquarters.':
    'Diese Version der Zentrale kennt diese Anfrage nicht. Aktualisieren Sie Vitrine in der Zentrale.',
  'The request is not valid JSON.': 'Die Anfrage ist kein gültiges JSON.',
  'The sign-in to headquarters took too long. Try again.':
    'Die Anmeldung an der Zentrale hat zu lange gedauert. Versuchen Sie es noch einmal.',
  'Sign in to headquarters first.': 'Erst ist die Anmeldung an der Zentrale nötig.',
  'Headquarters does not know this server: the server was removed there, or another server has replaced it. Leave headquarters, then enrol with a new code.':
    'Die Zentrale kennt diesen Server nicht: Er wurde dort entfernt, oder ein anderer Server hat ihn ersetzt. Verlassen Sie die Zentrale, und melden Sie ihn dann mit einem neuen Code an.',
  'Stores connect over HTTPS, which is off on this server. Turn HTTPS on, then create a code.':
    'Filialen verbinden sich über HTTPS, das auf diesem Server aus ist. Schalten Sie HTTPS ein, und erstellen Sie dann einen Code.',
  'Another store is called {0}. Choose another name.': 'Eine andere Filiale heißt {0}. Wählen Sie einen anderen Namen.',
  'must contain each store only once': 'darf jede Filiale nur einmal enthalten',
  'must contain each region only once': 'darf jede Region nur einmal enthalten',
  'must name at least one store': 'muss mindestens eine Filiale nennen',
  'must name at most {0} stores': 'darf höchstens {0} Filialen nennen',
  'No enrolled store matches this selection. Nothing was sent.':
    'Keine angeschlossene Filiale passt zu dieser Auswahl. Es wurde nichts gesendet.',
  'At most {0} commands to stores can be open at the same time. Wait until some commands are finished, or cancel some.':
    'Höchstens {0} Befehle an Filialen können gleichzeitig offen sein. Warten Sie, bis einige erledigt sind, oder nehmen Sie welche zurück.',
  'The store received the command but did not answer in time. The store may have run the command.':
    'Die Filiale hat den Befehl bekommen, aber nicht rechtzeitig geantwortet. Vielleicht hat sie ihn ausgeführt.',
  'The store received the command, but the connection was lost before the answer. The store may have run the command. The command is not sent again, so that no screen restarts or shuts down twice.':
    'Die Filiale hat den Befehl bekommen, aber die Verbindung brach ab, bevor sie antwortete. Vielleicht hat sie ihn ausgeführt. Der Befehl wird nicht noch einmal gesendet, damit kein Bildschirm zweimal neu startet oder herunterfährt.',
  'must be a date like 2026-11-01': 'muss ein Datum wie 2026-11-01 sein',
  'A personal access token cannot open a store. Sign in with your account.':
    'Ein persönlicher Zugangsschlüssel kann keine Filiale öffnen. Melden Sie sich mit Ihrem Konto an.',
  'Change your password first.': 'Ändern Sie zuerst Ihr Passwort.',
  'Too many requests. Wait a minute.': 'Zu viele Anfragen. Warten Sie eine Minute.',
  '{0} refuses the connection at the moment. Try again.':
    '{0} lehnt die Verbindung im Moment ab. Versuchen Sie es noch einmal.',
  '{0} is not enrolled. Create an enrolment code for this store first.':
    '{0} ist nicht angeschlossen. Erstellen Sie zuerst einen Code für diese Filiale.',
  '{0} cannot be reached at the moment. Its screens keep playing.':
    '{0} ist im Moment nicht erreichbar. Die Bildschirme dort spielen weiter.',
  'The store no longer answers.': 'Die Filiale antwortet nicht mehr.',
  'The store does not answer. Try again in a moment.':
    'Die Filiale antwortet nicht. Versuchen Sie es gleich noch einmal.',
  'Headquarters no longer waits for this connection.': 'Die Zentrale wartet nicht mehr auf diese Verbindung.',
  'a message from headquarters is too long': 'eine Nachricht der Zentrale ist zu lang',
  'no data arrived for too long': 'zu lange kamen keine Daten an',
  'Headquarters closed the connection.': 'Die Zentrale hat die Verbindung geschlossen.',
  'This server is stopping.': 'Dieser Server hält an.',
  'This store’s version of Vitrine does not know this command yet. Update Vitrine in the store.':
    'Die Vitrine-Version dieser Filiale kennt diesen Befehl noch nicht. Aktualisieren Sie Vitrine in der Filiale.',
  'This store’s version of Vitrine cannot do this yet. Update Vitrine in the store.':
    'Die Vitrine-Version dieser Filiale kann das noch nicht. Aktualisieren Sie Vitrine in der Filiale.',
  'This store’s version of Vitrine does not understand this request. Update Vitrine in the store.':
    'Die Vitrine-Version dieser Filiale versteht diese Anfrage nicht. Aktualisieren Sie Vitrine in der Filiale.',
  'The store is busy with earlier requests of headquarters. Try again later.':
    'Die Filiale ist noch mit früheren Anfragen der Zentrale beschäftigt. Versuchen Sie es später noch einmal.',
  'The store could not do this. See its log for the cause.':
    'Die Filiale konnte das nicht tun. Die Ursache steht in ihrem Protokoll.',
  'This store does not allow visitors from headquarters.': 'Diese Filiale erlaubt keinen Zugang von der Zentrale.',
  'You cannot sign in here with this e-mail address.': 'Mit dieser E-Mail-Adresse können Sie sich hier nicht anmelden.',
  'The store cannot be reached at the moment. Its screens keep playing.':
    'Die Filiale ist im Moment nicht erreichbar. Ihre Bildschirme spielen weiter.',
  'The store received the request but did not answer. The store may have carried out the request.':
    'Die Filiale hat die Anfrage bekommen, aber nicht geantwortet. Vielleicht hat sie die Anfrage ausgeführt.',
  'The store has not answered earlier requests yet. Try again later.':
    'Die Filiale hat frühere Anfragen noch nicht beantwortet. Versuchen Sie es später noch einmal.',
  'This request is too large to send to a store.': 'Diese Anfrage ist zu groß, um sie an eine Filiale zu senden.',
  'The store sent an answer that headquarters does not understand. Update Vitrine at headquarters.':
    'Die Filiale hat eine Antwort geschickt, die die Zentrale nicht versteht. Aktualisieren Sie Vitrine in der Zentrale.',
  'The store did not open its window in time. Try again.':
    'Die Filiale hat ihr Fenster nicht rechtzeitig geöffnet. Versuchen Sie es noch einmal.',
  'Too many windows of stores are open at headquarters. Close some, then try again.':
    'In der Zentrale sind zu viele Fenster von Filialen offen. Schließen Sie einige und versuchen Sie es noch einmal.',
  'Visitors from headquarters cannot see or change accounts and passwords here. Your own account is at headquarters; change it there.':
    'Personen der Zentrale können hier keine Konten und Passwörter sehen oder ändern. Ihr eigenes Konto liegt in der Zentrale; ändern Sie es dort.',
  'Visitors from headquarters cannot see, send or delete invitations here, because an account that accepts one would outlive their visit.':
    'Personen der Zentrale können hier keine Einladungen sehen, verschicken oder löschen, denn ein Konto, das eine annimmt, bliebe nach ihrem Besuch bestehen.',
  'Visitors from headquarters cannot change members, roles or the approval rule here. A workspace administrator of the store can.':
    'Personen der Zentrale können hier keine Mitglieder, Rollen oder die Freigaberegel ändern. Das kann ein Administrator des Arbeitsbereichs in der Filiale.',
  'Visitors from headquarters cannot see, create or revoke tokens here, because a token would outlive their visit.':
    'Personen der Zentrale können hier keine Zugangsschlüssel sehen, erstellen oder widerrufen, denn ein Schlüssel bliebe nach ihrem Besuch gültig.',
  'Visitors from headquarters cannot change the connection to headquarters or what headquarters may do here. A workspace administrator of the store can.':
    'Personen der Zentrale können hier weder die Verbindung zur Zentrale ändern noch, was die Zentrale hier darf. Das kann ein Administrator des Arbeitsbereichs in der Filiale.',
  'Visitors from headquarters cannot create, rename or delete organizations and workspaces here. An organization administrator of the store can.':
    'Personen der Zentrale können hier keine Organisationen und Arbeitsbereiche anlegen, umbenennen oder löschen. Das kann ein Administrator der Organisation in der Filiale.',
  'Visitors from headquarters cannot do this here. Ask somebody in the store whose account may do it.':
    'Personen der Zentrale können das hier nicht tun. Bitten Sie jemanden in der Filiale, dessen Konto es darf.',
  'Accounts and passwords of this store are changed in the store itself, not from headquarters.':
    'Konten und Passwörter dieser Filiale werden in der Filiale selbst geändert, nicht von der Zentrale aus.',
  'The request from headquarters does not name the person.': 'Die Anfrage der Zentrale nennt die Person nicht.',
  'the connection is no longer needed': 'die Verbindung wird nicht mehr gebraucht',
  'The connection is closed.': 'Die Verbindung ist geschlossen.',
  'The hub sent an unexpected answer: {0}': 'Der Verteiler hat eine unerwartete Antwort geschickt: {0}',
  'The hub refuses this server: {0}.': 'Der Verteiler lehnt diesen Server ab: {0}.',
  'The hub closed the connection.': 'Der Verteiler hat die Verbindung geschlossen.',
  'Headquarters is not connected to the hub.': 'Die Zentrale ist nicht mit dem Verteiler verbunden.',
  'Headquarters does not answer over the hub: {0}.': 'Die Zentrale antwortet nicht über den Verteiler: {0}.',
  'the hub sent an invalid text for the signature':
    'der Verteiler hat einen ungültigen Text für die Unterschrift geschickt',
  'The disk of headquarters is full or failing. Plays stay on the server of the store until the disk works again.':
    'Das Laufwerk der Zentrale ist voll oder fällt aus. Die Wiedergaben bleiben auf dem Server der Filiale, bis es wieder geht.',
  'Headquarters did not accept some plays of this server: the segment {0}.':
    'Die Zentrale hat einige Wiedergaben dieses Servers nicht angenommen: Das Segment {0}.',
  'This server {0}.': 'Dieser Server {0}.',
  'This comes from headquarters with the campaign {0}, so only headquarters can change it. Create a copy to change it here.':
    'Das kommt mit der Kampagne {0} von der Zentrale, deshalb kann nur sie es ändern. Legen Sie eine Kopie an, um es hier zu ändern.',
  '{0} does not fit in the place {1} of the headquarters campaign {2}: not allowed there: {3}.':
    '{0} passt nicht in den Platz {1} der Kampagne {2} der Zentrale. Dort nicht erlaubt: {3}.',
  '{0} does not fit in the place {1} of the headquarters campaign {2}: items allowed there: {3}.':
    '{0} passt nicht in den Platz {1} der Kampagne {2} der Zentrale. Einträge, die dort erlaubt sind: {3}.',
  '{0} does not fit in the place {1} of the headquarters campaign {2}: the limit is {3} s, and the playlist lasts {4} s.':
    '{0} passt nicht in den Platz {1} der Kampagne {2} der Zentrale: Die Grenze ist {3} s, und die Playlist dauert {4} s.',
  images: 'Bilder',
  videos: 'Videos',
  'PDF files': 'PDF-Dateien',
  widgets: 'Widgets',
  audio: 'Audio',
  'web pages': 'Webseiten',
  'this playlist comes from headquarters; choose a playlist that was created in this store':
    'diese Playlist kommt von der Zentrale; wählen Sie eine, die in dieser Filiale angelegt wurde',
  'this playlist belongs to one screen; choose or create another':
    'diese Playlist gehört einem einzigen Bildschirm; wählen Sie eine andere, oder legen Sie eine an',
  '{0} was never published; publish this playlist first':
    '{0} wurde nie veröffentlicht; veröffentlichen Sie diese Playlist zuerst',
  'Only headquarters can end this campaign. To remove the campaign from this store, leave headquarters first.':
    'Diese Kampagne kann nur die Zentrale beenden. Um sie aus dieser Filiale zu entfernen, verlassen Sie zuerst die Zentrale.',
  'The instructions from headquarters were not accepted: the document {0}. Screens keep their current content.':
    'Die Vorgaben der Zentrale wurden nicht angenommen: Das Dokument {0}. Die Bildschirme behalten ihre Inhalte.',
  'is not signed by headquarters': 'ist nicht von der Zentrale signiert',
  'comes from a newer version of Vitrine: update Vitrine on this server':
    'stammt von einer neueren Version von Vitrine: Aktualisieren Sie Vitrine auf diesem Server',
  'is for another store': 'ist für eine andere Filiale',
  'has the revision {0}, but this server already has the revision {1}':
    'hat den Stand {0}, aber dieser Server hat schon den Stand {1}',
  'The campaign {0} cannot be shown. {1}': 'Die Kampagne {0} lässt sich nicht zeigen. {1}',
  'The campaign comes from a newer version of Vitrine: update Vitrine on this server.':
    'Die Kampagne stammt von einer neueren Version von Vitrine: Aktualisieren Sie Vitrine auf diesem Server.',
  'The received campaign is not the campaign that headquarters announced.':
    'Die empfangene Kampagne ist nicht die, die die Zentrale angekündigt hat.',
  'The campaign is too large.': 'Die Kampagne ist zu groß.',
  'A file of the campaign cannot be fetched: {0}.': 'Eine Datei der Kampagne lässt sich nicht holen: {0}.',
  'The description of the campaign cannot be fetched: {0}.':
    'Die Beschreibung der Kampagne lässt sich nicht holen: {0}.',
  'the received data does not match the checksum from headquarters':
    'die empfangenen Daten passen nicht zur Prüfsumme der Zentrale',
  'the part that was received before is too long': 'der zuvor empfangene Teil ist zu lang',
  'the file at headquarters is shorter than announced': 'die Datei in der Zentrale ist kürzer als angekündigt',
  'the file does not have the length that headquarters announced':
    'die Datei hat nicht die Länge, die die Zentrale angekündigt hat',
  'the file is longer than headquarters announced': 'die Datei ist länger, als die Zentrale angekündigt hat',
  'Headquarters does not have the file.': 'Die Zentrale hat die Datei nicht.',
  'Headquarters does not have all files of the campaign.': 'Die Zentrale hat nicht alle Dateien der Kampagne.',
  'This server’s disk is too full for the files of the campaign. Free some space.':
    'Das Laufwerk dieses Servers ist zu voll für die Dateien der Kampagne. Schaffen Sie Platz.',
  'The files of the campaign cannot be written to this server’s disk. Have the disk checked.':
    'Die Dateien der Kampagne lassen sich nicht auf das Laufwerk dieses Servers schreiben. Lassen Sie das Laufwerk prüfen.',
  'This store’s version of Vitrine does not understand the times of the campaign. Update Vitrine in the store.':
    'Die Vitrine-Version dieser Filiale versteht die Zeiten der Kampagne nicht. Aktualisieren Sie Vitrine in der Filiale.',
  '{0} has an id that another workspace of this server already uses.':
    '{0} hat eine Kennung, die ein anderer Arbeitsbereich dieses Servers schon benutzt.',
  'Headquarters sends a store at most {0} files at the same time.':
    'Die Zentrale schickt einer Filiale höchstens {0} Dateien gleichzeitig.',
  'Headquarters is busy with files of other stores. This server tries again later.':
    'Die Zentrale ist mit Dateien anderer Filialen beschäftigt. Dieser Server versucht es später noch einmal.',
  'The desired state of this store contains no file with this hash, or the file no longer exists.':
    'Der gewünschte Stand dieser Filiale enthält keine Datei mit dieser Prüfsumme, oder es gibt die Datei nicht mehr.',
  'The campaign has nothing to show. Choose a playlist or layout that is not empty.':
    'Die Kampagne hat nichts zu zeigen. Wählen Sie eine Playlist oder ein Layout, das nicht leer ist.',
  'The campaign is too large for stores. Divide the campaign into several campaigns.':
    'Die Kampagne ist zu groß für Filialen. Teilen Sie die Kampagne in mehrere Kampagnen.',
  'The campaign’s layout no longer exists. Choose another one.':
    'Das Layout der Kampagne gibt es nicht mehr. Wählen Sie ein anderes.',
  'The campaign’s playlist no longer exists. Choose another one.':
    'Die Playlist der Kampagne gibt es nicht mehr. Wählen Sie eine andere.',
  'The widget {0} has two braces that are not followed by the name of a value. Write {{price}} for a value, and four braces to show two braces.':
    'Im Widget {0} stehen zwei geschweifte Klammern, denen kein Name eines Werts folgt. Schreiben Sie {{price}} für einen Wert, und vier Klammern, um zwei Klammern zu zeigen.',
  'The widget {0} has a value where none is allowed. Use values in texts, and in addresses after the host name.':
    'Im Widget {0} steht ein Wert, wo keiner eingesetzt werden kann. Er steht in einem Text oder in einer Adresse hinter deren Host.',
  'The widgets of the campaign use values in more than {0} places. Divide the campaign into several campaigns.':
    'Die Widgets der Kampagne benutzen Werte an mehr als {0} Stellen. Teilen Sie die Kampagne in mehrere Kampagnen.',
  'The campaign needs values of this store that are missing at headquarters: {0}{1}. Enter the values at headquarters, on the page of this store.':
    'Die Kampagne braucht Werte dieser Filiale, die in der Zentrale fehlen: {0}{1}. Tragen Sie die Werte in der Zentrale ein, auf der Seite dieser Filiale.',
  'The campaign puts values of this store into an address, which becomes too long. Shorten the values at headquarters.':
    'Die Kampagne setzt Werte dieser Filiale in eine Adresse ein, die damit zu lang wird. Kürzen Sie die Werte in der Zentrale.',
  'must be at most {0} letters, digits and _': 'darf höchstens {0} Zeichen haben: Buchstaben, Ziffern und _',
  'must be at most {0} values': 'dürfen höchstens {0} Werte sein',
  'line {0}, column {1}: {2}': 'Zeile {0}, Spalte {1}: {2}',
  'line {0} has an opening quote without a closing quote': 'in Zeile {0} fehlt ein schließendes Anführungszeichen',
  'must have at most {0} columns of values, not {1}': 'darf höchstens {0} Spalten mit Werten haben, nicht {1}',
  '{0} is not a valid name of a value: use at most {1} letters, digits and _':
    '{0} ist kein gültiger Name eines Werts: Nehmen Sie höchstens {1} Buchstaben, Ziffern und _',
  'The value {0} has two columns: remove one column': 'Der Wert {0} hat zwei Spalten: Entfernen Sie eine Spalte',
  'The first line has no name of a value: give each value a column':
    'Die erste Zeile enthält keinen Namen eines Werts: Geben Sie jedem Wert eine Spalte',
  'There is no store with the name or id “{0}”': 'Es gibt keine Filiale mit dem Namen oder der Id „{0}“',
  'The store {0} is already in line {1}: remove one of the two lines':
    'Die Filiale {0} steht schon in Zeile {1}: Entfernen Sie eine der beiden Zeilen',
  'One of the stores': 'Eine der Filialen',
  'This column has no name in the first line': 'Diese Spalte hat in der ersten Zeile keinen Namen',
  'The store {0} would have more than {1} values': 'Die Filiale {0} hätte mehr als {1} Werte',
  'The cell has more than {0} characters': 'Die Zelle hat mehr als {0} Zeichen',
  'The cell contains control characters: remove these characters':
    'Die Zelle enthält Steuerzeichen: Entfernen Sie diese Zeichen',
  'The playlist {0} is not published. Publish it, then start the campaign.':
    'Die Playlist {0} ist nicht veröffentlicht. Veröffentlichen Sie sie und starten Sie dann die Kampagne.',
  'A content item of the campaign no longer exists. Choose another one.':
    'Einen Inhalt der Kampagne gibt es nicht mehr. Wählen Sie einen anderen.',
  'The file of {0} is not on this server yet. Start the campaign when the file is there.':
    'Die Datei von {0} ist noch nicht auf diesem Server. Starten Sie die Kampagne, sobald die Datei da ist.',
  'A widget of the campaign no longer exists. Choose another one.':
    'Ein Widget der Kampagne gibt es nicht mehr. Wählen Sie ein anderes.',
  'The widget {0} shows {1} of this server, which stores do not have. Add that file to the content of this server, then choose the content in the widget.':
    'Das Widget {0} zeigt {1} von diesem Server, was Filialen nicht haben. Fügen Sie jene Datei den Inhalten dieses Servers hinzu, und wählen Sie dann den Inhalt im Widget.',
  'The widget {0} shows the kiosk page {1}, and kiosk pages cannot be sent to stores. Remove the widget from the campaign.':
    'Das Widget {0} zeigt die Kioskseite {1}, und Kioskseiten lassen sich nicht an Filialen schicken. Nehmen Sie das Widget aus der Kampagne.',
  'There are already {0} campaigns, which is the limit. Delete campaigns that are over.':
    'Es gibt schon {0} Kampagnen; das ist die Grenze. Löschen Sie Kampagnen, die vorbei sind.',
  'The campaign {0} is still in stores. Stop the campaign first.':
    'Die Kampagne {0} ist noch in Filialen. Beenden Sie die Kampagne zuerst.',
  'Some stores would refuse the campaign, because they have no values for it. Missing values, each with the number of stores: {0}. Enter the values for these stores, or start the campaign anyway with lacking: true.':
    'Einige Filialen würden die Kampagne ablehnen, weil ihnen Werte fehlen. Fehlende Werte, jeweils mit der Zahl der Filialen: {0}. Tragen Sie die Werte für diese Filialen ein, oder starten Sie die Kampagne trotzdem mit lacking: true.',
  'The campaign {0} is not waiting for approval.': 'Die Kampagne {0} wartet nicht auf Freigabe.',
  'You asked for approval of this campaign yourself. Another approver must start the campaign.':
    'Sie haben selbst um die Freigabe dieser Kampagne gebeten. Jemand anderes, der freigeben darf, muss die Kampagne starten.',
  'The campaign {0} is not running.': 'Die Kampagne {0} läuft nicht.',
  'Edition {0} of the campaign {1} is no longer stored. Choose another edition.':
    'Die Ausgabe {0} der Kampagne {1} ist nicht mehr gespeichert. Wählen Sie eine andere Ausgabe.',
  'The store {0} already has {1} campaigns, which is the limit. Stop campaigns that are over.':
    'Die Filiale {0} hat schon {1} Kampagnen; das ist die Grenze. Beenden Sie Kampagnen, die vorbei sind.',
  'Another campaign is called {0}. Choose another name.':
    'Eine andere Kampagne heißt {0}. Wählen Sie einen anderen Namen.',
  'are places in a playlist; choose a playlist first': 'sind Plätze in einer Playlist; wählen Sie zuerst eine Playlist',
  'must be the id of a place of this campaign, and each id only once; send no id for a new place':
    'muss die Kennung eines Platzes dieser Kampagne sein, und jede nur einmal; für einen neuen Platz senden Sie keine',
  'must be a time without a time zone, because each store uses its own local time':
    'muss eine Zeit ohne Zeitzone sein, denn jede Filiale benutzt ihre Ortszeit',
  'You can view stores in the region {0}, but not change them. {1} is in this region.':
    'Filialen der Region {0} können Sie nur ansehen, nicht ändern. {1} ist in dieser Region.',
  'This campaign includes stores outside your regions. Choose only stores in your regions.':
    'Diese Kampagne enthält Filialen außerhalb Ihrer Regionen. Wählen Sie nur Filialen in Ihren Regionen.',
  'No file of {0} has a signature. Upload also the .sig files that the build created next to its files.':
    'Keine Datei von {0} hat eine Signatur. Laden Sie auch die .sig-Dateien hoch, die beim Bauen neben ihren Dateien entstanden sind.',
  'A segment of the store was refused: the segment {0}.': 'Ein Segment der Filiale wurde abgelehnt: Das Segment {0}.',
  'The store {0}: a copy of its server was running, or its disk was restored to an earlier state.':
    'Die Filiale {0}: Eine Kopie ihres Servers lief, oder ihr Laufwerk wurde auf einen früheren Stand zurückgesetzt.',
  'reports that the epoch {0} begins at number {1}, not {2}':
    'meldet, dass die Epoche {0} mit der Nummer {1} beginnt und nicht mit {2}',
  'sends plays with numbers from {0}, which belong to another of its epochs':
    'schickt Wiedergaben mit Nummern ab {0}, die zu einer anderen seiner Epochen gehören',
  'has other plays up to number {0} than it sent before':
    'hat bis Nummer {0} andere Wiedergaben, als es zuvor geschickt hat',
  'reports that its database was restored more than {0} times':
    'meldet, dass seine Datenbank öfter als {0}-mal wiederhergestellt wurde',
  'has plays with impossible times': 'hat Wiedergaben mit unmöglichen Zeiten',
  'belongs to an epoch that the store did not announce':
    'gehört zu einer Epoche, die die Filiale nicht angekündigt hat',
  'belongs to another store': 'gehört zu einer anderen Filiale',
  'is not signed with the key of the store': 'ist nicht mit dem Schlüssel der Filiale signiert',
  'has a last number that is lower than its first number': 'hat eine letzte Nummer, die kleiner ist als die erste',
  'does not match the signature of the store': 'passt nicht zur Signatur der Filiale',
  'cannot be read: {0}': 'lässt sich nicht lesen: {0}',
  'cannot be unpacked': 'lässt sich nicht auspacken',
  'has other plays than its header states': 'hat andere Wiedergaben, als sein Kopf angibt',
  'has plays that do not match its checksum': 'hat Wiedergaben, die nicht zu seiner Prüfsumme passen',
  'has no header': 'hat keinen Kopf',
  'has a header that is not valid JSON': 'hat einen Kopf, der kein gültiges JSON ist',
  'has a header with an invalid {0}': 'hat einen Kopf, in dem {0} ungültig ist',
  'has another length than its header states': 'hat eine andere Länge, als sein Kopf angibt',
  'the data ends too early': 'die Daten enden zu früh',
  'a number in the data is too large': 'eine Zahl in den Daten ist zu groß',
  'a number in the data is written with too many bytes': 'eine Zahl in den Daten ist mit zu vielen Byte geschrieben',
  'the dictionary in the data has the wrong form': 'das Wörterbuch in den Daten hat die falsche Form',
  'a yes/no value in the data is neither yes nor no': 'ein Ja-Nein-Wert in den Daten ist weder Ja noch Nein',
  'a text in the data is not valid UTF-8': 'ein Text in den Daten ist kein gültiges UTF-8',
  'the file has extra data after its end': 'die Datei hat nach ihrem Ende weitere Daten',
  'the data has more than {0} plays': 'die Daten haben mehr als {0} Wiedergaben',
  'a play number appears twice in the data': 'eine Nummer einer Wiedergabe steht zweimal in den Daten',
  'a journal number in the data is below 1': 'eine Nummer eines Journals in den Daten ist kleiner als 1',
  'the id of a play in the data is not valid': 'die Kennung einer Wiedergabe in den Daten ist nicht gültig',
  'the data has more signatures than plays': 'die Daten haben mehr Signaturen als Wiedergaben',
  'the dictionary in the data is not valid JSON': 'das Wörterbuch in den Daten ist kein gültiges JSON',
  'the dictionary in the data is not valid': 'das Wörterbuch in den Daten ist nicht gültig',
  'a screen appears twice in the data': 'ein Bildschirm steht zweimal in den Daten',
  'a play in the data refers to an entry that the dictionary does not have':
    'eine Wiedergabe in den Daten verweist auf einen Eintrag, den das Wörterbuch nicht hat',
  'a time uncertainty in the data is not valid': 'eine Ungenauigkeit der Zeit in den Daten ist nicht gültig',
  '{0} plays were deleted because of their age before headquarters received them.':
    '{0} Wiedergaben wurden wegen ihres Alters gelöscht, bevor die Zentrale sie bekam.',
  'The clocks of this server and of headquarters differ by {0}. Check which clock is wrong.':
    'Die Uhren dieses Servers und der Zentrale unterscheiden sich um {0}. Prüfen Sie, welche falsch geht.',
  '{0} minutes': '{0} Minuten',
  '{0} hours': '{0} Stunden',
  'Headquarters has other plays than this server for the numbers from {0}: a copy of this server was running, or its disk was restored to an earlier state. The plays of both sides are kept, each play once.':
    'Die Zentrale hat für die Nummern ab {0} andere Wiedergaben als dieser Server: Eine Kopie dieses Servers lief, oder sein Laufwerk wurde auf einen früheren Stand zurückgesetzt. Die Wiedergaben beider Seiten bleiben, jede einmal.',
  'The new version did not work in the store, and the earlier version runs again: {0}':
    'Die neue Version ging in der Filiale nicht, und die frühere läuft wieder: {0}',
  'The version could not be installed: {0}': 'Die Version ließ sich nicht installieren: {0}',
  'An incident happened after the update began: {0}': 'Nach Beginn der Aktualisierung gab es einen Vorfall: {0}',
  'There was no contact with the store for {0} minutes.': 'Zur Filiale gab es {0} Minuten lang keinen Kontakt.',
  'The store runs version {0} again.': 'In der Filiale läuft wieder die Version {0}.',
  '{0} screens were online before the update, but only {1} after {2} minutes.':
    'Vor der Aktualisierung waren {0} Bildschirme online, nach {2} Minuten nur {1}.',
  'The store has been fetching the files for {0} hours.': 'Die Filiale lädt die Dateien seit {0} Stunden.',
  'The store is still testing the version after {0} minutes.':
    'Die Filiale erprobt die Version nach {0} Minuten immer noch.',
  'The store still runs {0} after {1} minutes.': 'In der Filiale läuft nach {1} Minuten immer noch {0}.',
  'This happened {0} times.': 'Das geschah {0}-mal.',
  // Transfer files.
  'The file on the USB stick was not imported: the file {0}. Nothing was changed.':
    'Die Datei auf dem USB-Stick wurde nicht eingelesen: Die Datei {0}. Nichts wurde geändert.',
  'is not a Vitrine file for a USB stick': 'ist keine Vitrine-Datei für einen USB-Stick',
  'is incomplete: its end is missing': 'ist unvollständig: Ihr Ende fehlt',
  'has extra data after its end': 'hat nach ihrem Ende weitere Daten',
  'was changed after it was written, or is for another server':
    'wurde nach dem Schreiben verändert oder ist für einen anderen Server',
  'has a line that is not text': 'hat eine Zeile, die kein Text ist',
  'has a line that is too long': 'hat eine Zeile, die zu lang ist',
  'ends in the middle of an entry': 'endet mitten in einem Eintrag',
  'contains no entries': 'enthält keine Einträge',
  'has more than {0} files': 'hat mehr als {0} Dateien',
  'has an entry with an invalid {0}': 'hat einen Eintrag, in dem {0} ungültig ist',
  'comes from another headquarters': 'kommt von einer anderen Zentrale',
  'is for headquarters, not for a store': 'ist für die Zentrale, nicht für eine Filiale',
  'is for a store, not for headquarters': 'ist für eine Filiale, nicht für die Zentrale',
  'has the number {0}, but the file with the number {1} was already imported':
    'hat die Nummer {0}, aber die Datei mit der Nummer {1} wurde schon eingelesen',
  'comes from a server that does not belong to this store':
    'kommt von einem Server, der nicht zu dieser Filiale gehört',
  'contains an enrolment code that is not valid: the code may be used up or too old. Create a new file for the store':
    'enthält einen Code, der nicht gilt: Vielleicht ist er verbraucht oder zu alt. Erstellen Sie eine neue Datei für die Filiale',
  'Another USB stick is being imported. Wait until the import is finished.':
    'Ein anderer USB-Stick wird gerade eingelesen. Warten Sie, bis das fertig ist.',
  'Too many USB sticks are being imported. Try again later.':
    'Es werden gerade zu viele USB-Sticks eingelesen. Versuchen Sie es später noch einmal.',
  'Another USB stick is being written. Wait until the writing is finished.':
    'Ein anderer USB-Stick wird gerade geschrieben. Warten Sie, bis das fertig ist.',
  'Too many USB sticks are being written. Try again later.':
    'Es werden gerade zu viele USB-Sticks geschrieben. Versuchen Sie es später noch einmal.',
  '{0} is not enrolled yet. Import the first USB stick from this store first.':
    '{0} ist noch nicht angeschlossen. Lesen Sie zuerst den ersten USB-Stick dieser Filiale ein.',
  '{0} has not sent its encryption key for USB sticks yet. Update Vitrine in that store.':
    '{0} hat den Schlüssel für USB-Sticks noch nicht gesendet. Aktualisieren Sie Vitrine in dieser Filiale.',
  'Headquarters has not sent its encryption key for USB sticks yet. Update Vitrine at headquarters.':
    'Die Zentrale hat ihren Schlüssel für USB-Sticks noch nicht gesendet. Aktualisieren Sie Vitrine in der Zentrale.',
  'The store sent an encryption key that is not valid, so no USB stick can be written for the store.':
    'Die Filiale hat einen Schlüssel geschickt, der nicht gültig ist; darum lässt sich für sie kein USB-Stick schreiben.',
  'A file of a campaign is missing on the disk of headquarters.':
    'Auf dem Laufwerk der Zentrale fehlt eine Datei einer Kampagne.',
  '{0} Then import the USB stick again.': '{0} Lesen Sie den USB-Stick dann noch einmal ein.',
  'is a code from another headquarters than the file.': 'ist ein Code von einer anderen Zentrale als die Datei.',
  'The store left headquarters.': 'Die Filiale hat die Zentrale verlassen.',
  'A person in the store started the earlier version again.':
    'Jemand in der Filiale hat die frühere Version wieder gestartet.',
  'This store does not allow updates from headquarters.': 'Diese Filiale erlaubt keine Updates von der Zentrale.',
  'The server was stopped while the version was being installed.':
    'Der Server wurde angehalten, während die Version installiert wurde.',
  'The store is already installing another version.': 'Die Filiale installiert schon eine andere Version.',
  'Only a server administrator can allow updates from headquarters.':
    'Updates von der Zentrale kann nur die Server-Administration erlauben.',
  '{0} does not match the signature of this server’s publisher.':
    '{0} passt nicht zur Signatur des Herausgebers dieses Servers.',
  '{0} Download {1} to the computer of the server, then enter this command there: {2}':
    '{0} Laden Sie {1} auf den Rechner des Servers, und geben Sie dort diesen Befehl ein: {2}',
  'Only people with rights in all regions can roll versions out to stores.':
    'Versionen an Filialen verteilen können nur Personen mit Rechten in allen Regionen.',
  'Another rollout to stores is running. Wait until that rollout is finished, or end that rollout.':
    'Eine andere Verteilung an Filialen läuft schon. Warten Sie, bis jene fertig ist, oder beenden Sie sie.',
  'no store in these waves needs the update: all of them already run this version':
    'keine Filiale in diesen Wellen braucht die Aktualisierung: Auf allen läuft diese Version schon',
};
