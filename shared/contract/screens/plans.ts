/**
 * Plans: one content at one time on several targets. An addition to the contract, whose schedules have one target each.
 * A plan has one schedule per screen or group, identical except for the target. A schedule that was created directly is
 * the only schedule of its plan.
 */
import { z } from 'zod';
import { nothing, on, targets } from '../acts.ts';
import { COPY_NAME, CopyBody } from '../content/copies.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { Epoch, Id, Int, nameOf, paging, queryFlag, queryId, queryInt, queryText } from '../fields.ts';
import { NewSchedule, Schedule, ScheduleChange } from './schedules.ts';

/** Maximum number of targets of a plan. */
export const MAX_PLAN_TARGETS = 500;

/** Maximum number of screens in one answer of the calendar. */
export const MAX_CALENDAR_SCREENS = 100;

/**
 * Maximum number of different programs that are computed for the combined row of a group in the calendar. Each program
 * takes the server one or two milliseconds.
 */
export const MAX_LINE_PROGRAMS = 250;

/**
 * Maximum number of plans, and of playlists without a plan, in one line of the calendar. If there are more, the line
 * contains those that most screens show.
 */
export const MAX_LINE_PLANS = 100;
export const MAX_LINE_BASES = 20;

/** Maximum number of days in one answer of the calendar. */
export const MAX_CALENDAR_DAYS = 42;

const endpoint = endpointsOf('Plans');

/** Target of a plan. A tag stands for the screens that have the tag now or later; its `id` is the tag itself. */
export const PlanTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('device'), id: Id }),
  z.object({ kind: z.literal('group'), id: Id }),
  z.object({ kind: z.literal('tag'), id: nameOf(50) }),
]);
export type PlanTarget = z.infer<typeof PlanTarget>;

const ofOneTarget = { device_id: true, group_id: true, plan_id: true } as const;

export const Plan = Schedule.omit(ofOneTarget).extend({
  targets: z.array(z.object({ kind: z.enum(['device', 'group', 'tag']), id: z.string(), name: z.string() })),
  /** Number of screens that the targets select now, each screen counted once. */
  screens: Int,
  revision: Int,
});
export type Plan = z.infer<typeof Plan>;

/** Maximum number of targets after the screens of a deleted group have replaced the group in a plan. */
const MAX_LEFT_OF_GROUPS = 10_000;
const targetsUpTo = (most: number) =>
  z
    .array(PlanTarget)
    .min(1, 'must name at least one screen, group or tag')
    .max(most, `must be at most ${MAX_PLAN_TARGETS} targets`);
export const PlanChange = ScheduleChange.omit({ device_id: true, group_id: true }).extend({
  /** Targets of the plan. More than MAX_PLAN_TARGETS are allowed only if they come from a deleted group. */
  targets: targetsUpTo(MAX_LEFT_OF_GROUPS).optional(),
});
export type PlanChange = z.infer<typeof PlanChange>;
export const NewPlan = NewSchedule.omit({ device_id: true, group_id: true }).extend({
  targets: targetsUpTo(MAX_PLAN_TARGETS),
});
export type NewPlan = z.infer<typeof NewPlan>;

export const PlanOccurrence = z.object({
  /** Start and end as local times in the time zone of the plan. */
  start: z.string(),
  end: z.string(),
  start_epoch: Epoch,
  end_epoch: Epoch,
});
export type PlanOccurrence = z.infer<typeof PlanOccurrence>;

/**
 * Warnings about likely mistakes. `overlaps_itself`: an occurrence lasts longer than the time until the next
 * occurrence. `past`: the whole plan is over. `never`: its rule has no occurrence. `hidden_always`: no screen shows the
 * plan in the checked time. `always_off`: all its screens are outside of their opening hours then. `no_screens`: its
 * targets have no screens. `no_content`: its content is empty, unpublished or expired by then.
 */
export const PlanWarning = z.enum([
  'overlaps_itself',
  'past',
  'never',
  'hidden_always',
  'always_off',
  'no_screens',
  'no_content',
]);
export type PlanWarning = z.infer<typeof PlanWarning>;

/** Rank of a campaign of headquarters that replaces a plan here; null: the plan belongs to the store. */
const Rank = z.enum(['safety', 'must', 'default']).nullable();

/** Effects of a plan, computed with the rules of the players over its next 20 occurrences within 60 days. */
export const PlanPreview = z.object({
  screens: Int,
  /** Number of the plan's screens that are outside of their opening hours during all occurrences. */
  off_screens: Int,
  /** The next five occurrences, including an occurrence that runs now. */
  next: z.array(PlanOccurrence),
  /** Total number of occurrences; null: endless, or more than 1,000. */
  occurrences: Int.nullable(),
  /** End of the last occurrence; null: the plan never ends, or the end is unknown. */
  last_end_epoch: Epoch.nullable(),
  /**
   * Contents of the screens that the plan would replace at these times, within the opening hours. Contents on most
   * screens come first; 20 at most.
   */
  displaces: z.array(
    z.object({
      kind: z.enum(['plan', 'playlist', 'wall', 'default', 'nothing']),
      id: z.string().nullable(),
      name: z.string(),
      rank: Rank,
      screens: Int,
      first_epoch: Epoch,
    }),
  ),
  /** Plans that are shown instead of this plan. `always`: during the whole time of this plan on those screens. */
  hidden_by: z.array(
    z.object({
      plan_id: z.string(),
      title: z.string(),
      rank: Rank,
      screens: Int,
      always: z.boolean(),
      first_epoch: Epoch,
    }),
  ),
  warnings: z.array(PlanWarning),
});
export type PlanPreview = z.infer<typeof PlanPreview>;

/** Period in which the same source decides about the content of a screen. */
export const CalendarSpan = z.object({
  from_epoch: Epoch,
  to_epoch: Epoch,
  source: z.enum(['schedule', 'wall', 'device', 'group', 'layout', 'fallback', 'nothing', 'off']),
  plan_id: z.string().nullable(),
  schedule_id: z.string().nullable(),
  /**
   * Title of the plan, or the name of its content if it has no title. For other sources: the name of the playlist or
   * content. Empty if nothing is shown.
   */
  title: z.string(),
  /** Colour as `#RRGGBB`; null: no colour was chosen. */
  color: z.string().nullable(),
  rank: Rank,
  /** Plans that compete for this period and lose. */
  hidden: z.array(z.object({ plan_id: z.string(), title: z.string(), rank: Rank })),
});
export type CalendarSpan = z.infer<typeof CalendarSpan>;

export const CalendarRow = z.object({
  device_id: z.string(),
  /** Index of the screen in the chosen screens, from 0, counted as if there were no filter by `plan_id`. */
  index: Int,
  name: z.string(),
  timezone: z.string(),
  /** Periods in order, without gaps. `off`: the screen is outside of its opening hours. */
  spans: z.array(CalendarSpan),
});
export type CalendarRow = z.infer<typeof CalendarRow>;

/** A group in the calendar, with those of its screens that were chosen. */
export const CalendarGroup = z.object({
  /** Id of the group; null: the screens that are in no group. */
  group_id: z.string().nullable(),
  /** Name of the group; '' for the screens that are in no group. */
  name: z.string(),
  color: z.string().nullable(),
  screens: Int,
});
export type CalendarGroup = z.infer<typeof CalendarGroup>;

/**
 * A plan or playlist that at least one of several screens shows, by the screens' own wall clocks. Periods may overlap.
 */
export const CalendarLineSpan = CalendarSpan.pick({
  source: true,
  plan_id: true,
  title: true,
  color: true,
  rank: true,
}).extend({
  /** Start as local time `YYYY-MM-DDTHH:MM:SS`. */
  start: z.string(),
  end: z.string(),
  /** Number of screens that show the plan or playlist at some time between start and end. */
  screens: Int,
});
export type CalendarLineSpan = z.infer<typeof CalendarLineSpan>;

export const CalendarLine = z.object({
  screens: Int,
  /**
   * Number of screens that were examined for the spans: at most the screens with the first MAX_LINE_PROGRAMS different
   * programs.
   */
  counted: Int,
  spans: z.array(CalendarLineSpan),
});
export type CalendarLine = z.infer<typeof CalendarLine>;

const RULES =
  'As of a schedule, with targets instead of device_id and group_id. A plan without a timezone has its first screen’s, else the server’s. Each target counts towards the schedules that a workspace may have.';

export const listPlans = endpoint('GET /api/plans', {
  name: 'listPlans',
  summary: 'Plans, oldest first',
  description: 'device_id keeps those for this screen, by itself, by its groups or by its tags; q searches titles.',
  access: read,
  query: z.object({ device_id: queryId, group_id: queryId, q: queryText(), ...paging(100, 500) }),
  response: z.array(Plan),
  errors: [404],
});
export const getPlan = endpoint('GET /api/plans/{id}', {
  name: 'getPlan',
  summary: 'A plan',
  access: read,
  response: Plan,
  etag: true,
});
export const createPlan = endpoint('POST /api/plans', {
  name: 'createPlan',
  summary: 'Plan something for screens, groups and tags',
  description: RULES,
  access: write,
  acts: ({ body }) => targets(body.targets, 'tag'),
  shows: ({ body }) => [{ by: 'plan', id: null, content_id: body.content_id, widget_id: body.widget_id }],
  body: NewPlan,
  status: 201,
  response: Plan,
  errors: [404],
  etag: true,
});
export const duplicatePlan = endpoint('POST /api/plans/{id}/duplicate', {
  name: 'duplicatePlan',
  summary: 'Copy a plan with its times and targets; the copy is off',
  description: `Screens change when the copy is turned on. ${COPY_NAME}`,
  access: write,
  acts: ({ params }) => [on('plan', params.id)],
  shows: ({ params }) => [{ by: 'plan', id: params.id, content_id: undefined, widget_id: undefined }],
  body: CopyBody,
  status: 201,
  response: Plan,
  etag: true,
});
export const updatePlan = endpoint('PUT /api/plans/{id}', {
  name: 'updatePlan',
  summary: 'Change a plan on all of its targets',
  description: RULES,
  access: write,
  acts: ({ params, body }) => [on('plan', params.id), ...targets(body.targets ?? [], 'tag')],
  shows: ({ params, body }) => [{ by: 'plan', id: params.id, content_id: body.content_id, widget_id: body.widget_id }],
  body: PlanChange,
  response: Plan,
  errors: [412],
  etag: true,
});
export const deletePlan = endpoint('DELETE /api/plans/{id}', {
  name: 'deletePlan',
  summary: 'Delete a plan with all of its schedules',
  access: write,
  acts: ({ params }) => [on('plan', params.id)],
  shows: nothing,
  errors: [412],
});
export const previewPlan = endpoint('POST /api/plans/preview', {
  name: 'previewPlan',
  summary: 'Preview of a plan, without creating it',
  description: 'plan_id: the plan that it would take the place of.',
  access: read,
  body: NewPlan.extend({ targets: targetsUpTo(MAX_LEFT_OF_GROUPS), plan_id: z.string().nullish() }),
  response: PlanPreview,
  errors: [404],
});
export const planCalendar = endpoint('GET /api/plans/calendar', {
  name: 'planCalendar',
  summary: 'Plans and playlists that decide what screens show, over time',
  description:
    'Rows are screens by name. from is a day by each screen’s own zone (today by default), days how many follow. group_id and tag choose screens, ungrouped those that are in no group; planned keeps those for which a plan that is on has a time that may reach into these days. X-Total-Count is of all that are chosen. plan_id gives, of these, the screens of one plan, each with its index among all that are chosen. detail=false leaves out what lost.',
  access: read,
  query: z.object({
    from: queryText(10),
    days: queryInt(1, MAX_CALENDAR_DAYS, 7),
    device_id: queryId,
    group_id: queryId,
    ungrouped: queryFlag,
    tag: queryText(50),
    q: queryText(),
    planned: queryFlag,
    plan_id: queryId,
    detail: queryFlag,
    ...paging(50, MAX_CALENDAR_SCREENS),
  }),
  response: z.array(CalendarRow),
  errors: [404],
});
export const planCalendarGroups = endpoint('GET /api/plans/calendar/groups', {
  name: 'planCalendarGroups',
  summary: 'The groups of the calendar, by name, with the number of their screens',
  description:
    'planned counts only screens for which a plan that is on has a time that may reach into these days; groups without such a screen are left out. The last entry, without a group_id, is of the screens in no group. A screen in two groups counts in both; X-Total-Count counts it once. plan_id counts only the screens of one plan.',
  access: read,
  query: z.object({
    from: queryText(10),
    days: queryInt(1, MAX_CALENDAR_DAYS, 7),
    planned: queryFlag,
    plan_id: queryId,
  }),
  response: z.array(CalendarGroup),
  errors: [404],
});
export const planCalendarLine = endpoint('GET /api/plans/calendar/line', {
  name: 'planCalendarLine',
  summary: 'Content of the screens of a group, as one row',
  description:
    'group_id chooses the screens of a group, ungrouped those that are in no group; all screens without them. Each plan or playlist is listed once for each stretch of time in which at least one screen shows it. Times outside of opening hours are left out. A group whose screens have more than 250 different programs is counted in part, and a line names at most 100 plans and 20 playlists: those on most screens.',
  access: read,
  query: z.object({
    from: queryText(10),
    days: queryInt(1, MAX_CALENDAR_DAYS, 7),
    group_id: queryId,
    ungrouped: queryFlag,
    planned: queryFlag,
  }),
  response: CalendarLine,
  errors: [404],
});
