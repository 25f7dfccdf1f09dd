/**
 * The rules of schedules (resource API, Schedules; decisions, Schedules). The evaluator is the one the players run
 * (shared/program).
 */

import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import {
  MAX_SCHEDULES,
  type NewSchedule,
  type Schedule,
  type ScheduleChange,
  type ScheduleInstance,
} from '../../../shared/contract/schedules.ts';
import { DAY_MS, formatLocal, parseDate, parseLocal, weekdayOf } from '../../../shared/program/civil.ts';
import { parseRule, RecurrenceError } from '../../../shared/program/recurrence.ts';
import { createSeries, MOST_AT_ONCE, overlapsTooMuch } from '../../../shared/program/series.ts';
import { toInstant, toLocal } from '../../../shared/program/zones.ts';
import type { WorkspaceActor } from '../../kernel/actor.ts';
import { seconds } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { inSlices } from '../../kernel/slices.ts';
import type { LayoutsService } from '../layouts/layouts.service.ts';
import { Records } from '../records.ts';
import type { ScheduleRow, SchedulesStore } from './schedules.store.ts';

/** Limits one screen or group: all of them go to the screen, which looks at each whenever one begins or ends. */
const MAX_OF_TARGET = 1000;
/** Limits one answer: some six megabytes, and more than a calendar can show of a week. */
const MAX_INSTANCES = 10_000;
/** Open ends of a list's range. */
const LONG_AGO = -62_135_596_800_000;
const FAR_OFF = 253_402_300_799_000;

const toSchedule = (row: ScheduleRow): Schedule => ({ ...row, enabled: row.enabled === 1 ? 1 : 0 });
const specOf = ({ start_time: start, end_time: end, timezone, recurrence, recurrence_end }: ScheduleRow) => ({
  start,
  end,
  timezone,
  recurrence,
  recurrence_end,
});
const seriesOf = (row: ScheduleRow) => createSeries(specOf(row));

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: SchedulesStore;
  readonly layouts: Pick<LayoutsService, 'findZone'>;
  readonly serverZone: () => string;
}

export class SchedulesService {
  readonly #deps: Deps;
  readonly #records: Records<ScheduleRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { store } = deps;
    const nameOf = (row: ScheduleRow) => {
      const what = row.title || (store.nameOfShown(row) ?? row.start_time);
      const group = row.group_id === null ? undefined : store.groupName(row.group_id);
      return group === undefined ? what : `${what}: ${group}`;
    };
    this.#records = new Records({
      ...deps,
      noun: 'Schedule',
      topic: 'schedules',
      nameOf,
      deviceOf: (row) => row.device_id,
    });
  }

  /** `start` and `end` keep what overlaps them. */
  async list(
    actor: WorkspaceActor,
    query: {
      device_id?: string | undefined;
      group_id?: string | undefined;
      start?: string | undefined;
      end?: string | undefined;
    },
  ): Promise<Schedule[]> {
    const rows = this.#deps.store.list(actor.workspaceId, { deviceId: query.device_id, groupId: query.group_id });
    if (!query.start && !query.end) return rows.map(toSchedule);
    const from = query.start ? this.#instant(query.start, 'start') : LONG_AGO;
    const to = query.end ? this.#instant(query.end, 'end') : FAR_OFF;
    if (to <= from) throw badRequest('end: must be after start');
    const kept: Schedule[] = [];
    for await (const row of inSlices(rows))
      if (!seriesOf(row).occurrences(from, to).next().done) kept.push(toSchedule(row));
    return kept;
  }

  ofDevice(actor: WorkspaceActor, deviceId: string): Schedule[] {
    this.#requireDevice(actor, deviceId);
    return this.#deps.store.ofDevice(actor.workspaceId, deviceId).map(toSchedule);
  }

  /** The week (from Sunday) that `date` is in, by the device's zone. */
  async week(actor: WorkspaceActor, deviceId: string, date: string | undefined): Promise<ScheduleInstance[]> {
    const zone = this.#requireDevice(actor, deviceId);
    const day = date === undefined ? Math.floor(toLocal(this.#deps.clock.now(), zone) / DAY_MS) : dayOfDate(date);
    const sunday = day - weekdayOf(day);
    const from = toInstant(sunday * DAY_MS, zone);
    const to = toInstant((sunday + 7) * DAY_MS, zone);
    const instances: ScheduleInstance[] = [];
    for await (const row of inSlices(this.#deps.store.ofDevice(actor.workspaceId, deviceId))) {
      instances.push(...instancesOf(row, from, to));
      if (instances.length > MAX_INSTANCES)
        throw badRequest(
          `device_id: this week has more than ${MAX_INSTANCES} instances, the last of them of “${row.title || row.id}”. Delete schedules that are not needed.`,
        );
    }
    return instances.sort((a, b) => a.instance_start_epoch - b.instance_start_epoch);
  }

  create(actor: WorkspaceActor, body: NewSchedule): Schedule {
    const { store, clock, db } = this.#deps;
    this.#records.requireRoom(actor, MAX_SCHEDULES);
    const now = seconds(clock);
    const blank: ScheduleRow = {
      id: newId(),
      workspace_id: actor.workspaceId,
      plan_id: null,
      device_id: null,
      group_id: null,
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
      created_at: now,
      updated_at: now,
    };
    const row = this.#sane(actor, this.#merged(actor, blank, body));
    this.#requireBounds(blank, row);
    return db.write(() => {
      store.insert(row);
      this.#records.changed(actor, 'schedule.created', row);
      return toSchedule(row);
    });
  }

  update(actor: WorkspaceActor, id: string, body: ScheduleChange): Schedule {
    const before = this.#records.get(actor, id);
    const row = this.#sane(actor, this.#merged(actor, before, body));
    this.#requireBounds(before, row);
    return this.#deps.db.write(() => {
      const saved = this.#deps.store.update(id, { ...row, updated_at: seconds(this.#deps.clock) });
      this.#records.changed(actor, 'schedule.updated', saved);
      return toSchedule(saved);
    });
  }

  delete(actor: WorkspaceActor, id: string): void {
    const row = this.#records.get(actor, id);
    this.#deps.db.write(() => {
      this.#deps.store.delete(id);
      this.#records.changed(actor, 'schedule.deleted', row);
    });
  }

  /** What was sent laid over what was there; times in the schedule's zone. */
  #merged(actor: WorkspaceActor, before: ScheduleRow, body: ScheduleChange): ScheduleRow {
    const sent = <K extends keyof ScheduleChange>(key: K) => body[key] !== undefined;
    const row: ScheduleRow = { ...before };
    for (const key of ['zone_id', 'content_id', 'widget_id', 'layout_id', 'playlist_id'] as const)
      if (sent(key)) row[key] = body[key] ?? null;
    // Naming the one thing to show takes the place of the other.
    if (body.widget_id && !sent('content_id')) row.content_id = null;
    if (body.content_id && !sent('widget_id')) row.widget_id = null;
    // Naming the one target takes the schedule away from the other.
    if (sent('device_id') || sent('group_id')) {
      row.device_id = sent('device_id') ? (body.device_id ?? null) : body.group_id ? null : before.device_id;
      row.group_id = sent('group_id') ? (body.group_id ?? null) : body.device_id ? null : before.group_id;
    }
    if (Boolean(row.device_id) === Boolean(row.group_id))
      throw badRequest('device_id: send exactly one of device_id and group_id');
    if (sent('title')) row.title = body.title ?? '';
    if (sent('recurrence')) row.recurrence = body.recurrence?.trim().replace(/^RRULE:/i, '') || null;
    if (sent('recurrence_end')) row.recurrence_end = body.recurrence_end || null;
    if (sent('color')) row.color = body.color || null;
    if (body.priority !== undefined) row.priority = body.priority;
    if (body.enabled !== undefined) row.enabled = body.enabled;
    const ownZone = row.device_id ? this.#requireDevice(actor, row.device_id) : this.#deps.serverZone();
    if (sent('timezone') || !row.timezone) row.timezone = body.timezone || ownZone;
    if (body.start_time !== undefined) row.start_time = localIn(row.timezone, body.start_time, 'start_time');
    if (body.end_time !== undefined) row.end_time = localIn(row.timezone, body.end_time, 'end_time');
    return row;
  }

  #sane(actor: WorkspaceActor, row: ScheduleRow): ScheduleRow {
    const { store, layouts } = this.#deps;
    if (!row.content_id && !row.widget_id && !row.layout_id && !row.playlist_id)
      throw badRequest('content_id: send at least one of content_id, widget_id, layout_id and playlist_id');
    if (parseLocal(row.end_time) <= parseLocal(row.start_time)) throw badRequest('end_time: must be after start_time');
    if (row.recurrence_end !== null) {
      const last = dayOfDate(row.recurrence_end, 'recurrence_end');
      if (last < Math.floor(parseLocal(row.start_time) / DAY_MS))
        throw badRequest('recurrence_end: must not be before start_time');
    }
    if (row.recurrence !== null) {
      try {
        parseRule(row.recurrence);
      } catch (error) {
        if (error instanceof RecurrenceError) throw badRequest(`recurrence: ${error.message}`);
        throw error;
      }
    }
    const { workspaceId } = actor;
    if (row.group_id && !store.exists(workspaceId, 'group', row.group_id)) throw notFound('Group');
    if (row.content_id && !store.exists(workspaceId, 'content', row.content_id)) throw notFound('Content');
    if (row.widget_id && !store.exists(workspaceId, 'widget', row.widget_id)) throw notFound('Widget');
    if (row.playlist_id && !store.exists(workspaceId, 'playlist', row.playlist_id)) throw notFound('Playlist');
    if (row.layout_id && !store.exists(workspaceId, 'layout', row.layout_id)) throw notFound('Layout');
    if (row.zone_id && !layouts.findZone(workspaceId, row.zone_id)) throw notFound('Zone');
    return row;
  }

  /**
   * What one schedule, and one screen, may come to. Only of what is changed: one that was there before can still be
   * switched off.
   */
  #requireBounds(before: ScheduleRow, row: ScheduleRow): void {
    const target = row.device_id
      ? ({ column: 'device_id', id: row.device_id } as const)
      : ({ column: 'group_id', id: row.group_id! } as const);
    if (before[target.column] !== target.id && this.#deps.store.countOf(target.column, target.id) >= MAX_OF_TARGET)
      throw badRequest(`${target.column}: a screen or group has at most ${MAX_OF_TARGET} schedules`);
    const isTimed = (['start_time', 'end_time', 'timezone', 'recurrence', 'recurrence_end'] as const).some(
      (key) => before[key] !== row[key],
    );
    if (isTimed && overlapsTooMuch(specOf(row)))
      throw badRequest(
        `recurrence: more than ${MOST_AT_ONCE} of these would run at the same time, since each lasts from start_time to end_time. Let end_time be the end of the first one, and say in recurrence_end when they stop.`,
      );
  }

  /** @returns the device's zone */
  #requireDevice(actor: WorkspaceActor, deviceId: string): string {
    const device = this.#deps.store.device(actor.workspaceId, deviceId);
    if (!device) throw notFound('Device');
    return device.timezone;
  }

  /** Reads an end of a list's range: with an offset as it is, without one in the server's zone. */
  #instant(text: string, name: string): number {
    const withTime = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text;
    return hasOffset(withTime)
      ? instantOf(withTime, name)
      : toInstant(localOf(withTime, name), this.#deps.serverZone());
  }
}

function* instancesOf(row: ScheduleRow, from: number, to: number): Generator<ScheduleInstance> {
  for (const { start, end } of seriesOf(row).occurrences(from, to)) {
    yield {
      ...toSchedule(row),
      instance_start: formatLocal(toLocal(start, row.timezone)),
      instance_end: formatLocal(toLocal(end, row.timezone)),
      instance_start_epoch: Math.floor(start / 1000),
      instance_end_epoch: Math.floor(end / 1000),
    };
  }
}

const hasOffset = (text: string) => /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10));

const dayOfDate = (text: string, name = 'date'): number => {
  try {
    return parseDate(text);
  } catch {
    throw badRequest(`${name}: must be a day that exists, like 2026-12-24`);
  }
};

const localOf = (text: string, name: string): number => {
  try {
    return parseLocal(text.length === 16 ? `${text}:00` : text.slice(0, 19));
  } catch {
    throw badRequest(`${name}: must be a date-time that exists, like 2026-12-24T09:00`);
  }
};

const instantOf = (text: string, name: string): number => {
  const instant = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  if (Number.isNaN(instant)) throw badRequest(`${name}: must be a date-time that exists, like 2026-12-24T09:00`);
  return instant;
};

/** `YYYY-MM-DDTHH:MM:SS` on the zone's wall clock. */
const localIn = (zone: string, text: string, name: string): string =>
  formatLocal(hasOffset(text) ? toLocal(instantOf(text, name), zone) : localOf(text, name));
