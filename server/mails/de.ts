/** German texts of e-mails. The English file (en.ts) defines which texts must exist. */

import type { MailTexts } from './en.ts';
import { numberIn } from './format.ts';

const number = (value: number): string => numberIn('de', value);
const counted = (one: string, many: string) => (count: number) => (count === 1 ? one : `${number(count)} ${many}`);
const saying = (what: string, message: string): string => (message ? `${what} (${message})` : what);

const CAUSES: Readonly<Record<string, string>> = {
  alone:
    '; andere Bildschirme in seinem Netz sind online, also prüfen Sie, ob sein Rechner an, wach und angeschlossen ist',
  network: '; auch andere Bildschirme in seinem Netz sind offline, also prüfen Sie dort Switch, WLAN und Strom',
};

const kinds: MailTexts['kinds'] = {
  server: { many: counted('1 Problem des Servers', 'Probleme des Servers'), one: ({ message }) => message },
  screen_dark: {
    many: counted('1 Bildschirm offline', 'Bildschirme offline'),
    one: ({ cause }) => `offline${CAUSES[cause] ?? ''}`,
  },
  screen_program: {
    many: counted('1 Bildschirm ohne seine neuesten Inhalte', 'Bildschirme ohne ihre neuesten Inhalte'),
    one: ({ message }) => saying('hat seine neuesten Inhalte noch nicht', message),
  },
  screen_fault: {
    many: counted('1 Bildschirm mit Wiedergabefehlern', 'Bildschirme mit Wiedergabefehlern'),
    one: ({ message }) => saying('Wiedergabefehler', message),
  },
  screen_disk: {
    many: counted('1 volles Laufwerk', 'volle Laufwerke'),
    one: ({ value }) => `Laufwerk zu ${value} % frei`,
  },
  screen_cpu: {
    many: counted('1 Bildschirm mit hoher Prozessorlast', 'Bildschirme mit hoher Prozessorlast'),
    one: ({ value }) => `Prozessorlast ${value} %`,
  },
  screen_wifi: {
    many: counted('1 Bildschirm mit schwachem WLAN', 'Bildschirme mit schwachem WLAN'),
    one: ({ value }) => `schwaches WLAN, ${value} dBm`,
  },
  screen_battery: {
    many: counted('1 Bildschirm mit schwachem Akku', 'Bildschirme mit schwachem Akku'),
    one: ({ value }) => `Akku bei ${value} %`,
  },
  screen_hot: {
    many: counted('1 zu heißer Bildschirm', 'zu heiße Bildschirme'),
    one: ({ value }) => `Prozessor bei ${value} °C`,
  },
  screen_clock: {
    many: counted('1 Bildschirm mit falscher Uhr', 'Bildschirme mit falscher Uhr'),
    one: ({ value }) => `Uhr geht um ${value} s falsch`,
  },
  source_dead: {
    many: counted('1 Feed oder Vorhersage ohne Aktualisierung', 'Feeds oder Vorhersagen ohne Aktualisierung'),
    one: ({ message }) => saying('Feed oder Vorhersage wird nicht aktualisiert', message),
  },
  content_unfetched: {
    many: counted('1 fehlgeschlagener Download', 'fehlgeschlagene Downloads'),
    one: ({ message }) => saying('ließ sich nicht von seiner Adresse herunterladen', message),
  },
  content_ends: {
    many: counted('1 Inhalt, der bald endet', 'Inhalte, die bald enden'),
    one: ({ until }) => `zu sehen bis ${until}`,
  },
};

const problems: MailTexts['problems'] = {
  database_failing: 'Das Laufwerk des Servers versagt',
  database_damaged: 'Die Datenbank ist beschädigt',
  keys_missing: 'Die Schlüssel des Servers fehlen',
  disk_full: 'Das Laufwerk des Servers ist voll',
  media_damaged: 'Dateien sind beschädigt',
  https_failing: 'HTTPS funktioniert nicht',
  media_missing: 'Dateien fehlen',
  backup_failed: 'Die Sicherung ist fehlgeschlagen',
  backup_damaged: 'Sicherungsdateien sind beschädigt',
  backup_old: 'Die neueste Sicherung ist alt',
  clock_doubtful: 'Die Uhr des Servers geht vielleicht falsch',
  disk_low: 'Das Laufwerk des Servers wird voll',
  certificate_ends: 'Ein Zertifikat läuft ab',
  mail_failing: 'E-Mails lassen sich nicht zustellen',
  webhook_failing: 'Der Webhook antwortet nicht',
  postgres_failing: 'Die Datenbank der Wiedergaben (PostgreSQL) funktioniert nicht',
  hub_failing: 'Der Hub (nats-server) ist nicht verbunden',
  mqtt_failing: 'Der MQTT-Broker ist nicht erreichbar',
  no_ffmpeg: 'Videos haben keine Vorschau',
};

export const de: MailTexts = {
  kinds,
  problems,
  since: (what, moment) => `${what}, seit ${moment}`,
  andMore: (count) => `und ${number(count)} weitere`,
  lookHere: (link) => `Was zu tun ist, sehen Sie hier: ${link}`,
  things: counted('1 offene Meldung', 'offene Meldungen'),
  updateStopped: 'Eine Verteilung an Bildschirme wurde angehalten',

  verification: ({ name, server, link }) => ({
    subject: `Bestätigen Sie Ihre Adresse für ${server}`,
    text: `Guten Tag ${name},

bitte bestätigen Sie Ihre Adresse. Öffnen Sie dazu innerhalb von 24 Stunden diesen Link:

${link}

Wenn Sie auf ${server} kein Konto angelegt haben, können Sie diese E-Mail ignorieren.
`,
  }),
  passwordSet: ({ name, server, organization, link }) => ({
    subject: `Jemand anderes hat Ihr Passwort für ${server} gesetzt`,
    text: `Guten Tag ${name},

ein Inhaber von ${organization} hat für Ihr Konto auf ${server} ein neues Passwort gesetzt. Es öffnet nur die Arbeitsbereiche von ${organization}.

Wenn das abgesprochen ist, melden Sie sich damit an und wählen ein eigenes. Öffnen Sie danach innerhalb von 24 Stunden diesen Link, damit Ihr Passwort wieder alle Ihre Arbeitsbereiche öffnet:

${link}

Wenn Sie nicht darum gebeten haben oder sich mit dem Passwort nicht anmelden können, öffnen Sie den Link nicht. Bitten Sie die Administration des Servers um ein neues Passwort.
`,
  }),
  welcome: ({ name, server, link }) => ({
    subject: `Willkommen bei ${server}`,
    text: `Guten Tag ${name},

Ihr Konto ist bereit. Hier melden Sie sich an:

${link}

Die ersten Schritte: ein Bild oder Video hochladen, in eine Playlist aufnehmen, die Playlist veröffentlichen und einen Bildschirm verbinden.
`,
  }),
  newUser: ({ name, server, email }) => ({
    subject: `Neues Konto auf ${server}: ${email}`,
    text: `${name} (${email}) hat auf ${server} ein Konto angelegt.

Sie bekommen diese E-Mail, weil Sie den Server verwalten. Um sie abzustellen, schalten Sie „E-Mail an mich bei Meldungen“ in Ihrem Konto aus.
`,
  }),
  invite: ({ to, server, workspace, inviter, link }) => ({
    subject: `${inviter} lädt Sie zu ${workspace} auf ${server} ein`,
    text: `${inviter} lädt Sie ein, die Bildschirme von ${workspace} zu verwalten.

Öffnen Sie diesen Link innerhalb von 7 Tagen. Melden Sie sich dann an, oder legen Sie mit dieser Adresse (${to}) ein Konto an:

${link}
`,
  }),
  test: ({ server }) => ({
    subject: `${server}: Probe`,
    text: 'Das ist ein Test. Meldungen über Bildschirme und den Server werden an diese Adresse gesendet.\n',
  }),
  report: ({ name, month, from, to, link }) => ({
    subject: `${name}, ${month}`,
    text: `Im Anhang ist der Bericht „${name}“ vom ${from} bis ${to}. Er vergleicht geplante und gezeigte Inhalte.
${link ? `\nDie Tabelle aller Wiedergaben ist für eine E-Mail zu groß. Laden Sie sie hier herunter:\n${link}\n` : ''}`,
  }),
  dark: ({ name, count, minutes, lines }) => ({
    subject:
      count === 1
        ? `${name} ist seit ${number(minutes)} Minuten offline`
        : `${number(count)} Bildschirme sind seit ${number(minutes)} Minuten offline`,
    text: `Diese Bildschirme sind offline:

${lines}

Prüfen Sie, ob ihre Rechner an und angeschlossen sind. Fehlt nur das Netz, spielen die Bildschirme weiter.
`,
  }),
  assigned: ({ by, count, name, lines }) => ({
    subject:
      count === 1 ? `${by} hat Ihnen ${name} zugewiesen` : `${by} hat Ihnen ${number(count)} Meldungen zugewiesen`,
    text: `${by} hat Ihnen zugewiesen:

${lines}
`,
  }),
  askedBy: (playlist, who) => `${playlist}, Bitte von ${who}`,
  approval: ({ count, name, lines, link }) => ({
    subject: count === 1 ? `${name} wartet auf Ihre Freigabe` : `${number(count)} Playlists warten auf Ihre Freigabe`,
    text: `${lines}
Die Änderungen sehen Sie hier: ${link}
`,
  }),
  digest: {
    subject: (open, day) =>
      open === 0
        ? `Keine offenen Meldungen, ${day}`
        : `${counted('1 offene Meldung', 'offene Meldungen')(open)}, ${day}`,
    nothing: 'Keine offenen Meldungen. Bildschirme, Inhalte und Verbindungen haben keine Probleme.',
    now: 'Offen',
    recent: 'Seit gestern',
    came: (what) => `Neu: ${what}`,
    went: (what) => `Behoben: ${what}`,
    endsSoon: 'Endet bald',
    ends: (name, until) => `${name}, bis ${until}`,
    yesterday: ({ uptime, plays }) =>
      `Gestern: ${uptime === undefined ? '' : `Die Bildschirme waren ${uptime} % der Zeit online, `}${counted('1 Wiedergabe', 'Wiedergaben')(plays)}.`,
    why: (workspace) =>
      `Sie bekommen diese E-Mail täglich, weil Sie ${workspace} verwalten und E-Mails über Meldungen erhalten. Unter Meldungen, Regeln für Meldungen ändern Sie die Stunde oder schalten sie aus.`,
  },
};
