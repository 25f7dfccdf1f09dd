/**
 * The texts of mails. They are plain text: it arrives everywhere, and nothing a user typed can become markup. What
 * German must have follows from them (words.ts).
 */
import type { AlertKind } from '../../shared/contract/alerts.ts';
import type { ProblemCode } from '../../shared/contract/problems.ts';
import { numberIn } from './format.ts';

export interface Letter {
  readonly subject: string;
  readonly text: string;
}

/** Values of an alert, as they are written in the language of the mail; '' where it has none. */
export interface WrittenFacts {
  readonly value: string;
  readonly until: string;
  /** What the server or the screen said. */
  readonly message: string;
  readonly cause: string;
}

interface KindWords {
  /** So many of them, without their names. */
  readonly many: (count: number) => string;
  /** After the name of the one that it is about. */
  readonly one: (facts: WrittenFacts) => string;
}

const number = (value: number): string => numberIn('en', value);
const counted = (one: string, many: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${number(count)} ${many}`;
const saying = (what: string, message: string): string => (message ? `${what} (${message})` : what);

const CAUSES: Readonly<Record<string, string>> = {
  alone: '; its neighbours in the network are fine, so it is switched off, asleep or unplugged',
  network: '; others of its network went with it, so it is the switch, the Wi-Fi or the power there',
};

const kinds: Readonly<Record<AlertKind, KindWords>> = {
  server: { many: counted('trouble of the server', 'troubles of the server'), one: ({ message }) => message },
  screen_dark: {
    many: counted('dark screen', 'dark screens'),
    one: ({ cause }) => `not heard of${CAUSES[cause] ?? ''}`,
  },
  screen_program: {
    many: counted('screen without its newest program', 'screens without their newest program'),
    one: ({ message }) => saying('it does not have its newest program', message),
  },
  screen_fault: {
    many: counted('screen that could not show something', 'screens that could not show something'),
    one: ({ message }) => saying('something could not be shown', message),
  },
  screen_disk: { many: counted('full disk', 'full disks'), one: ({ value }) => `${value} % of its disk are free` },
  screen_cpu: {
    many: counted('busy processor', 'busy processors'),
    one: ({ value }) => `its processor is busy for ${value} %`,
  },
  screen_wifi: {
    many: counted('weak Wi-Fi', 'screens with weak Wi-Fi'),
    one: ({ value }) => `its Wi-Fi is weak, ${value} dBm`,
  },
  screen_battery: {
    many: counted('empty battery', 'empty batteries'),
    one: ({ value }) => `its battery has ${value} %`,
  },
  screen_hot: {
    many: counted('screen that is too hot', 'screens that are too hot'),
    one: ({ value }) => `its processor has ${value} °C`,
  },
  screen_clock: {
    many: counted('screen with a wrong clock', 'screens with a wrong clock'),
    one: ({ value }) => `its own clock is off by ${value} s`,
  },
  source_dead: {
    many: counted('feed or forecast that does not come', 'feeds and forecasts that do not come'),
    one: ({ message }) => saying('its feed or forecast does not come', message),
  },
  content_unfetched: {
    many: counted('address that could not be fetched', 'addresses that could not be fetched'),
    one: ({ message }) => saying('its address could not be fetched', message),
  },
  content_ends: {
    many: counted('content that ends soon', 'contents that end soon'),
    one: ({ until }) => `it is shown until ${until}`,
  },
};

const problems: Readonly<Record<ProblemCode, string>> = {
  database_failing: 'The server’s disk fails',
  database_damaged: 'The database is damaged',
  keys_missing: 'The keys of the server are missing',
  disk_full: 'The server’s disk is full',
  media_damaged: 'Files are damaged',
  https_failing: 'HTTPS does not work',
  media_missing: 'Files are missing',
  backup_failed: 'The backup failed',
  backup_damaged: 'Files of the backups are damaged',
  backup_old: 'The newest backup is old',
  clock_doubtful: 'The clock of the server may be wrong',
  disk_low: 'The server’s disk is getting full',
  certificate_ends: 'A certificate ends',
  mail_failing: 'Mails cannot be delivered',
  webhook_failing: 'The webhook does not answer',
  mqtt_failing: 'The MQTT broker cannot be reached',
  no_ffmpeg: 'Videos have no previews',
};

export const en = {
  kinds,
  problems,
  since: (what: string, moment: string): string => `${what}, since ${moment}`,
  andMore: (count: number): string => `and ${number(count)} more`,
  /** Below what needs somebody. */
  lookHere: (link: string): string => `What to do is here: ${link}`,
  things: counted('thing needs somebody', 'things need somebody'),
  updateStopped: 'An update of the screens stopped',

  verification: ({ name, server, link }: { name: string; server: string; link: string }): Letter => ({
    subject: `Confirm your address for ${server}`,
    text: `Hello ${name},

please confirm that this address is yours by opening this link within 24 hours:

${link}

If you did not make an account on ${server}, ignore this mail; nothing happens.
`,
  }),
  passwordSet: ({
    name,
    server,
    organization,
    link,
  }: {
    name: string;
    server: string;
    organization: string;
    link: string;
  }): Letter => ({
    subject: `Your password for ${server} was set by somebody else`,
    text: `Hello ${name},

an owner of ${organization} has given your account on ${server} a new password. It opens the workspaces of ${organization} and nothing else that is yours.

If that is as agreed, sign in with it and choose a password of your own. Only after that open this link within 24 hours; from then on your password opens everything again:

${link}

If you did not ask for it, or cannot sign in with the password you were given, do not open the link. Ask an administrator of the server for a new password instead.
`,
  }),
  welcome: ({ name, server, link }: { name: string; server: string; link: string }): Letter => ({
    subject: `Welcome to ${server}`,
    text: `Hello ${name},

your account is ready. Sign in here:

${link}

First steps: upload a photo or a video, put it into a playlist, publish it, pair a screen.
`,
  }),
  newUser: ({ name, server, email }: { name: string; server: string; email: string }): Letter => ({
    subject: `New user on ${server}: ${email}`,
    text: `${name} (${email}) has made an account on ${server}.

You get this mail because you administer the server; “Mail me when something is wrong” in your account ends it.
`,
  }),
  invite: ({
    to,
    server,
    workspace,
    inviter,
    link,
  }: {
    to: string;
    server: string;
    workspace: string;
    inviter: string;
    link: string;
  }): Letter => ({
    subject: `${inviter} invites you to ${workspace} on ${server}`,
    text: `${inviter} invites you to work on the screens of ${workspace}.

Open this link within 7 days; sign in or make an account with this address (${to}):

${link}
`,
  }),
  test: ({ server }: { server: string }): Letter => ({
    subject: `${server}: test`,
    text: 'This is a test. Notices about screens and the server come to this address.\n',
  }),
  /** @param link where the table can be fetched that is too long for a mail; undefined: it is attached */
  report: ({
    name,
    month,
    from,
    to,
    link,
  }: {
    name: string;
    month: string;
    from: string;
    to: string;
    link: string | undefined;
  }): Letter => ({
    subject: `${name}, ${month}`,
    text: `Attached is the report “${name}” of ${from} to ${to}, with what was planned beside what was shown.
${link ? `\nThe table of all plays is too long for a mail. It can be downloaded here:\n${link}\n` : ''}`,
  }),
  dark: ({ name, count, minutes, lines }: { name: string; count: number; minutes: number; lines: string }): Letter => ({
    subject:
      count === 1
        ? `${name} has been dark for ${number(minutes)} minutes`
        : `${number(count)} screens have been dark for ${number(minutes)} minutes`,
    text: `These screens are not heard of any more:

${lines}

A screen that is only cut off from the network goes on playing. Is it switched on, and is its cable in?
`,
  }),
  assigned: ({ by, count, name, lines }: { by: string; count: number; name: string; lines: string }): Letter => ({
    subject:
      count === 1 ? `${by} asks you to take care of ${name}` : `${by} asks you to take care of ${number(count)} things`,
    text: `${by} asks you to take care of this:

${lines}
`,
  }),
  askedBy: (playlist: string, who: string): string => `${playlist}, asked for by ${who}`,
  approval: ({ count, name, lines, link }: { count: number; name: string; lines: string; link: string }): Letter => ({
    subject: count === 1 ? `${name} waits for your approval` : `${number(count)} playlists wait for your approval`,
    text: `${lines}
What would change on screens is here: ${link}
`,
  }),
  digest: {
    subject: (open: number, day: string): string =>
      open === 0
        ? `Nothing needs you, ${day}`
        : `${counted('thing needs somebody', 'things need somebody')(open)}, ${day}`,
    nothing: 'Nothing needs you. Screens, content and connections are as they should be.',
    now: 'Now',
    recent: 'Since yesterday',
    came: (what: string): string => `Came: ${what}`,
    went: (what: string): string => `Over: ${what}`,
    endsSoon: 'Ends soon',
    ends: (name: string, until: string): string => `${name}, until ${until}`,
    yesterday: ({ uptime, plays }: { uptime: string | undefined; plays: number }): string =>
      `Yesterday: ${uptime === undefined ? '' : `screens were online for ${uptime} % of the time, `}${counted('play', 'plays')(plays)}.`,
    why: (workspace: string): string =>
      `You get this mail once a day because you administer ${workspace} and want alerts. “When to tell” on the page of alerts changes the hour, or ends it.`,
  },
};

export type MailTexts = typeof en;
