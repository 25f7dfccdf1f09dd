/** The texts of mails in German; which there are, English says. */

import type { MailTexts } from './en.ts';
import { numberIn } from './format.ts';

const number = (value: number): string => numberIn('de', value);
const counted = (one: string, many: string) => (count: number) => (count === 1 ? one : `${number(count)} ${many}`);
const saying = (what: string, message: string): string => (message ? `${what} (${message})` : what);

const CAUSES: Readonly<Record<string, string>> = {
  alone: '; seinen Nachbarn im Netz geht es gut, er ist also ausgeschaltet, schläft oder ist abgesteckt',
  network: '; andere seines Netzes gingen mit ihm, es liegt also dort an Switch, WLAN oder Strom',
};

const kinds: MailTexts['kinds'] = {
  server: { many: counted('1 Sache am Server', 'Sachen am Server'), one: ({ message }) => message },
  screen_dark: {
    many: counted('1 dunkler Bildschirm', 'dunkle Bildschirme'),
    one: ({ cause }) => `nichts zu hören${CAUSES[cause] ?? ''}`,
  },
  screen_program: {
    many: counted('1 Bildschirm ohne sein neuestes Programm', 'Bildschirme ohne ihr neuestes Programm'),
    one: ({ message }) => saying('er hat sein neuestes Programm nicht', message),
  },
  screen_fault: {
    many: counted('1 Bildschirm, der etwas nicht zeigen konnte', 'Bildschirme, die etwas nicht zeigen konnten'),
    one: ({ message }) => saying('etwas ließ sich nicht zeigen', message),
  },
  screen_disk: {
    many: counted('1 volles Laufwerk', 'volle Laufwerke'),
    one: ({ value }) => `${value} % seines Laufwerks sind frei`,
  },
  screen_cpu: {
    many: counted('1 voller Prozessor', 'volle Prozessoren'),
    one: ({ value }) => `sein Prozessor ist zu ${value} % beschäftigt`,
  },
  screen_wifi: {
    many: counted('1 Bildschirm mit schwachem WLAN', 'Bildschirme mit schwachem WLAN'),
    one: ({ value }) => `sein WLAN ist schwach, ${value} dBm`,
  },
  screen_battery: {
    many: counted('1 leerer Akku', 'leere Akkus'),
    one: ({ value }) => `sein Akku hat ${value} %`,
  },
  screen_hot: {
    many: counted('1 zu heißer Bildschirm', 'zu heiße Bildschirme'),
    one: ({ value }) => `sein Prozessor hat ${value} °C`,
  },
  screen_clock: {
    many: counted('1 Bildschirm mit falscher Uhr', 'Bildschirme mit falscher Uhr'),
    one: ({ value }) => `seine eigene Uhr geht um ${value} s falsch`,
  },
  source_dead: {
    many: counted('1 Quelle, die ausbleibt', 'Quellen, die ausbleiben'),
    one: ({ message }) => saying('seine Nachrichten oder Vorhersage kommen nicht', message),
  },
  content_unfetched: {
    many: counted('1 Adresse, die sich nicht holen ließ', 'Adressen, die sich nicht holen ließen'),
    one: ({ message }) => saying('seine Adresse ließ sich nicht holen', message),
  },
  content_ends: {
    many: counted('1 Inhalt, der bald endet', 'Inhalte, die bald enden'),
    one: ({ until }) => `er ist zu sehen bis ${until}`,
  },
};

const problems: MailTexts['problems'] = {
  database_failing: 'Die Festplatte des Servers ist defekt',
  database_damaged: 'Die Datenbank ist beschädigt',
  keys_missing: 'Die Schlüssel des Servers fehlen',
  disk_full: 'Die Festplatte des Servers ist voll',
  media_damaged: 'Dateien sind beschädigt',
  https_failing: 'HTTPS geht nicht',
  media_missing: 'Dateien fehlen',
  backup_failed: 'Die Sicherung ist misslungen',
  backup_damaged: 'Dateien der Sicherungen sind beschädigt',
  backup_old: 'Die neueste Sicherung ist alt',
  clock_doubtful: 'Die Uhr des Servers geht vielleicht falsch',
  disk_low: 'Die Festplatte des Servers wird voll',
  certificate_ends: 'Ein Zertifikat läuft ab',
  mail_failing: 'Mails lassen sich nicht zustellen',
  webhook_failing: 'Der Webhook antwortet nicht',
  mqtt_failing: 'Der MQTT-Broker ist nicht erreichbar',
  no_ffmpeg: 'Videos haben keine Vorschau',
};

export const de: MailTexts = {
  kinds,
  problems,
  since: (what, moment) => `${what}, seit ${moment}`,
  andMore: (count) => `und ${number(count)} weitere`,
  lookHere: (link) => `Was zu tun ist, steht hier: ${link}`,
  things: counted('1 Sache braucht jemanden', 'Sachen brauchen jemanden'),
  updateStopped: 'Eine Aktualisierung der Bildschirme wurde angehalten',

  verification: ({ name, server, link }) => ({
    subject: `Bestätigen Sie Ihre Adresse für ${server}`,
    text: `Guten Tag ${name},

bitte bestätigen Sie, dass diese Adresse Ihnen gehört, indem Sie binnen 24 Stunden diesen Link öffnen:

${link}

Wenn Sie auf ${server} kein Konto angelegt haben, ist nichts zu tun; es geschieht nichts.
`,
  }),
  passwordSet: ({ name, server, organization, link }) => ({
    subject: `Jemand anderes hat Ihr Passwort für ${server} gesetzt`,
    text: `Guten Tag ${name},

wem ${organization} gehört, hat Ihrem Konto auf ${server} ein neues Passwort gegeben. Es öffnet die Arbeitsbereiche von ${organization} und sonst nichts, was Ihnen gehört.

Ist das so abgesprochen, melden Sie sich damit an und wählen Sie ein eigenes Passwort. Öffnen Sie erst danach diesen Link, binnen 24 Stunden; von da an öffnet Ihr Passwort wieder alles:

${link}

Haben Sie nicht darum gebeten, oder können Sie sich mit dem Passwort nicht anmelden, dann öffnen Sie den Link nicht. Bitten Sie stattdessen jemanden, der den Server verwaltet, um ein neues Passwort.
`,
  }),
  welcome: ({ name, server, link }) => ({
    subject: `Willkommen bei ${server}`,
    text: `Guten Tag ${name},

Ihr Konto ist bereit. Hier melden Sie sich an:

${link}

Die ersten Schritte: ein Foto oder Video hochladen, in eine Playlist setzen, veröffentlichen, einen Bildschirm verbinden.
`,
  }),
  newUser: ({ name, server, email }) => ({
    subject: `Neues Konto auf ${server}: ${email}`,
    text: `${name} (${email}) hat auf ${server} ein Konto angelegt.

Sie bekommen diese Mail, weil Sie den Server verwalten; „Mail an mich, wenn etwas nicht stimmt“ in Ihrem Konto stellt das ab.
`,
  }),
  invite: ({ to, server, workspace, inviter, link }) => ({
    subject: `${inviter} lädt Sie zu ${workspace} auf ${server} ein`,
    text: `${inviter} lädt Sie ein, an den Bildschirmen von ${workspace} mitzuarbeiten.

Öffnen Sie diesen Link binnen 7 Tagen; melden Sie sich an, oder legen Sie mit dieser Adresse (${to}) ein Konto an:

${link}
`,
  }),
  test: ({ server }) => ({
    subject: `${server}: Probe`,
    text: 'Das ist eine Probe. Meldungen über Bildschirme und den Server kommen an diese Adresse.\n',
  }),
  report: ({ name, month, from, to, link }) => ({
    subject: `${name}, ${month}`,
    text: `Im Anhang ist der Bericht „${name}“ vom ${from} bis ${to}: was geplant war und was gezeigt wurde.
${link ? `\nDie Tabelle aller Ausspielungen ist für eine Mail zu lang. Sie kann hier heruntergeladen werden:\n${link}\n` : ''}`,
  }),
  dark: ({ name, count, minutes, lines }) => ({
    subject:
      count === 1
        ? `${name} ist seit ${number(minutes)} Minuten dunkel`
        : `${number(count)} Bildschirme sind seit ${number(minutes)} Minuten dunkel`,
    text: `Von diesen Bildschirmen ist nichts mehr zu hören:

${lines}

Ein Bildschirm, dem nur das Netz fehlt, läuft weiter. Ist er eingeschaltet, und steckt sein Kabel?
`,
  }),
  assigned: ({ by, count, name, lines }) => ({
    subject:
      count === 1
        ? `${by} bittet Sie, sich um ${name} zu kümmern`
        : `${by} bittet Sie, sich um ${number(count)} Sachen zu kümmern`,
    text: `${by} bittet Sie, sich darum zu kümmern:

${lines}
`,
  }),
  askedBy: (playlist, who) => `${playlist}, Bitte von ${who}`,
  approval: ({ count, name, lines, link }) => ({
    subject: count === 1 ? `${name} wartet auf Ihre Freigabe` : `${number(count)} Playlists warten auf Ihre Freigabe`,
    text: `${lines}
Was sich auf den Bildschirmen ändern würde, steht hier: ${link}
`,
  }),
  digest: {
    subject: (open, day) =>
      open === 0
        ? `Nichts braucht Sie, ${day}`
        : `${counted('1 Sache braucht jemanden', 'Sachen brauchen jemanden')(open)}, ${day}`,
    nothing: 'Nichts braucht Sie. Bildschirme, Inhalte und Verbindungen sind, wie sie sein sollen.',
    now: 'Jetzt',
    recent: 'Seit gestern',
    came: (what) => `Gekommen: ${what}`,
    went: (what) => `Vorbei: ${what}`,
    endsSoon: 'Endet bald',
    ends: (name, until) => `${name}, bis ${until}`,
    yesterday: ({ uptime, plays }) =>
      `Gestern: ${uptime === undefined ? '' : `Die Bildschirme waren ${uptime} % der Zeit verbunden, `}${counted('1 Wiedergabe', 'Wiedergaben')(plays)}.`,
    why: (workspace) =>
      `Sie bekommen diese Mail einmal am Tag, weil Sie ${workspace} verwalten und Meldungen wollen. „Wann gemeldet wird“ auf der Seite der Meldungen ändert die Stunde oder beendet es.`,
  },
};
