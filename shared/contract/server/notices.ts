/**
 * Notices that a server sends to its webhook and by MQTT: the fields of each type and an example. The OpenAPI document
 * lists them under `webhooks`, and `/api/docs` shows them.
 */
import { z } from 'zod';

const Time = z.iso.datetime().describe('ISO 8601, UTC');

const Screen = z.object({ id: z.string(), name: z.string(), workspace_id: z.string() });
const DarkScreen = Screen.extend({ offline_since: Time });
const Alert = z.object({
  id: z.string(),
  kind: z.string(),
  ref: z.string().describe('Id of the record that the alert is about; for the server the code of its problem'),
  name: z.string(),
  workspace_id: z.string().nullable().describe('null: the alert is about the server'),
  since: Time,
});
const Play = z.object({
  id: z.string(),
  device_id: z.string(),
  device_name: z.string(),
  workspace_id: z.string(),
  content_id: z.string().nullable(),
  widget_id: z.string().nullable(),
  content_name: z.string(),
  playlist_id: z.string().nullable(),
  started_at: Time,
  ended_at: Time,
  completed: z.boolean(),
});
/** A playlist, plan, schedule or message, with its name at the time of the change. */
const Changed = z.object({
  id: z.string(),
  name: z.string(),
  workspace_id: z.string(),
  by: z.string().describe('Name of the person; empty: the server itself'),
});

/**
 * List of records, at most 100. `count` is the number of all records. Both fields are absent in a notice about one
 * record.
 */
const many = <Name extends string, Schema extends z.ZodType>(name: Name, schema: Schema) =>
  ({ [name]: z.array(schema).optional(), count: z.number().int().optional() }) as {
    [Key in Name]: z.ZodOptional<z.ZodArray<Schema>>;
  } & { count: z.ZodOptional<z.ZodNumber> };

interface Declared<Shape extends z.ZodRawShape> {
  readonly summary: string;
  readonly body: z.ZodObject<Shape>;
  readonly example: z.input<z.ZodObject<Shape>>;
}
const notice = <Shape extends z.ZodRawShape>(
  summary: string,
  shape: Shape,
  example: z.input<z.ZodObject<Shape>>,
): Declared<Shape> => ({ summary, body: z.object(shape), example });

const workspace_id = '019a0b3c-5d6e-7f80-9a1b-2c3d4e5f6071';
const screen = { id: '019a0b3d-1111-7222-8333-444455556666', name: 'Window left', workspace_id };
const offline_since = '2026-11-28T09:00:00.000Z';
const alert = {
  id: '019a0b3e-2222-7333-8444-555566667777',
  kind: 'screen_dark',
  ref: screen.id,
  name: screen.name,
  workspace_id,
  since: offline_since,
};
const alerts = { alert, alerts: [alert], count: 1 };
const changed = (name: string) => ({ id: '019a0b3f-3333-7444-8555-666677778888', name, workspace_id, by: 'Anna Berg' });

const aboutScreen = { screen: Screen, ...many('screens', Screen) };
const aboutDarkScreen = { screen: Screen, offline_since: Time, ...many('screens', DarkScreen) };
const aboutAlerts = { alert: Alert, alerts: z.array(Alert), count: z.number().int() };
const aboutDisk = { level: z.enum(['ok', 'low', 'full']), message: z.string() };
const sentence = { message: z.string() };
const aboutPlaylist = { playlist: Changed, ...many('playlists', Changed) };
const aboutPlan = { plan: Changed, ...many('plans', Changed) };
const aboutSchedule = { schedule: Changed, ...many('schedules', Changed) };
const aboutMessage = { sent_message: Changed, ...many('sent_messages', Changed) };

/**
 * All types of notices. If more than 20 notices of one type occur within a minute, the further notices become one
 * notice with a list and a count. The single record of that notice is the first record of the list.
 */
export const NOTICES = {
  'screen.online': notice('A screen connected', aboutScreen, { screen }),
  'screen.offline': notice('A screen disconnected', aboutScreen, { screen }),
  'screen.dark': notice('A screen is offline for longer than the settings of the server allow', aboutDarkScreen, {
    screen,
    offline_since,
  }),
  'screen.back': notice('A screen that was reported dark is back', aboutDarkScreen, { screen, offline_since }),
  'alert.raised': notice('Alerts of the last minute', aboutAlerts, alerts),
  'alert.ended': notice('Alerts that ended within the last minute', aboutAlerts, alerts),
  'playlist.published': notice('Somebody published a playlist', aboutPlaylist, { playlist: changed('Offers') }),
  'playlist.approval_asked': notice('Somebody asked for approval to publish a playlist', aboutPlaylist, {
    playlist: changed('Offers'),
  }),
  'playlist.deleted': notice('Somebody deleted a playlist', aboutPlaylist, { playlist: changed('Offers') }),
  'plan.created': notice('Somebody created a plan', aboutPlan, { plan: changed('Black Friday') }),
  'plan.updated': notice('Somebody changed a plan', aboutPlan, { plan: changed('Black Friday') }),
  'plan.deleted': notice('Somebody deleted a plan', aboutPlan, { plan: changed('Black Friday') }),
  'schedule.created': notice('A client of the API created a schedule', aboutSchedule, { schedule: changed('Lunch') }),
  'schedule.updated': notice('A client of the API changed a schedule', aboutSchedule, { schedule: changed('Lunch') }),
  'schedule.deleted': notice('A client of the API deleted a schedule', aboutSchedule, { schedule: changed('Lunch') }),
  'message.sent': notice('Somebody sent a message to screens', aboutMessage, {
    sent_message: changed('Closing in ten minutes'),
  }),
  'message.withdrawn': notice('Somebody withdrew a message', aboutMessage, {
    sent_message: changed('Closing in ten minutes'),
  }),
  plays: notice(
    'Plays of the last second, at most 500',
    { plays: z.array(Play) },
    {
      plays: [
        {
          id: '019a0b40-4444-7555-8666-777788889999',
          device_id: screen.id,
          device_name: screen.name,
          workspace_id,
          content_id: '019a0b41-5555-7666-8777-88889999aaaa',
          widget_id: null,
          content_name: 'autumn.jpg',
          playlist_id: '019a0b3f-3333-7444-8555-666677778888',
          started_at: '2026-11-28T09:00:00.000Z',
          ended_at: '2026-11-28T09:00:10.000Z',
          completed: true,
        },
      ],
    },
  ),
  'disk.low': notice('The disk of the server is getting full', aboutDisk, {
    level: 'low',
    message: 'Only 1.8 GB are free.',
  }),
  'disk.full': notice('The disk of the server is full', aboutDisk, { level: 'full', message: 'The disk is full.' }),
  'disk.ok': notice('The disk of the server has room again', aboutDisk, { level: 'ok', message: '12 GB are free.' }),
  'database.damaged': notice('The database is damaged', sentence, { message: 'A page of the database is damaged.' }),
  'disk.failing': notice('The disk of the server fails', sentence, { message: 'The disk reports errors.' }),
  'certificate.ends': notice('The certificate for HTTPS ends soon', sentence, {
    message: 'The certificate ends on 1 December 2026.',
  }),
  'backup.failed': notice('A backup failed', sentence, { message: 'The backup folder is not there.' }),
  'update.stopped': notice('The rollout of a version stopped by itself', sentence, {
    message: 'Two screens did not start the new version.',
  }),
  'clock.doubtful': notice('The clock of the server may be wrong', sentence, {
    message: 'The clock jumped by 3 days.',
  }),
  'clock.sure': notice('The clock of the server is right again', sentence, { message: 'Most screens agree with it.' }),
  test: notice('Somebody pressed "Send a test" in the window', sentence, { message: 'This is a test.' }),
} as const satisfies Record<string, Declared<z.ZodRawShape>>;

export type NoticeType = keyof typeof NOTICES;
type Unchanged<T> = T extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Unchanged<T[Key]> }
    : T;
/** Fields of each type of notice, in addition to the fields of every notice. */
export type NoticeFacts = {
  [Type in NoticeType]: { readonly type: Type } & Unchanged<z.output<(typeof NOTICES)[Type]['body']>>;
}[NoticeType];

/** Fields of every notice. */
export const NoticeHead = z.object({
  id: z.string().describe('The same when a notice is sent again'),
  at: Time,
  server: z.object({ id: z.string(), name: z.string() }),
});

/** Returns the schema of a whole notice. */
export const noticeSchema = (type: NoticeType) =>
  NoticeHead.extend({ type: z.literal(type), ...(NOTICES[type].body.shape as z.ZodRawShape) });

/** Returns an example of a whole notice, as the webhook receives it. */
export const noticeExample = (type: NoticeType) => ({
  id: '019a0b42-6666-7777-8888-9999aaaabbbb',
  type,
  at: '2026-11-28T09:00:11.000Z',
  server: { id: '019a0b43-7777-7888-8999-aaaabbbbcccc', name: 'Store 12' },
  ...NOTICES[type].example,
});
