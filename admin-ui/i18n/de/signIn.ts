import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
  title: 'Anmelden',
  titleTo: 'Bei {{server}} anmelden',
  words: 'Entscheiden Sie, was Ihre Bildschirme zeigen: Bilder, Videos, und wann jedes zu sehen ist.',
  email: 'E-Mail',
  password: 'Passwort',
  againTitle: 'Bitte noch einmal anmelden',
  againLead:
    'Ihre Sitzung ist zu Ende. Die Seite dahinter ist, wie Sie sie verlassen haben, mit allem, was noch nicht gespeichert ist.',
  againElsewhere: 'Anders oder als jemand anderes anmelden',
  wrong: 'E-Mail oder Passwort stimmt nicht.',
  forgotten: 'Vergessen? Wer diesen Server verwaltet, kann einen Passwort-Link für Sie erstellen.',
  needEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
  needPassword: 'Geben Sie Ihr Passwort ein.',
  locked_one: 'Zu viele Versuche. Zum Schutz ist dieses Konto noch eine Minute gesperrt.',
  locked_other: 'Zu viele Versuche. Zum Schutz ist dieses Konto noch {{count}} Minuten gesperrt.',
  verified: 'Ihre Adresse ist bestätigt. Sie können sich jetzt anmelden.',
  verifyError: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Melden Sie sich an, um einen neuen zu bekommen.',
  changeFirst:
    'Melden Sie sich zuerst mit dem Passwort an, das Sie bekommen haben, und wählen Sie ein eigenes. Öffnen Sie dann den Link in der Mail noch einmal.',
  checkMail: 'Noch ein Schritt: Sehen Sie in Ihre E-Mails',
  checkMailHelp:
    'Wir haben einen Link an {{email}} geschickt. Öffnen Sie ihn, um Ihre Adresse zu bestätigen, und melden Sie sich dann an.',
  resend: 'Noch einmal senden',
  resent: 'Gesendet. Sehen Sie auch im Spam-Ordner nach.',
  codeTitle: 'Zweiter Schritt',
  codeLead: 'Geben Sie die 6 Ziffern ein, die Ihre Authenticator-App zeigt.',
  recoveryLead: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt einmal.',
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
  providerDown: '{{name}} antwortet gerade nicht. Sobald es das wieder tut, geht auch diese Schaltfläche.',
  providerWait: 'Sie werden angemeldet …',
  providerUnexpected:
    'Diese Anmeldung wurde nicht in diesem Fenster begonnen, oder es ist zu lange her. Versuchen Sie es noch einmal.',
  providerDenied: 'Die Anmeldung wurde beim Anmeldedienst abgebrochen.',
  providerFailed:
    'Der Anmeldedienst konnte Sie nicht anmelden. Versuchen Sie es noch einmal; bleibt es so, sagen Sie es der Verwaltung dieses Servers.',
  providerRefused: 'Der Anmeldedienst bestätigt diese Anmeldung nicht. Versuchen Sie es noch einmal.',
  providerBound:
    'Diese Adresse gehört hier zu einem anderen Konto des Anmeldedienstes. Wer verwaltet, kann sie trennen (Personen, Konten).',
  providerUnverified:
    'Der Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt oder sagt es nicht. Bestätigen Sie sie dort, oder fragen Sie die Verwaltung dieses Servers.',
  providerHasPassword: 'Zu dieser Adresse gibt es ein Konto mit Passwort. Melden Sie sich mit dem Passwort an.',
};

export const newPassword: Texts['newPassword'] = {
  title: 'Neues Passwort wählen',
  lead: 'Sie werden überall sonst abgemeldet und melden sich dann mit dem neuen Passwort an.',
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
  closed: 'Auf diesen Server kommt man nur mit Einladung. Bitten Sie jemanden, der ihn verwaltet.',
};

export const setUp: Texts['setUp'] = {
  step: 'Schritt {{n}} von 2',
  welcome: 'Willkommen bei Vitrine',
  welcomeLead: 'In zwei Minuten kann Ihr erster Bildschirm spielen. Nichts verlässt Ihr eigenes Netz.',
  storeTitle: 'Ihr Geschäft',
  storeName: 'Name des Geschäfts',
  storeHint: 'Diesen Namen sehen Bildschirme und Kolleginnen, wenn sie den Server suchen.',
  needStore: 'Geben Sie den Namen Ihres Geschäfts ein.',
  storeTooLong: 'Dieser Name ist zu lang. Nehmen Sie höchstens 60 Buchstaben.',
  ownerTitle: 'Ihr Konto',
  ownerLead: 'Ihnen gehört dieser Server. Andere können später dazukommen.',
  code: 'Einrichtungscode',
  codeHint: 'Der Server hat ihn beim Start ausgegeben, auf seinem eigenen Computer.',
  needCode:
    'Geben Sie den Einrichtungscode ein. Ohne ihn lässt sich das Konto nur auf dem Computer des Servers anlegen.',
  closed: 'Nur wer eingeladen ist, kann mitmachen',
  closedHint: 'Empfohlen. Sonst kann jeder in Ihrem Netz ein Konto anlegen.',
  submit: 'Konto anlegen',
  settingsFailed:
    'Ihr Konto ist fertig, aber der Name des Geschäfts konnte nicht gespeichert werden. Ändern Sie ihn später unter Einstellungen, Server.',
};
