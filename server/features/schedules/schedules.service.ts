/**
 * Rules of schedules (resource API, Schedules). Schedules are evaluated by the same code as on players
 * (shared/program).
 */

import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import type {
  NewSchedule,
  Schedule,
  ScheduleChange,
  ScheduleInstance,
} from '../../../shared/contract/screens/schedules.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { DAY_MS, formatLocal, weekdayOf } from '../../../shared/program/civil.ts';
import { createSeries } from '../../../shared/program/series.ts';
import { toInstant, toLocal } from '../../../shared/program/zones.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Versioned } from '../../kernel/revision.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { dayOfDate, instantIn } from '../plans/local-times.ts';
import { specOf } from '../plans/plan-rules.ts';
import type { PlansService } from '../plans/plans.service.ts';
import { Records } from '../records.ts';
import type { ScheduleRow, SchedulesStore } from './schedules.store.ts';

type ScheduleTarget = Pick<ScheduleRow, 'device_id' | 'group_id'>;

/** Maximum number of instances in an answer: some six megabytes, and more than a calendar can show of a week. */
const MAX_INSTANCES = 10_000;
/** Start and end of the range when a list has no limits. */
const LONG_AGO = -62_135_596_800_000;
const FAR_OFF = 253_402_300_799_000;

const toSchedule = (row: ScheduleRow): Schedule => ({ ...row, enabled: row.enabled === 1 ? 1 : 0 });
const seriesOf = (row: ScheduleRow) => createSeries(specOf(row));

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: SchedulesStore;
  readonly plans: Pick<PlansService, 'addOne' | 'join' | 'updateOne' | 'deleteOne' | 'nameOf'>;
  readonly serverZone: () => string;
}

export class SchedulesService {
  readonly #deps: Deps;
  readonly #records: Records<ScheduleRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { store } = deps;
    const nameOf = (row: ScheduleRow) => {
      const what = deps.plans.nameOf(row);
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

  /** Lists schedules. `start` and `end` limit the list to schedules that overlap this range. */
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
    const from = query.start ? instantIn(this.#deps.serverZone(), query.start, 'start') : LONG_AGO;
    const to = query.end ? instantIn(this.#deps.serverZone(), query.end, 'end') : FAR_OFF;
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

  /** Returns the week (from Sunday) that contains `date`, in the device's zone. */
  async week(actor: WorkspaceActor, deviceId: string, date: string | undefined): Promise<ScheduleInstance[]> {
    const zone = this.#requireDevice(actor, deviceId);
    const day =
      date === undefined ? Math.floor(toLocal(this.#deps.clock.now(), zone) / DAY_MS) : dayOfDate(date, 'date');
    const sunday = day - weekdayOf(day);
    const from = toInstant(sunday * DAY_MS, zone);
    const to = toInstant((sunday + 7) * DAY_MS, zone);
    const instances: ScheduleInstance[] = [];
    for await (const row of inSlices(this.#deps.store.ofDevice(actor.workspaceId, deviceId))) {
      instances.push(...instancesOf(row, from, to));
      if (instances.length > MAX_INSTANCES)
        throw badRequest(
          `device_id: this screen has more than ${MAX_INSTANCES} scheduled times in this week; the limit was reached at the schedule “${row.title || row.id}”. Delete schedules that are not needed.`,
        );
    }
    return instances.sort((a, b) => a.instance_start_epoch - b.instance_start_epoch);
  }

  /** Makes a plan with a single schedule. The schedule's revision equals the plan's revision. */
  create(actor: WorkspaceActor, { device_id, group_id, ...body }: NewSchedule): Versioned<Schedule> {
    const target = targetOf({ device_id: null, group_id: null }, { device_id, group_id });
    return this.#deps.db.write(() => {
      const plan = this.#deps.plans.addOne(actor, target, body);
      return this.#saved(actor, 'schedule.created', plan.id, plan.revision);
    });
  }

  /** Adds a screen or a group to the plan of a schedule. */
  join(actor: WorkspaceActor, id: string, { device_id, group_id }: ScheduleTarget): Schedule {
    return this.#deps.db.write(() => {
      const made = this.#deps.plans.join(actor, this.#records.get(actor, id), { device_id, group_id });
      const row = this.#records.get(actor, made);
      this.#records.changed(actor, 'schedule.created', row);
      return toSchedule(row);
    });
  }

  /**
   * Changes a schedule. If the plan has only this schedule, the plan changes too; otherwise the schedule moves to a new
   * plan.
   */
  update(
    actor: WorkspaceActor,
    id: string,
    { device_id, group_id, ...body }: ScheduleChange,
    ifMatch?: string,
  ): Versioned<Schedule> {
    return this.#deps.db.write(() => {
      const before = this.#records.get(actor, id);
      const target = targetOf(before, { device_id, group_id });
      const plan = this.#deps.plans.updateOne(actor, before, { target, body, ifMatch });
      return this.#saved(actor, 'schedule.updated', id, plan.revision);
    });
  }

  delete(actor: WorkspaceActor, id: string, ifMatch?: string): void {
    this.#deps.db.write(() => {
      const row = this.#records.get(actor, id);
      this.#deps.plans.deleteOne(actor, row, ifMatch);
      this.#records.changed(actor, 'schedule.deleted', row);
    });
  }

  #saved(actor: WorkspaceActor, action: ActivityAction, id: string, revision: number): Versioned<Schedule> {
    const row = this.#records.get(actor, id);
    this.#records.changed(actor, action, row);
    return { record: toSchedule(row), revision };
  }

  /** @returns the device's zone */
  #requireDevice(actor: WorkspaceActor, deviceId: string): string {
    const device = this.#deps.store.device(actor.workspaceId, deviceId);
    if (!device) throw notFound('Device');
    return device.timezone;
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

/**
 * Returns the target. Setting a device clears the group, and the other way round.
 * @throws ApiError 400 unless there is exactly one target
 */
const targetOf = (
  before: ScheduleTarget,
  sent: { readonly device_id?: string | null | undefined; readonly group_id?: string | null | undefined },
): ScheduleTarget => {
  let { device_id, group_id } = before;
  if (sent.device_id !== undefined || sent.group_id !== undefined) {
    device_id = sent.device_id !== undefined ? sent.device_id : sent.group_id ? null : before.device_id;
    group_id = sent.group_id !== undefined ? sent.group_id : sent.device_id ? null : before.group_id;
  }
  if (Boolean(device_id) === Boolean(group_id))
    throw badRequest('device_id: send exactly one of device_id and group_id');
  return { device_id, group_id };
};
