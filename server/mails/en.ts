/**
 * English texts of e-mails. Plain text, which every mail program shows, and in which user input cannot become markup.
 * The German file must have the same texts (words.ts).
 */

import type { ProblemCode } from '../../shared/contract/problems.ts';
import type { AlertKind } from '../../shared/contract/server/alerts.ts';
import { numberIn } from './format.ts';

export interface Letter {
  readonly subject: string;
  readonly text: string;
}

/** Values of an alert, formatted in the language of the e-mail; '' for missing values. */
export interface WrittenFacts {
  readonly value: string;
  readonly until: string;
  /** Message of the server or the screen about the alert, as a sentence. */
  readonly message: string;
  readonly cause: string;
}

interface KindWords {
  /** Returns the text for several alerts of this kind: their number, without names. */
  readonly many: (count: number) => string;
  /** Returns the text that follows the name of the screen, content or widget of a single alert. */
  readonly one: (facts: WrittenFacts) => string;
}

const number = (value: number): string => numberIn('en', value);
const counted = (one: string, many: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${number(count)} ${many}`;
const saying = (what: string, message: string): string => (message ? `${what} (${message})` : what);

const CAUSES: Readonly<Record<string, string>> = {
  alone: '; other screens in its network are online, so check that its computer is on, awake and plugged in',
  network: '; other screens in its network are offline, too, so check the switch, the Wi-Fi and the power there',
};

const kinds: Readonly<Record<AlertKind, KindWords>> = {
  server: { many: counted('server problem', 'server problems'), one: ({ message }) => message },
  screen_dark: {
    many: counted('screen offline', 'screens offline'),
    one: ({ cause }) => `offline${CAUSES[cause] ?? ''}`,
  },
  screen_program: {
    many: counted('screen without its newest content', 'screens without their newest content'),
    one: ({ message }) => saying('does not have its newest content yet', message),
  },
  screen_fault: {
    many: counted('screen with playback errors', 'screens with playback errors'),
    one: ({ message }) => saying('playback error', message),
  },
  screen_disk: { many: counted('full disk', 'full disks'), one: ({ value }) => `disk ${value} % free` },
  screen_cpu: {
    many: counted('screen with high processor load', 'screens with high processor load'),
    one: ({ value }) => `processor load ${value} %`,
  },
  screen_wifi: {
    many: counted('screen with weak Wi-Fi', 'screens with weak Wi-Fi'),
    one: ({ value }) => `weak Wi-Fi, ${value} dBm`,
  },
  screen_battery: {
    many: counted('screen with low battery', 'screens with low battery'),
    one: ({ value }) => `battery at ${value} %`,
  },
  screen_hot: {
    many: counted('screen that is too hot', 'screens that are too hot'),
    one: ({ value }) => `processor at ${value} °C`,
  },
  screen_clock: {
    many: counted('screen with a wrong clock', 'screens with a wrong clock'),
    one: ({ value }) => `clock is wrong by ${value} s`,
  },
  source_dead: {
    many: counted('feed or forecast not updating', 'feeds or forecasts not updating'),
    one: ({ message }) => saying('feed or forecast is not updating', message),
  },
  content_unfetched: {
    many: counted('failed download', 'failed downloads'),
    one: ({ message }) => saying('could not be downloaded from its address', message),
  },
  content_ends: {
    many: counted('content item that ends soon', 'content items that end soon'),
    one: ({ until }) => `shown until ${until}`,
  },
};

const problems: Readonly<Record<ProblemCode, string>> = {
  database_failing: 'The server’s disk is failing',
  database_damaged: 'The database is damaged',
  keys_missing: 'The keys of the server are missing',
  disk_full: 'The server’s disk is full',
  media_damaged: 'Files are damaged',
  https_failing: 'HTTPS does not work',
  media_missing: 'Files are missing',
  backup_failed: 'The backup failed',
  backup_damaged: 'Backup files are damaged',
  backup_old: 'The newest backup is old',
  clock_doubtful: 'The clock of the server may be wrong',
  disk_low: 'The server’s disk is getting full',
  certificate_ends: 'A certificate expires',
  mail_failing: 'E-mails cannot be delivered',
  webhook_failing: 'The webhook does not answer',
  postgres_failing: 'The database of plays (PostgreSQL) does not work',
  hub_failing: 'The hub (nats-server) is not connected',
  mqtt_failing: 'The MQTT broker cannot be reached',
  no_ffmpeg: 'Videos have no previews',
};

export const en = {
  kinds,
  problems,
  since: (what: string, moment: string): string => `${what}, since ${moment}`,
  andMore: (count: number): string => `and ${number(count)} more`,
  /** Returns the sentence with the link, which follows the list of alerts. */
  lookHere: (link: string): string => `See how to fix it: ${link}`,
  things: counted('open alert', 'open alerts'),
  updateStopped: 'A rollout to screens has stopped',

  verification: ({ name, server, link }: { name: string; server: string; link: string }): Letter => ({
    subject: `Confirm your address for ${server}`,
    text: `Hello ${name},

please confirm your address. Open this link within 24 hours:

${link}

If you did not create an account on ${server}, you can ignore this e-mail.
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

an owner of ${organization} has set a new password for your account on ${server}. It opens only the workspaces of ${organization}.

If you agreed to this, sign in with the password and choose your own. Then open this link within 24 hours, so that your password opens all your workspaces again:

${link}

If you did not ask for this, or cannot sign in with the password, do not open the link. Ask an administrator of the server for a new password.
`,
  }),
  welcome: ({ name, server, link }: { name: string; server: string; link: string }): Letter => ({
    subject: `Welcome to ${server}`,
    text: `Hello ${name},

your account is ready. Sign in here:

${link}

First steps: upload an image or a video, add it to a playlist, publish the playlist, and connect a screen.
`,
  }),
  newUser: ({ name, server, email }: { name: string; server: string; email: string }): Letter => ({
    subject: `New user on ${server}: ${email}`,
    text: `${name} (${email}) has created an account on ${server}.

You get this e-mail because you are an administrator of the server. To stop these e-mails, turn off “E-mail me about alerts” in your account.
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
    text: `${inviter} invites you to manage the screens of ${workspace}.

Open this link within 7 days, then sign in or create an account with this address (${to}):

${link}
`,
  }),
  test: ({ server }: { server: string }): Letter => ({
    subject: `${server}: test`,
    text: 'This is a test. Alerts about screens and the server are sent to this address.\n',
  }),
  /** @param link download address of a table that is too long for an e-mail; undefined: the table is attached */
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
    text: `The report “${name}” from ${from} to ${to} is attached. It compares planned and shown content.
${link ? `\nThe table of all plays is too large for an e-mail. Download it here:\n${link}\n` : ''}`,
  }),
  dark: ({ name, count, minutes, lines }: { name: string; count: number; minutes: number; lines: string }): Letter => ({
    subject:
      count === 1
        ? `${name} has been offline for ${number(minutes)} minutes`
        : `${number(count)} screens have been offline for ${number(minutes)} minutes`,
    text: `These screens are offline:

${lines}

Check that their computers are on and plugged in. If only the network is down, the screens keep playing.
`,
  }),
  assigned: ({ by, count, name, lines }: { by: string; count: number; name: string; lines: string }): Letter => ({
    subject: count === 1 ? `${by} assigned ${name} to you` : `${by} assigned ${number(count)} alerts to you`,
    text: `${by} assigned to you:

${lines}
`,
  }),
  askedBy: (playlist: string, who: string): string => `${playlist}, requested by ${who}`,
  approval: ({ count, name, lines, link }: { count: number; name: string; lines: string; link: string }): Letter => ({
    subject:
      count === 1 ? `${name} is waiting for your approval` : `${number(count)} playlists are waiting for your approval`,
    text: `${lines}
See the changes: ${link}
`,
  }),
  digest: {
    subject: (open: number, day: string): string =>
      open === 0 ? `No open alerts, ${day}` : `${counted('open alert', 'open alerts')(open)}, ${day}`,
    nothing: 'No open alerts. Screens, content and connections have no problems.',
    now: 'Open',
    recent: 'Since yesterday',
    came: (what: string): string => `New: ${what}`,
    went: (what: string): string => `Resolved: ${what}`,
    endsSoon: 'Ends soon',
    ends: (name: string, until: string): string => `${name}, until ${until}`,
    yesterday: ({ uptime, plays }: { uptime: string | undefined; plays: number }): string =>
      `Yesterday: ${uptime === undefined ? '' : `screens were online for ${uptime} % of the time, `}${counted('play', 'plays')(plays)}.`,
    why: (workspace: string): string =>
      `You get this e-mail every day because you are an administrator of ${workspace} and receive e-mails about alerts. Open Alerts, Alert rules to change the hour or to turn it off.`,
  },
};

export type MailTexts = typeof en;
