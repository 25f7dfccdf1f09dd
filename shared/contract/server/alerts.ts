/**
 * Alerts: problems that need a person; an addition to the contract. An alert is raised once when a problem has lasted
 * long enough, and ends by itself when the problem is over.
 */
import { z } from 'zod';
import { each, everything, nothing } from '../acts.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { Epoch, Id, Int, paging, queryId, queryWord, whole } from '../fields.ts';
import { isProblem, PROBLEMS } from '../problems.ts';

const endpoint = endpointsOf('Alerts');

interface Declaration {
  readonly of: 'server' | 'device' | 'widget' | 'content';
  readonly severity: 'bad' | 'warn';
  /** Limit at which a value becomes a problem. Absent: alerts of this kind are not about a value. */
  readonly threshold?: {
    readonly usual: number;
    readonly min: number;
    readonly max: number;
    readonly unit: '%' | 'dBm' | 'd' | '°C' | 's';
  };
  /** Minutes that the problem must last before an alert is raised. */
  readonly minutes: number;
  /** Whether the alert is sent by mail by default. A dark screen has its own mail (`dark_mail`). */
  readonly mail: boolean;
}

/** Kinds of alerts, worst first. They are shown in this order. */
export const ALERTS = {
  /**
   * A problem from the list PROBLEMS, for administrators of the server. `ref` is the code of the problem, which also
   * decides the severity.
   */
  server: { of: 'server', severity: 'bad', minutes: 0, mail: true },
  /** The server receives no messages from the screen. */
  screen_dark: { of: 'device', severity: 'bad', minutes: 5, mail: false },
  /** The screen does not show its newest program, because files are missing or unusable. */
  screen_program: { of: 'device', severity: 'bad', minutes: 15, mail: true },
  /** The screen could not show something that it should show. */
  screen_fault: { of: 'device', severity: 'bad', minutes: 0, mail: false },
  /** Value: free space on the screen's disk in percent. The alert is raised at or below the limit. */
  screen_disk: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 5, min: 1, max: 50, unit: '%' },
    minutes: 0,
    mail: true,
  },
  /** Value: processor load in percent. The alert is raised at or above the limit. */
  screen_cpu: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 95, min: 50, max: 100, unit: '%' },
    minutes: 10,
    mail: false,
  },
  /** Value: Wi-Fi signal in dBm. The alert is raised at or below the limit. */
  screen_wifi: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: -80, min: -100, max: -30, unit: 'dBm' },
    minutes: 10,
    mail: false,
  },
  /** Value: battery charge in percent while the battery is not charging. The alert is raised at or below the limit. */
  screen_battery: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 15, min: 1, max: 90, unit: '%' },
    minutes: 0,
    mail: true,
  },
  /** Value: temperature of the processor in degrees Celsius. The alert is raised at or above the limit. */
  screen_hot: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 85, min: 40, max: 120, unit: '°C' },
    minutes: 5,
    mail: true,
  },
  /**
   * Value: error of the screen's own clock in seconds. The alert is raised at or above the limit. Without the server
   * such a screen would change its content at the wrong time.
   */
  screen_clock: {
    of: 'device',
    severity: 'warn',
    threshold: { usual: 10, min: 1, max: 3600, unit: 's' },
    minutes: 5,
    mail: false,
  },
  /** A feed or weather forecast could not be fetched for this long. */
  source_dead: { of: 'widget', severity: 'warn', minutes: 60, mail: true },
  /** The local copy of a remote address could not be fetched. */
  content_unfetched: { of: 'content', severity: 'warn', minutes: 60, mail: false },
  /** Value: days until the content ends while it is in a playlist. The alert is raised at or below the limit. */
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
/**
 * Kinds of alerts with a rule per workspace. Problems of the server have no rule, because they need a person at once.
 */
export type RuledKind = Exclude<AlertKind, 'server'>;
export const RULED_KINDS = ALERT_KINDS.filter((kind): kind is RuledKind => kind !== 'server');
const RuledKind = z.enum(RULED_KINDS as [RuledKind, ...RuledKind[]]);
export const thresholdOf = (kind: AlertKind): Declaration['threshold'] => (ALERTS[kind] as Declaration).threshold;
/** @param ref subject of the alert; for the server, the code of its problem */
export const severityOf = (kind: AlertKind, ref: string): Declaration['severity'] =>
  kind === 'server' && isProblem(ref) ? PROBLEMS[ref].severity : ALERTS[kind].severity;

/** Returns the rank of an alert for sorting; a lower rank is worse. */
export const rankOf = (kind: AlertKind, ref: string): number =>
  (severityOf(kind, ref) === 'bad' ? 0 : ALERT_KINDS.length) + ALERT_KINDS.indexOf(kind);

/** Causes of a dark screen, derived from its neighbours: screens with an address in the same network. */
export const darkCauses = ['alone', 'network', 'unknown'] as const;
export type DarkCause = (typeof darkCauses)[number];

/** Number of days for which ended alerts are stored. */
export const ALERTS_KEPT_DAYS = 90;
/** Maximum number of alerts that one request changes. */
export const MAX_MARKED = 500;

export const Alert = z.object({
  id: z.string(),
  kind: Kind,
  severity: z.enum(['bad', 'warn']),
  of: z.enum(['server', 'device', 'widget', 'content']),
  /** Id of the record that the alert is about. For the server: the code of the problem. */
  ref: z.string(),
  /** Name of the record at the time when the alert was raised. */
  name: z.string(),
  /**
   * Values for the text: `value` and `threshold`, `message`, `cause`, `address`, `neighbours`, `until`, `level` and `count`
   * of open faults, `items` (ids of the failing playlist items, separated by commas).
   */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  since: Epoch,
  /** Time at which the alert ended; null: the alert lasts. */
  ended_at: Epoch.nullable(),
  acknowledged_at: Epoch.nullable(),
  acknowledged_by: z.string().nullable(),
  /** User id and name of the person who takes care of the alert. */
  assigned_to: z.string().nullable(),
  assigned_name: z.string().nullable(),
  /** End of the muting; until then the alert does not count. */
  muted_until: Epoch.nullable(),
});
export type Alert = z.infer<typeof Alert>;

export const listAlerts = endpoint('GET /api/alerts', {
  name: 'listAlerts',
  summary: 'Open alerts, the worst first; or past alerts, the newest first',
  description: `state open: what lasts; ended: what is over, for ${ALERTS_KEPT_DAYS} days. What is wrong with the server itself (kind \`server\`, \`ref\` is a code of \`problems\` in /api/server/status) is there for platform administrators, by a session, in each of their workspaces. A screen that is not heard of tells its likely cause in facts: \`alone\` (its neighbours are fine: it is switched off, asleep or unplugged), \`network\` (its neighbours went with it), \`unknown\`. An alert about what a screen cannot show (\`screen_fault\`) names the newest fault in \`message\`, the most serious level in \`level\`, the number of open faults in \`count\` and the playlist items that fail in \`items\`. It ends when all of them play again or have left the program of the screen.`,
  access: read,
  query: z.object({
    state: queryWord(['open', 'ended'], 'open'),
    kind: queryWord(ALERT_KINDS as [AlertKind, ...AlertKind[]]),
    /** Id of the record that the alert is about: a screen, widget or content. */
    ref: queryId,
    /** Selects alerts that are assigned to the caller, or to nobody. */
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
    /** Changes all alerts of this kind. Used in place of ids. */
    kind: Kind.optional(),
    acknowledged: z.boolean('must be true or false').optional(),
    taken: z.boolean('must be true or false').optional(),
    /** Id of the assigned user; null: nobody. */
    assigned_to: Id.nullish(),
    /** End of the muting in epoch seconds; null: no longer muted. */
    muted_until: z.number().int('must be a time in epoch seconds').min(0).max(32_503_680_000).nullish(),
  }),
  response: z.object({ marked: Int }),
});

export const AlertRule = z.object({
  kind: RuledKind,
  enabled: z.boolean(),
  /** Limit in the unit of the kind of alert; null: the kind has no limit. */
  threshold: z.number().nullable(),
  minutes: Int,
  /** Channels that receive the alert, in addition to the page of alerts in the admin window. */
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
  /** Hour of the day at which the mail is sent, in the time zone of the server. */
  hour: Int,
  /** True: a short mail is sent even when nothing needs a person. False: no mail is sent in this case. */
  when_nothing: z.boolean(),
});
export type AlertDigest = z.infer<typeof AlertDigest>;

export const getAlertDigest = endpoint('GET /api/alert-digest', {
  name: 'getAlertDigest',
  summary: 'Settings of the daily e-mail with open alerts to the administrators of this workspace',
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
