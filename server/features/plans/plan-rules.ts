/** Rules for the fields of a plan and for the records that it names. */
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import type { PlanChange, PlanTarget } from '../../../shared/contract/screens/plans.ts';
import { DAY_MS, parseLocal } from '../../../shared/program/civil.ts';
import { parseRule, RecurrenceError } from '../../../shared/program/recurrence.ts';
import { MOST_AT_ONCE, type Never, overlapsTooMuch, whyNever } from '../../../shared/program/series.ts';
import type { LayoutsService } from '../layouts/layouts.service.ts';
import { dayOfDate, localIn } from './local-times.ts';
import type { PlannedFields, PlansStore } from './plans.store.ts';

export const keyOf = ({ kind, id }: PlanTarget): string => `${kind} ${id}`;

/** Default fields of a plan, used where a request sets no value. */
export const BLANK: PlannedFields = {
  zone_id: null,
  content_id: null,
  widget_id: null,
  layout_id: null,
  playlist_id: null,
  title: '',
  start_time: '',
  end_time: '',
  timezone: '',
  recurrence: null,
  recurrence_end: null,
  color: null,
  priority: 0,
  enabled: 1,
};

/**
 * Returns the earlier plan with the fields of the request changed. Times are in the plan's zone.
 * @param ownZone zone of the plan's targets
 * @throws ApiError 400 for a time that does not exist
 */
export const merged = (
  before: PlannedFields,
  body: Omit<PlanChange, 'targets'>,
  ownZone: () => string,
): PlannedFields => {
  const sent = (key: keyof typeof body) => body[key] !== undefined;
  const after: PlannedFields = { ...before };
  for (const key of ['zone_id', 'content_id', 'widget_id', 'layout_id', 'playlist_id'] as const)
    if (sent(key)) after[key] = body[key] ?? null;
  // Setting a content clears the widget, and setting a widget clears the content.
  if (body.widget_id && !sent('content_id')) after.content_id = null;
  if (body.content_id && !sent('widget_id')) after.widget_id = null;
  if (sent('title')) after.title = body.title ?? '';
  if (sent('recurrence')) after.recurrence = body.recurrence?.trim().replace(/^RRULE:/i, '') || null;
  if (sent('recurrence_end')) after.recurrence_end = body.recurrence_end || null;
  if (sent('color')) after.color = body.color || null;
  if (body.priority !== undefined) after.priority = body.priority;
  if (body.enabled !== undefined) after.enabled = body.enabled;
  if (sent('timezone') || !after.timezone) after.timezone = body.timezone || ownZone();
  if (body.start_time !== undefined) after.start_time = localIn(after.timezone, body.start_time, 'start_time');
  if (body.end_time !== undefined) after.end_time = localIn(after.timezone, body.end_time, 'end_time');
  return after;
};

type PlannedTimes = Pick<PlannedFields, 'start_time' | 'end_time' | 'timezone' | 'recurrence' | 'recurrence_end'>;

export const specOf = ({ start_time: start, end_time: end, timezone, recurrence, recurrence_end }: PlannedTimes) => ({
  start,
  end,
  timezone,
  recurrence,
  recurrence_end,
});

/**
 * Checks times of plans and schedules. The check for overlapping occurrences applies only to changed times, so that a
 * plan from before this check can still be disabled.
 * @throws ApiError 400 that names the field
 */
export const requireTimes = (before: PlannedTimes | undefined, plan: PlannedTimes): void => {
  if (parseLocal(plan.end_time) <= parseLocal(plan.start_time)) throw badRequest('end_time: must be after start_time');
  if (plan.recurrence_end !== null) {
    const last = dayOfDate(plan.recurrence_end, 'recurrence_end');
    if (last < Math.floor(parseLocal(plan.start_time) / DAY_MS))
      throw badRequest('recurrence_end: must not be before start_time');
  }
  if (plan.recurrence !== null) {
    try {
      parseRule(plan.recurrence);
    } catch (error) {
      if (error instanceof RecurrenceError) throw badRequest(`recurrence: ${error.message}`);
      throw error;
    }
  }
  const isTimed = (['start_time', 'end_time', 'timezone', 'recurrence', 'recurrence_end'] as const).some(
    (key) => before?.[key] !== plan[key],
  );
  const never = isTimed ? whyNever(specOf(plan)) : null;
  if (never) throw badRequest(NEVER[never]);
  if (isTimed && overlapsTooMuch(specOf(plan)))
    throw badRequest(
      `recurrence: more than ${MOST_AT_ONCE} repetitions would run at the same time, because each repetition lasts from start_time to end_time. Set end_time to the end of the first repetition, and recurrence_end to the last day.`,
    );
};

const NEVER: Readonly<Record<Never, string>> = {
  rule: 'recurrence: no day ever matches this rule from start_time on. Change BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS or INTERVAL.',
  until: 'recurrence: UNTIL is before the first day that matches the rule. Set a later UNTIL.',
  recurrence_end: 'recurrence_end: is before the first day that matches the recurrence. Set a later day.',
};

/**
 * Checks a plan before it is written or previewed.
 * @throws ApiError 400 that names the field, 404 for a record outside the workspace
 */
export const requireSane = (
  deps: { readonly store: PlansStore; readonly layouts: Pick<LayoutsService, 'findZone'> },
  workspaceId: string,
  { before, plan }: { readonly before: PlannedFields; readonly plan: PlannedFields },
): void => {
  const { store, layouts } = deps;
  if (!plan.content_id && !plan.widget_id && !plan.layout_id && !plan.playlist_id)
    throw badRequest('content_id: send at least one of content_id, widget_id, layout_id and playlist_id');
  requireTimes(before, plan);
  if (plan.content_id && !store.exists(workspaceId, 'content', plan.content_id)) throw notFound('Content');
  if (plan.widget_id && !store.exists(workspaceId, 'widget', plan.widget_id)) throw notFound('Widget');
  if (plan.playlist_id && !store.exists(workspaceId, 'playlist', plan.playlist_id)) throw notFound('Playlist');
  if (plan.layout_id && !store.exists(workspaceId, 'layout', plan.layout_id)) throw notFound('Layout');
  if (plan.zone_id && !layouts.findZone(workspaceId, plan.zone_id)) throw notFound('Zone');
};
