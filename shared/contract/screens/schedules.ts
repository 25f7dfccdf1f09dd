/** Schedules (resource API, Schedules). */

import { z } from 'zod';
import { MAX_PRIORITY } from '../../program/ranks.ts';
import { type Act, nothing, on } from '../acts.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { Color, Epoch, Flag, FlagOut, Int, queryId, queryText, Ref, TimeZone, textOf, whole } from '../fields.ts';

/** Maximum number of schedules in a workspace. */
export const MAX_SCHEDULES = 10_000;

const endpoint = endpointsOf('Schedules');

export const Schedule = z.object({
  id: z.string(),
  workspace_id: z.string(),
  /** Plan of the schedule; each schedule belongs to one. */
  plan_id: z.string().nullable(),
  device_id: z.string().nullable(),
  group_id: z.string().nullable(),
  zone_id: z.string().nullable(),
  content_id: z.string().nullable(),
  widget_id: z.string().nullable(),
  layout_id: z.string().nullable(),
  playlist_id: z.string().nullable(),
  title: z.string(),
  /** Local time `YYYY-MM-DDTHH:MM:SS` in `timezone`. The start is inclusive, the end exclusive. */
  start_time: z.string(),
  end_time: z.string(),
  timezone: z.string(),
  /** RFC 5545 RRULE without `RRULE:`; null: once. */
  recurrence: z.string().nullable(),
  recurrence_end: z.string().nullable(),
  color: z.string().nullable(),
  priority: Int,
  enabled: FlagOut,
  created_at: Epoch,
  updated_at: Epoch,
});
export type Schedule = z.infer<typeof Schedule>;

export const ScheduleInstance = Schedule.extend({
  /** Start and end as local times in the time zone of the schedule. */
  instance_start: z.string(),
  instance_end: z.string(),
  instance_start_epoch: Epoch,
  instance_end_epoch: Epoch,
});
export type ScheduleInstance = z.infer<typeof ScheduleInstance>;

/**
 * Local date-time, or a date-time with an offset or `Z`, which the service converts into the time zone of the schedule.
 */
export const DateTime = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/,
    'must be a date-time like 2026-12-24T09:00',
  );
export const CivilDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 2026-12-24');

const orNothing = <T extends z.ZodType>(value: T) => z.union([z.literal(''), z.null(), value]);
export const ScheduleChange = z
  .object({
    start_time: DateTime,
    end_time: DateTime,
    device_id: Ref,
    group_id: Ref,
    zone_id: Ref,
    content_id: Ref,
    widget_id: Ref,
    layout_id: Ref,
    playlist_id: Ref,
    title: textOf(200).nullable(),
    timezone: orNothing(TimeZone),
    recurrence: textOf(500).nullable(),
    recurrence_end: orNothing(CivilDate),
    color: orNothing(Color),
    priority: whole(-MAX_PRIORITY, MAX_PRIORITY),
    enabled: Flag,
  })
  .partial();
export const NewSchedule = ScheduleChange.extend({ start_time: DateTime, end_time: DateTime });
export type NewSchedule = z.infer<typeof NewSchedule>;
export type ScheduleChange = z.infer<typeof ScheduleChange>;

const targetOf = ({ device_id, group_id }: Pick<ScheduleChange, 'device_id' | 'group_id'>): Act[] => [
  ...(device_id ? [on('screen', device_id)] : []),
  ...(group_id ? [on('group', group_id)] : []),
];

const RULES =
  'Exactly one of device_id and group_id; at least one of content_id, widget_id, layout_id and playlist_id; of content_id and widget_id the content is shown, and a change that names only one of them clears the other; something with zone_id replaces that zone only. A time with an offset is converted into the schedule’s zone. Each occurrence lasts end − start by the wall clock.';

export const listSchedules = endpoint('GET /api/schedules', {
  name: 'listSchedules',
  summary: 'Schedules, oldest first',
  description: 'start and end keep what overlaps.',
  access: read,
  query: z.object({ device_id: queryId, group_id: queryId, start: queryText(), end: queryText() }),
  response: z.array(Schedule),
});
export const createSchedule = endpoint('POST /api/schedules', {
  name: 'createSchedule',
  summary: 'Plan something for a device or group',
  description: RULES,
  access: write,
  acts: ({ body }) => targetOf(body),
  shows: ({ body }) => [{ by: 'schedule', id: null, content_id: body.content_id, widget_id: body.widget_id }],
  body: NewSchedule,
  status: 201,
  response: Schedule,
  errors: [404],
  etag: true,
});
export const listDeviceSchedules = endpoint('GET /api/schedules/device/{deviceId}', {
  name: 'listDeviceSchedules',
  summary: 'Enabled schedules of a device and of its groups',
  access: read,
  response: z.array(Schedule),
});
export const weekOfSchedules = endpoint('GET /api/schedules/week', {
  name: 'weekOfSchedules',
  summary: 'A device’s week, recurrences expanded',
  description:
    'date is any day of the week (default today by the device’s zone); weeks start on Sunday; every instance that overlaps the week.',
  access: read,
  query: z.object({ device_id: z.string('is required').min(1, 'is required'), date: queryText() }),
  response: z.array(ScheduleInstance),
  errors: [404],
});
export const updateSchedule = endpoint('PUT /api/schedules/{id}', {
  name: 'updateSchedule',
  summary: 'Change a schedule',
  description: `${RULES} The ETag is of its plan. The only schedule of a plan changes it; one of several leaves it, for a plan of its own.`,
  access: write,
  acts: ({ params, body }) => [on('schedule', params.id), ...targetOf(body)],
  shows: ({ params, body }) => [
    { by: 'schedule', id: params.id, content_id: body.content_id, widget_id: body.widget_id },
  ],
  body: ScheduleChange,
  response: Schedule,
  errors: [412],
  etag: true,
});
export const deleteSchedule = endpoint('DELETE /api/schedules/{id}', {
  name: 'deleteSchedule',
  summary: 'Delete a schedule',
  description: 'The last one of a plan takes it along; one of several is taken out of it.',
  access: write,
  acts: ({ params }) => [on('schedule', params.id)],
  shows: nothing,
  errors: [412],
});
