/**
 * What needs a person: an addition to the contract. Each alert is raised once when something has been wrong for long
 * enough, and ends by itself when it is not any more.
 */
import { z } from 'zod';
import { each, everything, nothing } from './acts.ts';
import { endpointsOf, read, write } from './endpoint.ts';
import { Epoch, Id, Int, paging, queryId, queryWord, whole } from './fields.ts';
import { isProblem, PROBLEMS } from './problems.ts';

const endpoint = endpointsOf('Alerts');

interface Declaration {
  readonly of: 'server' | 'device' | 'widget' | 'content';
  readonly severity: 'bad' | 'warn';
  /** From when on it is wrong; absent: it is or it is not. */
  readonly threshold?: {
    readonly usual: number;
    readonly min: number;
    readonly max: number;
    readonly unit: '%' | 'dBm' | 'd' | '°C' | 's';
  };
  /** For how many minutes it must have been so. */
  readonly minutes: number;
  /** Told by mail, where people do not say otherwise; a screen that is dark has a mail of its own (`dark_mail`). */
  readonly mail: boolean;
}

/** The worst first: in this order they are shown. */
export const ALERTS = {
  /** One of PROBLEMS, whose code it refers to and which says how bad it is: for who administers the server. */
  server: { of: 'server', severity: 'bad', minutes: 0, mail: true },
  /** Not heard of. */
  screen_dark: { of: 'device', severity: 'bad', minutes: 5, mail: false },
  /** The newest program is not on it: files are missing, or do not fit. */
  screen_program: { of: 'device', severity: 'bad', minutes: 15, mail: true },
  /** Something that it should show could not be shown. */
  screen_fault: { of: 'device', severity: 'bad', minutes: 0, mail: false },
  /** Percent of its disk that are free, at the most. */
  screen_disk: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 5, min: 1, max: 50, unit: '%' },
    minutes: 0,
    mail: true,
  },
  /** Percent of the processor, at least. */
  screen_cpu: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 95, min: 50, max: 100, unit: '%' },
    minutes: 10,
    mail: false,
  },
  /** dBm, at the most. */
  screen_wifi: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: -80, min: -100, max: -30, unit: 'dBm' },
    minutes: 10,
    mail: false,
  },
  /** Percent of the battery, at the most, while it is not charged. */
  screen_battery: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 15, min: 1, max: 90, unit: '%' },
    minutes: 0,
    mail: true,
  },
  /** Degrees Celsius of its processor, at least. */
  screen_hot: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 85, min: 40, max: 120, unit: '°C' },
    minutes: 5,
    mail: true,
  },
  /** Seconds that its own clock is off, at least: without the server it would change at the wrong time. */
  screen_clock: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 10, min: 1, max: 3600, unit: 's' },
    minutes: 5,
    mail: false,
  },
  /** A feed or forecast that was not had for so long. */
  source_dead: { of: 'widget', severity: 'warn', minutes: 60, mail: true },
  /** The copy of an address that could not be fetched. */
  content_unfetched: { of: 'content', severity: 'warn', minutes: 60, mail: false },
  /** Days until it ends, at the most, while it is in a playlist. */
  content_ends: {
    of: 'content',
    severity: 'warn',
    threshold: { usual: 2, min: 1, max: 30, unit: 'd' },
    minutes: 0,
    mail: false,
  },
} as const satisfies Record<string, Declaration>;
export type AlertKind = keyof typeof ALERTS;
export const ALERT_KINDS = Object.keys(ALERTS) as AlertKind[];
const Kind = z.enum(ALERT_KINDS as [AlertKind, ...AlertKind[]]);
/** Those of which a workspace says from when on they need somebody. What is wrong with the server does at once. */
export type RuledKind = Exclude<AlertKind, 'server'>;
export const RULED_KINDS = ALERT_KINDS.filter((kind): kind is RuledKind => kind !== 'server');
const RuledKind = z.enum(RULED_KINDS as [RuledKind, ...RuledKind[]]);
export const thresholdOf = (kind: AlertKind): Declaration['threshold'] => (ALERTS[kind] as Declaration).threshold;
/** @param ref what it is about: of the server the code of its problem */
export const severityOf = (kind: AlertKind, ref: string): Declaration['severity'] =>
  kind === 'server' && isProblem(ref) ? PROBLEMS[ref].severity : ALERTS[kind].severity;

/** The lower the worse: in this order they are shown. */
export const rankOf = (kind: AlertKind, ref: string): number =>
  (severityOf(kind, ref) === 'bad' ? 0 : ALERT_KINDS.length) + ALERT_KINDS.indexOf(kind);

/** Why a screen is not heard of, as far as its neighbours tell: those with an address of the same network. */
export const darkCauses = ['alone', 'network', 'unknown'] as const;
export type DarkCause = (typeof darkCauses)[number];

/** Alerts that are over are kept for so many days. */
export const ALERTS_KEPT_DAYS = 90;
/** At once. */
export const MAX_MARKED = 500;

export const Alert = z.object({
  id: z.string(),
  kind: Kind,
  severity: z.enum(['bad', 'warn']),
  of: z.enum(['server', 'device', 'widget', 'content']),
  /** Its id; of the server the code of its problem. */
  ref: z.string(),
  /** What it was called. */
  name: z.string(),
  /**
   * What its words are made of: `value` and `threshold`, `message`, `cause`, `address`, `neighbours`, `until`, `level` and `count`
   * of open faults, `items` (ids of the playlist items that fail, with commas between them).
   */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  since: Epoch,
  /** Null: it lasts. */
  ended_at: Epoch.nullable(),
  acknowledged_at: Epoch.nullable(),
  acknowledged_by: z.string().nullable(),
  /** User id and name of who takes care of it. */
  assigned_to: z.string().nullable(),
  assigned_name: z.string().nullable(),
  /** Until then it counts for nobody. */
  muted_until: Epoch.nullable(),
});
export type Alert = z.infer<typeof Alert>;

export const listAlerts = endpoint('GET /api/alerts', {
  name: 'listAlerts',
  summary: 'What needs a person, the worst first; or what did, the newest first',
  description: `state open: what lasts; ended: what is over, for ${ALERTS_KEPT_DAYS} days. What is wrong with the server itself (kind \`server\`, \`ref\` is a code of \`problems\` in /api/server/status) is there for platform administrators, by a session, in each of their workspaces. A screen that is not heard of tells its likely cause in facts: \`alone\` (its neighbours are fine: it is switched off, asleep or unplugged), \`network\` (its neighbours went with it), \`unknown\`. An alert about what a screen cannot show (\`screen_fault\`) names the newest fault in \`message\`, the most serious level in \`level\`, the number of open faults in \`count\` and the playlist items that fail in \`items\`. It ends when all of them play again or have left the program of the screen.`,
  access: read,
  query: z.object({
    state: queryWord(['open', 'ended'], 'open'),
    kind: queryWord(ALERT_KINDS as [AlertKind, ...AlertKind[]]),
    /** What it is about: id of a screen, widget or content. */
    ref: queryId,
    /** Whose: mine, or nobody’s. */
    assigned: queryWord(['me', 'nobody']),
    ...paging(200, 500),
  }),
  response: z.array(Alert),
});

export const markAlerts = endpoint('POST /api/alerts/mark', {
  name: 'markAlerts',
  summary: 'Acknowledge, take, assign or mute alerts',
  description: `Those named by ids, up to ${MAX_MARKED} at once, or all of a kind that last; those that are over or of another workspace are left out, and the answer says how many were marked. Members that are absent stay as they are. taken: true makes them yours, false nobody’s; assigned_to makes them somebody else’s, a member of the workspace (of those about the server: a platform administrator), who gets a mail if they want alerts. One of the two. Who leaves the workspace leaves what was assigned.`,
  access: write,
  acts: ({ body }) => (body.kind === undefined ? each('alert', body.ids ?? []) : [everything]),
  shows: nothing,
  body: z.object({
    ids: z
      .array(Id)
      .min(1, 'must name at least one alert')
      .max(MAX_MARKED, `must be at most ${MAX_MARKED} alerts`)
      .optional(),
    /** In place of ids. */
    kind: Kind.optional(),
    acknowledged: z.boolean('must be true or false').optional(),
    taken: z.boolean('must be true or false').optional(),
    /** User id; null: nobody’s. */
    assigned_to: Id.nullish(),
    /** Epoch seconds; null: no longer. */
    muted_until: z.number().int('must be epoch seconds').min(0).max(32_503_680_000).nullish(),
  }),
  response: z.object({ marked: Int }),
});

export const AlertRule = z.object({
  kind: RuledKind,
  enabled: z.boolean(),
  /** In the unit of its kind; null: it has none. */
  threshold: z.number().nullable(),
  minutes: Int,
  /** Whom it is told to, beside the page. */
  mail: z.boolean(),
  webhook: z.boolean(),
  mqtt: z.boolean(),
});
export type AlertRule = z.infer<typeof AlertRule>;

export const listAlertRules = endpoint('GET /api/alert-rules', {
  name: 'listAlertRules',
  summary: 'From when on something needs a person in this workspace, and who is told',
  description:
    'All that is raised within a minute is told at once: in one mail to each administrator who wants alerts, in one call of the server’s webhook and one message by MQTT (`alert.raised`, then `alert.ended`). What comes and goes is told once an hour at most: raised again within an hour of when it was told last it is on the page, and told once that hour is over if it still lasts; its end is told if its beginning was.',
  access: read,
  response: z.array(AlertRule),
});

export const updateAlertRule = endpoint('PUT /api/alert-rules', {
  name: 'updateAlertRule',
  summary: 'Change one of them',
  description:
    'Members that are absent stay as they are; null makes one usual again. For administrators of the workspace.',
  access: write,
  acts: nothing,
  shows: nothing,
  body: z.object({
    kind: RuledKind,
    enabled: z.boolean('must be true or false').nullish(),
    threshold: z.number('must be a number').nullish(),
    minutes: whole(0, 1440).nullish(),
    mail: z.boolean('must be true or false').nullish(),
    webhook: z.boolean('must be true or false').nullish(),
    mqtt: z.boolean('must be true or false').nullish(),
  }),
  response: AlertRule,
});

export const AlertDigest = z.object({
  enabled: z.boolean(),
  /** Of the day, in the zone of the server. */
  hour: Int,
  /** A short mail also when nothing needs somebody; otherwise none. */
  when_nothing: z.boolean(),
});
export type AlertDigest = z.infer<typeof AlertDigest>;

export const getAlertDigest = endpoint('GET /api/alert-digest', {
  name: 'getAlertDigest',
  summary: 'Whether and when the administrators of this workspace get a mail with what needs them',
  access: read,
  response: AlertDigest,
});

export const updateAlertDigest = endpoint('PUT /api/alert-digest', {
  name: 'updateAlertDigest',
  summary: 'Have a mail a day with what needs somebody',
  description:
    'Off until it is switched on. Once a day, from that hour on by the server’s clock, those administrators who want alerts get a mail with what lasts, the worst first; what came and went since the day before; what ends within a week; and how long screens were online and how much they played the day before. A server that was off at that hour sends it later on that day; none is sent while its clock is in doubt. Members that are absent stay as they are. For administrators of the workspace.',
  access: write,
  acts: nothing,
  shows: nothing,
  body: z
    .object({
      enabled: z.boolean('must be true or false'),
      hour: whole(0, 23),
      when_nothing: z.boolean('must be true or false'),
    })
    .partial(),
  response: AlertDigest,
});
