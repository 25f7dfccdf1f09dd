/** Proof of play and uptime (resource API, Reports). */
import { z } from 'zod';
import { everything, nothing } from '../acts.ts';
import { endpointsOf, read, stream, write } from '../endpoint.ts';
import { Epoch, FlagOut, Id, Int, Name, paging, queryId, queryText, queryWord, Tag } from '../fields.ts';
import { NewEmail } from '../people/users.ts';

const endpoint = endpointsOf('Reports');

export const PlayRow = z.object({
  id: z.string(),
  device_id: z.string(),
  device_name: z.string(),
  content_id: z.string().nullable(),
  widget_id: z.string().nullable(),
  content_name: z.string(),
  zone_id: z.string().nullable(),
  playlist_id: z.string().nullable(),
  started_at: Epoch,
  ended_at: Epoch,
  duration_sec: z.number(),
  completed: FlagOut,
});
export type PlayRow = z.infer<typeof PlayRow>;

const sums = { plays: Int, total_seconds: z.number() };
export const Summary = z.object({
  overall: z.object({
    total_plays: Int,
    total_seconds: z.number(),
    total_hours: z.number(),
    unique_content: Int,
    unique_devices: Int,
    avg_duration_sec: z.number(),
  }),
  by_content: z.array(
    z.object({
      content_id: z.string().nullable(),
      widget_id: z.string().nullable(),
      content_name: z.string(),
      ...sums,
    }),
  ),
  by_device: z.array(z.object({ device_id: z.string(), device_name: z.string(), ...sums })),
  /** 24 rows, one for each hour from 0 to 23 in the server's time zone. */
  by_hour: z.array(z.object({ hour: Int, ...sums })),
  by_day: z.array(z.object({ day: z.string(), ...sums })),
});
export type Summary = z.infer<typeof Summary>;

const delivered = {
  planned_plays: Int,
  planned_seconds: z.number(),
  ...sums,
  /** Percent of the planned time that was shown, at most 100; null if nothing was planned. */
  delivered_pct: z.number().nullable(),
};
/** Known reasons why a screen may have shown less than planned. */
export const Shortfall = z.object({
  device_id: z.string(),
  device_name: z.string(),
  missing_seconds: z.number(),
  /** Number of seconds for which the panel was off while it should have been on. */
  off_seconds: z.number(),
  /** Time since which the panel is off; null: the panel is on. */
  off_since: Epoch.nullable(),
  /** Number of seconds within the period before the screen applied its newest program. */
  program_seconds: z.number(),
  /** Number of reports that content could not be shown, and the text of the last report. */
  faults: Int,
  last_fault: z.string().nullable(),
  /** Time at which the screen was created or deleted, if within the period. */
  added_at: Epoch.nullable(),
  removed_at: Epoch.nullable(),
});
export type Shortfall = z.infer<typeof Shortfall>;

export const Delivery = z.object({
  /**
   * Time within the period since which plans are known; null: plans are unknown. Plays count from this time on, too.
   */
  known_from: Epoch.nullable(),
  overall: z.object(delivered).nullable(),
  by_content: z.array(
    z.object({
      content_id: z.string().nullable(),
      widget_id: z.string().nullable(),
      content_name: z.string(),
      ...delivered,
    }),
  ),
  by_device: z.array(z.object({ device_id: z.string(), device_name: z.string(), ...delivered })),
  by_day: z.array(z.object({ day: z.string(), ...delivered })),
  shortfalls: z.array(Shortfall),
});
export type Delivery = z.infer<typeof Delivery>;

export const UptimeRow = z.object({
  device_id: z.string(),
  device_name: z.string(),
  online_seconds: z.number(),
  period_seconds: z.number(),
  uptime_pct: z.number(),
  first_seen: Epoch.nullable(),
  last_seen: Epoch.nullable(),
  outages: Int,
});
export type UptimeRow = z.infer<typeof UptimeRow>;

const PERIOD =
  'start and end: ISO date or date-time, by the server’s zone where they name no offset; a date-only end includes that day, a date-time end is exclusive. Default: from midnight 30 days ago (before end). A play belongs where it started.';
/** Maximum number of contents that one report names. Labels and folders select more contents. */
export const MAX_REPORT_CONTENTS = 100;
const contentIds = z
  .string()
  .optional()
  .transform((text, ctx) => {
    const ids = [...new Set((text ?? '').split(',').filter((id) => id !== ''))];
    if (ids.length > MAX_REPORT_CONTENTS) {
      ctx.addIssue({ code: 'custom', message: `must be at most ${MAX_REPORT_CONTENTS} ids, separated by commas` });
      return z.NEVER;
    }
    return ids.length > 0 ? ids : undefined;
  })
  .meta({ type: 'string', description: 'One content, or several separated by commas.' });
const period = { start: queryText(), end: queryText() };
const screens = { device_id: queryId, group_id: queryId, tag: queryText(50), plan_id: queryId };
const which = { ...screens, content_id: contentIds, label: queryText(200), folder_id: queryId, playlist_id: queryId };
const NARROWED =
  'device_id, group_id, tag (of screens), content_id, label, folder_id (with its folders), playlist_id and plan_id (what the plan shows, on the screens that it is for) narrow it down, all at once; groups, tags, labels, folders and plans as they are now.';

export const listPlays = endpoint('GET /api/reports/plays', {
  name: 'listPlays',
  summary: 'Plays, newest first',
  description: `Plays of what was deleted since are among them. ${NARROWED} ${PERIOD}`,
  access: read,
  query: z.object({
    ...period,
    ...which,
    ...paging(500, 5000),
  }),
  response: z.array(PlayRow),
  errors: [404],
});
export const summarizePlays = endpoint('GET /api/reports/summary', {
  name: 'summarizePlays',
  summary: 'Plays by content, device, hour and day',
  description: `group_by fills overall and that member, the others are empty; absent fills all. Days without a play are left out. 503 when too many reports wait already. ${NARROWED} ${PERIOD}`,
  access: read,
  query: z.object({ ...period, ...which, group_by: queryWord(['content', 'device', 'hour', 'day']) }),
  response: Summary,
  errors: [404],
});
export const reportDelivery = endpoint('GET /api/reports/delivery', {
  name: 'reportDelivery',
  summary: 'Planned plays, and how many of them were shown',
  description: `Planned are the turns that begin in the period by playlists, plans, layouts and fallbacks, while the screen was to be on; not overlays and messages, and nothing that is not over yet. delivered_pct is of the time: a play that was cut short counts for as long as it lasted, and what was shown beyond the plan counts for nothing; overall it is put together from the contents. What was planned before known_from nobody knows. 503 when too many reports wait already. ${NARROWED} ${PERIOD}`,
  access: read,
  query: z.object({ ...period, ...which }),
  response: Delivery,
  errors: [404],
});
export const exportPlays = endpoint('GET /api/reports/export', {
  name: 'exportPlays',
  summary: 'Plays as CSV, or as a file that can be verified; streamed',
  description: `format=planned: By,Name,Planned plays,Planned (sec),Plays,Played (sec),Delivered (%): what /api/reports/delivery says, as CSV; the last column is empty until the plan of a whole day is known. format=missing: Screen,First missing,Last missing,Plays missing,After,Before: numbers of the screens’ journals that no play of the period has, between two plays that there are; filters of contents do not count. format=jsonl: JSON lines with the players’ signed chains and the server’s signature, which "vitrine verify" checks; plays outside the period that a signature covers come along, marked as context. Otherwise: Device,Content,Started,Ended,Duration (sec),Completed; newest first, times in UTC. Cells that a spreadsheet would run begin with an apostrophe. 503 when 64 exports run already. ${NARROWED} ${PERIOD}`,
  access: read,
  query: z.object({ ...period, ...which, format: queryWord(['csv', 'jsonl', 'planned', 'missing']) }),
  response: stream(['text/csv', 'application/jsonl'], 'named'),
  errors: [404],
});
/** Languages of a PDF report. */
export const reportLanguages = ['en', 'de'] as const;
export type ReportLanguage = (typeof reportLanguages)[number];
export const reportPdf = endpoint('GET /api/reports/pdf', {
  name: 'reportPdf',
  summary: 'The report as a PDF that a customer can be sent',
  description: `Some pages of A4: the workspace’s logo and name, totals, a chart by day, the contents and screens with most plays, how much of what was planned was shown and why not all, and how many signatures vouch for the plays. ${NARROWED} ${PERIOD}`,
  access: read,
  query: z.object({
    ...period,
    ...which,
    language: queryWord(reportLanguages, 'en'),
    /** Title of the report. @default the language’s words for proof of play */
    title: queryText(120),
  }),
  response: stream('application/pdf', 'named'),
  errors: [404],
});
export const reportUptime = endpoint('GET /api/reports/uptime', {
  name: 'reportUptime',
  summary: 'How long each device was online',
  description: `From intervals of its status, for the part of the period in which the device existed; devices that came later are left out. first_seen and last_seen: first and last moment online in the period. outages: times it went offline, or was at the start. ${PERIOD}`,
  access: read,
  query: z.object({ ...period, ...screens }),
  response: z.array(UptimeRow),
  errors: [404],
});

/** Maximum number of saved reports in a workspace. */
export const MAX_SAVED_REPORTS = 100;
/** Maximum number of recipients of a report. */
export const MAX_REPORT_RECIPIENTS = 20;

/** Filters of a report, like the query parameters of the reports; an empty object selects everything. */
export const ReportFilters = z.object({
  device_id: Id.optional(),
  group_id: Id.optional(),
  tag: Tag.optional(),
  plan_id: Id.optional(),
  content_id: z.array(Id).max(MAX_REPORT_CONTENTS, `must be at most ${MAX_REPORT_CONTENTS} contents`).optional(),
  label: Name.optional(),
  folder_id: Id.optional(),
  playlist_id: Id.optional(),
});
export type ReportFilters = z.infer<typeof ReportFilters>;

const saved = {
  name: Name,
  filters: ReportFilters,
  language: z.enum(reportLanguages),
  /** People who receive the report on the first of each month; empty: nobody. */
  recipients: z.array(NewEmail).max(MAX_REPORT_RECIPIENTS, `must be at most ${MAX_REPORT_RECIPIENTS} addresses`),
};
export const SavedReport = z.object({
  id: z.string(),
  ...saved,
  recipients: z.array(z.string()),
  /** Month for which the report was mailed last, as YYYY-MM. */
  sent_month: z.string().nullable(),
  created_at: Epoch,
});
export type SavedReport = z.infer<typeof SavedReport>;
export const NewSavedReport = z.object({
  ...saved,
  /** @default all */
  filters: ReportFilters.optional(),
  language: saved.language.default('en'),
  recipients: saved.recipients.default([]),
});
export type NewSavedReport = z.infer<typeof NewSavedReport>;

export const listSavedReports = endpoint('GET /api/reports/saved', {
  name: 'listSavedReports',
  summary: 'Reports that were saved, by name',
  access: read,
  response: z.array(SavedReport),
});
export const createSavedReport = endpoint('POST /api/reports/saved', {
  name: 'createSavedReport',
  summary: 'Save a report, and have it sent each month',
  description: `On the first day of each month those of its recipients get the month before by mail, as PDF and CSV, with what was planned, once, where a mail server is set. At most ${MAX_SAVED_REPORTS} of a workspace.`,
  access: write,
  acts: () => [everything],
  shows: nothing,
  body: NewSavedReport,
  status: 201,
  response: SavedReport,
  errors: [404],
});
export const updateSavedReport = endpoint('PUT /api/reports/saved/{id}', {
  name: 'updateSavedReport',
  summary: 'Change a saved report',
  access: write,
  acts: () => [everything],
  shows: nothing,
  body: z.object({
    name: Name.optional(),
    filters: ReportFilters.optional(),
    language: saved.language.optional(),
    recipients: saved.recipients.optional(),
  }),
  response: SavedReport,
});
export const deleteSavedReport = endpoint('DELETE /api/reports/saved/{id}', {
  name: 'deleteSavedReport',
  summary: 'Delete a saved report; it is sent no more',
  access: write,
  acts: () => [everything],
  shows: nothing,
});
