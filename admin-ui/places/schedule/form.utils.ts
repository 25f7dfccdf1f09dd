/** The form of a plan, between what people type and what the server takes. */
import type { NewSchedule, Schedule } from '../../../shared/contract/schedules.ts';
import {
  DAY_MS,
  dayOf,
  formatDate,
  formatLocal,
  MINUTE_MS,
  parseDate,
  parseLocal,
} from '../../../shared/program/civil.ts';
import { type Target, targetOfSchedule } from '../../data/targets.ts';
import { colourOf } from '../../parts/planColours.ts';
import { once, type Repeat, repeatOf, ruleOf } from './rule.utils.ts';

export type SubjectKind = 'playlist' | 'content' | 'widget' | 'layout';

export interface Draft {
  readonly id: string | null;
  readonly target: Target;
  readonly kind: SubjectKind;
  readonly playlist_id: string | null;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly layout_id: string | null;
  readonly zone_id: string | null;
  readonly title: string;
  /** `YYYY-MM-DD` and `HH:MM`, as the browser's fields give them; empty while they are not whole. */
  readonly startDate: string;
  readonly startTime: string;
  readonly endDate: string;
  readonly endTime: string;
  readonly repeat: Repeat;
  readonly timezone: string;
  readonly priority: number;
  readonly color: string;
  readonly enabled: boolean;
}

const dateOf = (local: number): string => formatDate(dayOf(local));
const timeOf = (local: number): string => formatLocal(local).slice(11, 16);

export const newDraft = (target: Target, timezone: string, day: number, from: number, to: number): Draft => {
  const [start, end] = [day * DAY_MS + from * MINUTE_MS, day * DAY_MS + to * MINUTE_MS];
  return {
    id: null,
    target,
    kind: 'playlist',
    playlist_id: null,
    content_id: null,
    widget_id: null,
    layout_id: null,
    zone_id: null,
    title: '',
    startDate: dateOf(start),
    startTime: timeOf(start),
    endDate: dateOf(end),
    endTime: timeOf(end),
    repeat: once(day),
    timezone,
    priority: 0,
    color: '',
    enabled: true,
  };
};

const kindOf = (s: Schedule): SubjectKind =>
  s.playlist_id ? 'playlist' : s.content_id ? 'content' : s.widget_id ? 'widget' : 'layout';

export const draftOf = (schedule: Schedule): Draft => {
  const [start, end] = [parseLocal(schedule.start_time), parseLocal(schedule.end_time)];
  const { id, playlist_id, content_id, widget_id, layout_id, zone_id, title, timezone, priority } = schedule;
  return {
    id,
    target: targetOfSchedule(schedule),
    kind: kindOf(schedule),
    playlist_id,
    content_id,
    widget_id,
    layout_id,
    zone_id,
    title,
    startDate: dateOf(start),
    startTime: timeOf(start),
    endDate: dateOf(end),
    endTime: timeOf(end),
    repeat: repeatOf(schedule.recurrence, schedule.recurrence_end, dayOf(start)),
    timezone,
    priority,
    color: schedule.color ?? colourOf(schedule),
    enabled: schedule.enabled === 1,
  };
};

const localOf = (date: string, time: string): number | null => {
  try {
    return parseLocal(`${date}T${time.slice(0, 5)}`);
  } catch {
    return null;
  }
};
export const startOf = (draft: Draft): number | null => localOf(draft.startDate, draft.startTime);
export const endOf = (draft: Draft): number | null => localOf(draft.endDate, draft.endTime);
/** The day on which it first starts; undefined while it is being typed. */
export const dayOfDraft = ({ startDate }: Draft): number | undefined => {
  try {
    return parseDate(startDate);
  } catch {
    return undefined;
  }
};

/** A new start takes the end along, so that it lasts as long; a weekly rule takes the new weekday for the old. */
export const withStart = (draft: Draft, change: { startDate?: string; startTime?: string }): Draft => {
  const next = { ...draft, ...change };
  const [before, end, after] = [startOf(draft), endOf(draft), startOf(next)];
  if (before === null || end === null || after === null || end <= before) return next;
  const moved = end + after - before;
  const oldDay = new Date(before).getUTCDay();
  const newDay = new Date(after).getUTCDay();
  const days =
    draft.repeat.days.length <= 1
      ? [newDay]
      : [...new Set(draft.repeat.days.map((d) => (d === oldDay ? newDay : d)))].sort();
  return { ...next, endDate: dateOf(moved), endTime: timeOf(moved), repeat: { ...draft.repeat, days } };
};

export type Mistake = 'needShow' | 'badTime' | 'endBeforeStart';
export const mistakeOf = (draft: Draft): Mistake | null => {
  const chosen = {
    playlist: draft.playlist_id,
    content: draft.content_id,
    widget: draft.widget_id,
    layout: draft.layout_id,
  }[draft.kind];
  if (!chosen) return 'needShow';
  const [start, end] = [startOf(draft), endOf(draft)];
  if (start === null || end === null) return 'badTime';
  return end <= start ? 'endBeforeStart' : null;
};

/** What is sent. All of it, so that what was chosen before is gone. The draft has no mistake. */
export const bodyOf = (draft: Draft): NewSchedule => {
  const start = startOf(draft) ?? 0;
  return {
    device_id: draft.target.kind === 'screen' ? draft.target.id : null,
    group_id: draft.target.kind === 'group' ? draft.target.id : null,
    playlist_id: draft.kind === 'playlist' ? draft.playlist_id : null,
    content_id: draft.kind === 'content' ? draft.content_id : null,
    widget_id: draft.kind === 'widget' ? draft.widget_id : null,
    layout_id: draft.layout_id,
    zone_id: draft.kind === 'layout' ? null : draft.zone_id,
    title: draft.title.trim(),
    start_time: formatLocal(start),
    end_time: formatLocal(endOf(draft) ?? 0),
    timezone: draft.timezone,
    ...ruleOf(draft.repeat, dayOf(start)),
    color: draft.color || null,
    priority: draft.priority,
    enabled: draft.enabled ? 1 : 0,
  };
};

/** As it would be stored, to be tried out against the others. */
export const toSchedule = (draft: Draft, now: number): Schedule => {
  const body = bodyOf(draft);
  const text = (value: string | null | undefined) => value ?? null;
  return {
    id: draft.id ?? 'draft',
    workspace_id: '',
    plan_id: null,
    device_id: text(body.device_id),
    group_id: text(body.group_id),
    zone_id: text(body.zone_id),
    content_id: text(body.content_id),
    widget_id: text(body.widget_id),
    layout_id: text(body.layout_id),
    playlist_id: text(body.playlist_id),
    title: draft.title,
    start_time: body.start_time,
    end_time: body.end_time,
    timezone: draft.timezone,
    recurrence: text(body.recurrence),
    recurrence_end: body.recurrence_end || null,
    color: body.color || null,
    priority: draft.priority,
    enabled: draft.enabled ? 1 : 0,
    created_at: now,
    updated_at: now,
  };
};
