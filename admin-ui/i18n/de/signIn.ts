import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
  title: 'Anmelden',
  titleTo: 'Bei {{server}} anmelden',
  words: 'Bestimmen Sie, was Ihre Bildschirme zeigen, und wann.',
  email: 'E-Mail',
  password: 'Passwort',
  againTitle: 'Bitte noch einmal anmelden',
  againLead:
    'Ihre Sitzung ist zu Ende. Melden Sie sich an, um dort weiterzumachen. Nicht gespeicherte Änderungen bleiben erhalten.',
  againElsewhere: 'Anders oder als jemand anderes anmelden',
  wrong: 'E-Mail oder Passwort stimmt nicht.',
  forgotten: 'Passwort vergessen? Die Administration dieses Servers kann einen Passwort-Link für Sie erstellen.',
  needEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
  needPassword: 'Geben Sie Ihr Passwort ein.',
  locked_one: 'Zu viele Versuche. Zu Ihrer Sicherheit ist dieses Konto noch eine Minute gesperrt.',
  locked_other: 'Zu viele Versuche. Zu Ihrer Sicherheit ist dieses Konto noch {{count}} Minuten gesperrt.',
  verified: 'Ihre Adresse ist bestätigt. Sie können sich jetzt anmelden.',
  verifyError: 'Der Link ist abgelaufen oder wurde schon benutzt. Melden Sie sich an, um einen neuen zu bekommen.',
  changeFirst:
    'Melden Sie sich zuerst mit dem vorläufigen Passwort an, und wählen Sie ein eigenes. Öffnen Sie dann den Link in der E-Mail noch einmal.',
  checkMail: 'Noch ein Schritt: Sehen Sie in Ihre E-Mails',
  checkMailHelp:
    'Wir haben einen Link an {{email}} gesendet. Öffnen Sie ihn, um Ihre Adresse zu bestätigen, und melden Sie sich dann an.',
  resend: 'Noch einmal senden',
  resent: 'Gesendet. Sehen Sie auch im Spam-Ordner nach.',
  codeTitle: 'Zweiter Schritt',
  codeLead: 'Geben Sie die 6 Ziffern ein, die Ihre Authenticator-App zeigt.',
  recoveryLead: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt nur einmal.',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Wiederherstellungscode benutzen',
  useApp: 'Authenticator-App benutzen',
  wrongCode: 'Der Code stimmt nicht. Codes wechseln alle 30 Sekunden.',
  tooLate: 'Die Zeit ist abgelaufen. Melden Sie sich noch einmal an.',
  recoveryLeft_one: 'Mit einem Wiederherstellungscode angemeldet. Sie haben noch 1. Erstellen Sie in Ihrem Konto neue.',
  recoveryLeft_other: 'Mit einem Wiederherstellungscode angemeldet. Sie haben noch {{count}}.',
  noAccount: 'Noch kein Konto?',
  register: 'Konto anlegen',
  haveAccount: 'Haben Sie ein Konto?',
  back: 'Zurück zur Anmeldung',
  or: 'oder',
  withProvider: 'Mit {{name}} anmelden',
  providerDown: '{{name}} antwortet gerade nicht. Versuchen Sie es später noch einmal.',
  providerWait: 'Sie werden angemeldet …',
  providerUnexpected:
    'Diese Anmeldung wurde in einem anderen Fenster begonnen oder hat zu lange gedauert. Versuchen Sie es noch einmal.',
  providerDenied: 'Die Anmeldung wurde beim Anmeldedienst abgebrochen.',
  providerFailed:
    'Der Anmeldedienst konnte Sie nicht anmelden. Versuchen Sie es noch einmal. Geschieht es wieder, wenden Sie sich an die Administration dieses Servers.',
  providerRefused: 'Der Anmeldedienst bestätigt diese Anmeldung nicht. Versuchen Sie es noch einmal.',
  providerBound:
    'Diese Adresse gehört zu einem anderen Konto des Anmeldedienstes. Die Administration kann sie unter Personen, Konten trennen.',
  providerUnverified:
    'Der Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, oder fragen Sie die Administration dieses Servers.',
  providerHasPassword: 'Zu dieser Adresse gibt es ein Konto mit Passwort. Melden Sie sich mit dem Passwort an.',
};

export const newPassword: Texts['newPassword'] = {
  title: 'Neues Passwort wählen',
  lead: 'Sie werden überall sonst abgemeldet. Verwenden Sie ab dann das neue Passwort.',
  field: 'Neues Passwort',
  submit: 'Passwort setzen',
  done: 'Das neue Passwort von {{email}} ist gesetzt. Sie können sich jetzt anmelden.',
  gone: 'Dieser Link gilt nicht mehr',
  goneHelp: 'Er wurde benutzt oder ersetzt oder ist älter als 24 Stunden. Bitten Sie um einen neuen.',
};

export const register: Texts['register'] = {
  title: 'Konto anlegen',
  name: 'Ihr Name',
  needName: 'Geben Sie Ihren Namen ein.',
  badEmail: 'Das ist keine gültige E-Mail-Adresse.',
  submit: 'Konto anlegen',
  taken: 'Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich an.',
  closed: 'Für diesen Server brauchen Sie eine Einladung. Bitten Sie die Administration darum.',
};

export const setUp: Texts['setUp'] = {
  step: 'Schritt {{n}} von 2',
  welcome: 'Willkommen bei Vitrine',
  welcomeLead: 'Richten Sie in zwei Minuten Ihren ersten Bildschirm ein. Ihre Daten bleiben in Ihrem eigenen Netz.',
  storeTitle: 'Ihr Geschäft',
  storeName: 'Name des Geschäfts',
  storeHint: 'Dieser Name wird gezeigt, wenn Personen oder Bildschirme den Server suchen.',
  needStore: 'Geben Sie den Namen Ihres Geschäfts ein.',
  storeTooLong: 'Dieser Name ist zu lang. Verwenden Sie höchstens 60 Zeichen.',
  ownerTitle: 'Ihr Konto',
  ownerLead: 'Sie werden Inhaber dieses Servers. Andere können später dazukommen.',
  code: 'Einrichtungscode',
  codeHint: 'Der Server hat diesen Code beim Start auf seinem Rechner gezeigt.',
  needCode:
    'Geben Sie den Einrichtungscode ein. Ohne ihn können Sie das Konto nur auf dem Rechner des Servers anlegen.',
  closed: 'Nur eingeladene Personen können dazukommen',
  closedHint: 'Empfohlen. Sonst kann jeder in Ihrem Netz ein Konto anlegen.',
  submit: 'Konto anlegen',
  settingsFailed:
    'Ihr Konto ist fertig, aber der Name des Geschäfts konnte nicht gespeichert werden. Ändern Sie ihn später unter Einstellungen, Server.',
};
