import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
  title: 'Anmelden',
  titleTo: 'Bei {{server}} anmelden',
  words: 'Was in Ihrem Schaufenster hängt, entscheiden Sie hier: Bilder, Videos, und wann jedes zu sehen ist.',
  email: 'E-Mail',
  password: 'Passwort',
  againTitle: 'Bitte noch einmal anmelden',
  againLead:
    'Ihre Sitzung ist zu Ende. Die Seite dahinter ist, wie Sie sie verlassen haben, mit allem, was noch nicht gespeichert ist.',
  againElsewhere: 'Anders oder als jemand anderes anmelden',
  wrong: 'E-Mail oder Passwort stimmt nicht.',
  forgotten: 'Vergessen? Wer diesen Server verwaltet, kann Ihnen einen Passwort-Link machen.',
  needEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
  needPassword: 'Geben Sie Ihr Passwort ein.',
  locked_one: 'Zu viele Versuche. Zu Ihrer Sicherheit wartet dieses Konto noch eine Minute.',
  locked_other: 'Zu viele Versuche. Zu Ihrer Sicherheit wartet dieses Konto noch {{count}} Minuten.',
  verified: 'Ihre Adresse ist bestätigt. Sie können sich jetzt anmelden.',
  verifyError: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Melden Sie sich an, um einen neuen zu bekommen.',
  changeFirst:
    'Melden Sie sich zuerst mit dem Passwort an, das Sie bekommen haben, und wählen Sie ein eigenes. Öffnen Sie dann den Link in der Mail noch einmal.',
  checkMail: 'Noch ein Schritt: Sehen Sie in Ihre E-Mails',
  checkMailHelp:
    'Wir haben einen Link an {{email}} geschickt. Öffnen Sie ihn, um Ihre Adresse zu bestätigen, und melden Sie sich dann an.',
  resend: 'Noch einmal senden',
  resent: 'Gesendet. Sehen Sie auch im Spam-Ordner nach.',
  codeTitle: 'Der zweite Schritt',
  codeLead: 'Geben Sie die 6 Ziffern ein, die Ihre Authenticator-App zeigt.',
  recoveryLead: 'Geben Sie einen Ihrer aufbewahrten Wiederherstellungscodes ein. Jeder gilt einmal.',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Wiederherstellungscode benutzen',
  useApp: 'Authenticator-App benutzen',
  wrongCode: 'Dieser Code stimmt nicht. Codes wechseln alle 30 Sekunden.',
  tooLate: 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',
  recoveryLeft_one: 'Mit einem Wiederherstellungscode angemeldet. Sie haben noch 1: Erzeugen Sie in Ihrem Konto neue.',
  recoveryLeft_other: 'Mit einem Wiederherstellungscode angemeldet. Sie haben noch {{count}}.',
  noAccount: 'Noch kein Konto?',
  register: 'Konto anlegen',
  haveAccount: 'Sie haben ein Konto?',
  back: 'Zurück zur Anmeldung',
  or: 'oder',
  withProvider: 'Mit {{name}} anmelden',
  providerDown: '{{name}} antwortet gerade nicht. Sobald es das wieder tut, geht auch dieser Knopf.',
  providerWait: 'Sie werden angemeldet …',
  providerUnexpected:
    'Diese Anmeldung wurde nicht in diesem Fenster begonnen, oder es ist zu lange her. Versuchen Sie es noch einmal.',
  providerDenied: 'Die Anmeldung wurde beim Identitätsanbieter abgebrochen.',
  providerFailed:
    'Der Identitätsanbieter konnte Sie nicht anmelden. Versuchen Sie es noch einmal; bleibt es so, sagen Sie es der Person, die diesen Server betreut.',
  providerRefused: 'Der Identitätsanbieter bestätigt diese Anmeldung nicht. Versuchen Sie es noch einmal.',
  providerBound:
    'Diese Adresse gehört hier zu einem anderen Konto des Anbieters. Eine Administratorin oder ein Administrator kann sie lösen (Personen, Konten).',
  providerUnverified:
    'Der Identitätsanbieter hat Ihre E-Mail-Adresse nicht bestätigt oder sagt es nicht. Bestätigen Sie sie dort, oder fragen Sie die Verwaltung dieses Servers.',
  providerHasPassword: 'Zu dieser Adresse gibt es ein Konto mit Passwort. Melden Sie sich mit dem Passwort an.',
};

export const newPassword: Texts['newPassword'] = {
  title: 'Neues Passwort wählen',
  lead: 'Sie werden überall sonst abgemeldet und melden sich von da an damit an.',
  field: 'Neues Passwort',
  submit: 'Passwort setzen',
  done: 'Das neue Passwort von {{email}} ist gesetzt. Melden Sie sich damit an.',
  gone: 'Dieser Link gilt nicht mehr',
  goneHelp: 'Er wurde benutzt, durch einen anderen ersetzt oder ist älter als 24 Stunden. Bitten Sie um einen neuen.',
};

export const register: Texts['register'] = {
  title: 'Konto anlegen',
  name: 'Ihr Name',
  needName: 'Geben Sie Ihren Namen ein.',
  badEmail: 'Das sieht nicht wie eine E-Mail-Adresse aus.',
  submit: 'Konto anlegen',
  taken: 'Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich damit an.',
  closed: 'Auf diesen Server kommt man nur mit Einladung. Bitten Sie die Inhaberin oder den Inhaber darum.',
};

export const setUp: Texts['setUp'] = {
  step: 'Schritt {{n}} von 2',
  welcome: 'Willkommen in Ihrem Schaufenster',
  welcomeLead: 'In zwei Minuten kann Ihr erster Bildschirm spielen. Nichts verlässt Ihr eigenes Netz.',
  storeTitle: 'Wie heißt Ihr Geschäft?',
  storeName: 'Name des Geschäfts',
  storeHint: 'Diesen Namen sehen Bildschirme und Kolleginnen, wenn sie den Server suchen.',
  needStore: 'Geben Sie einen Namen ein, zum Beispiel den über Ihrer Tür.',
  storeTooLong: 'Dieser Name ist etwas zu lang. 60 Buchstaben genügen.',
  ownerTitle: 'Und wer sind Sie?',
  ownerLead: 'Ihnen gehört dieser Server. Andere können später dazukommen.',
  code: 'Einrichtungscode',
  codeHint: 'Der Server hat ihn beim Start ausgegeben, auf seinem eigenen Computer.',
  needCode:
    'Geben Sie den Einrichtungscode ein. Ohne ihn lässt sich das Konto nur auf dem Computer des Servers anlegen.',
  closed: 'Nur wer eingeladen ist, kann mitmachen',
  closedHint: 'Empfohlen. Sonst kann jeder in Ihrem Netz ein Konto anlegen.',
  submit: 'Geschäft eröffnen',
  settingsFailed:
    'Ihr Konto ist fertig, aber der Name des Geschäfts konnte nicht gespeichert werden. Sie können ihn später ändern.',
};
