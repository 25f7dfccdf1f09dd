/**
 * A plan shows one thing at one time on several targets. It keeps a schedule for each of its screens and groups, and
 * writes them together with the plan. The programs of screens are made from the schedules.
 */

import type { CopyBody } from '../../../shared/contract/content/copies.ts';
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import {
  MAX_PLAN_TARGETS,
  type NewPlan,
  type Plan,
  type PlanChange,
  type PlanTarget,
} from '../../../shared/contract/screens/plans.ts';
import { MAX_SCHEDULES } from '../../../shared/contract/screens/schedules.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Versioned } from '../../kernel/revision.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { DeviceTags } from '../devices/device-tags.ts';
import type { LayoutsService } from '../layouts/layouts.service.ts';
import { Records } from '../records.ts';
import { BLANK, keyOf, merged, requireSane } from './plan-rules.ts';
import type { PlannedFields, PlanRow, PlansStore, ScheduleTarget } from './plans.store.ts';

/**
 * Maximum number of schedules per screen or group. A screen gets all of them, and examines each schedule whenever a
 * schedule begins or ends.
 */
const MAX_OF_TARGET = 1000;
/** Maximum number of target names in an entry of the activity log. */
const MAX_NAMED = 3;

/** A schedule, with the fields from which its plan is found. */
interface OneOfPlan extends ScheduleTarget {
  readonly id: string;
  readonly plan_id: string | null;
}

type Fields = Omit<PlanChange, 'targets'>;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: PlansStore;
  readonly layouts: Pick<LayoutsService, 'findZone'>;
  readonly tags: Pick<DeviceTags, 'spelled'>;
  readonly serverZone: () => string;
}

export class PlansService {
  readonly #deps: Deps;
  readonly #records: Records<PlanRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    const named = (row: PlanRow): string => `${this.nameOf(row)}: ${namesOf(deps.store.targets(row.id))}`;
    const deviceOf = (row: PlanRow) => {
      const targets = deps.store.targets(row.id);
      return targets.length === 1 && targets[0]!.kind === 'device' ? targets[0]!.id : null;
    };
    this.#records = new Records({ ...deps, noun: 'Plan', topic: 'plans', nameOf: named, deviceOf });
  }

  async list(
    actor: WorkspaceActor,
    query: Parameters<PlansStore['page']>[1],
  ): Promise<{ plans: Plan[]; total: number }> {
    const { device_id, group_id } = query;
    const named = { device: device_id, group: group_id };
    this.#requireTargets(
      actor,
      (['device', 'group'] as const).flatMap((kind) => (named[kind] ? [{ kind, id: named[kind] }] : [])),
    );
    const { rows, total } = this.#deps.store.page(actor.workspaceId, query);
    const plans: Plan[] = [];
    for await (const row of inSlices(rows)) plans.push(this.#plain(row));
    return { plans, total };
  }

  get(actor: WorkspaceActor, id: string): Versioned<Plan> {
    return this.#versioned(this.#records.get(actor, id));
  }

  create(actor: WorkspaceActor, { targets, ...body }: NewPlan): Versioned<Plan> {
    return this.#deps.db.write(() => {
      const row = this.#add(actor, this.#spelled(actor, targets), body, 'plan');
      this.#changed(actor, 'plan.created', row, this.#deps.store.scheduleIds(row.id));
      return this.#versioned(row);
    });
  }

  /** Copies a plan with its times and targets. The copy is disabled, so that no screen changes. */
  duplicate(actor: WorkspaceActor, id: string, body: CopyBody): Versioned<Plan> {
    const { store, clock, db } = this.#deps;
    return db.write(() => {
      const { revision: _revision, ...original } = this.#records.get(actor, id);
      const targets = store.targets(id);
      requireFew(targets, []);
      if (store.countSchedules(actor.workspaceId) >= MAX_SCHEDULES) throw tooManySchedules();
      const now = seconds(clock);
      const row = store.insert({
        ...original,
        id: newId(),
        title: this.#records.nameOfCopy(actor, this.nameOf(original), body),
        enabled: 0,
        created_at: now,
        updated_at: now,
      });
      store.setTargets(row.id, targets);
      store.fit(row);
      this.#requireRoom(row, 'plan');
      this.#changed(actor, 'plan.created', row, store.scheduleIds(row.id));
      return this.#versioned(row);
    });
  }

  update(
    actor: WorkspaceActor,
    id: string,
    { targets: asked, ...body }: PlanChange,
    ifMatch?: string,
  ): Versioned<Plan> {
    const { store, db, clock } = this.#deps;
    return db.write(() => {
      const before = this.#records.getFor(actor, id, ifMatch);
      const targets = asked && this.#spelled(actor, asked);
      if (targets) {
        requireFew(targets, store.targets(id));
        this.#requireTargets(actor, targets);
      }
      const fields = this.#sane(actor, { before, body, targets: targets ?? store.targets(id) });
      const row = store.update(id, { ...fields, updated_at: seconds(clock) });
      if (targets) store.setTargets(id, targets);
      // Includes schedules that `fit` removes, so that their removal is announced too.
      const had = store.follow(id);
      const { made } = store.fit(row);
      if (made.length > 0) this.#requireRoom(row, 'plan');
      this.#changed(actor, 'plan.updated', row, [...had, ...made]);
      return this.#versioned(row);
    });
  }

  delete(actor: WorkspaceActor, id: string, ifMatch?: string): void {
    this.#deps.db.write(() => {
      const row = this.#records.getFor(actor, id, ifMatch);
      const schedules = this.#deps.store.scheduleIds(id);
      this.#deps.bin.storeRecord(actor, 'plan', { id, name: this.nameOf(row) });
      this.#changed(actor, 'plan.deleted', row, schedules);
      this.#deps.store.delete(id);
    });
  }

  /** Returns the title of the plan, else the name of what it shows. */
  nameOf(row: PlannedFields): string {
    return row.title || (this.#deps.store.nameOfShown(row) ?? row.start_time);
  }

  /**
   * Returns the plan that a request would make, without saving it.
   * @throws ApiError like making the plan
   */
  proposed(
    actor: WorkspaceActor,
    asked: readonly PlanTarget[],
    body: Fields,
  ): { readonly fields: PlannedFields; readonly targets: readonly PlanTarget[] } {
    const targets = this.#spelled(actor, asked);
    this.#requireTargets(actor, targets);
    return { fields: this.#sane(actor, { before: BLANK, body, targets }), targets };
  }

  /** Returns the current screens of the targets, each once. @throws ApiError 404 */
  screensOf(actor: WorkspaceActor, asked: readonly PlanTarget[]): string[] {
    const targets = this.#spelled(actor, asked);
    this.#requireTargets(actor, targets);
    return this.#deps.store.screensOf(actor.workspaceId, targets).map(({ id }) => id);
  }

  // — single schedules, within the write transaction of the caller —

  /** Returns the plan of a schedule. @throws ApiError 404 */
  of(actor: WorkspaceActor, { plan_id }: Pick<OneOfPlan, 'plan_id'>, ifMatch?: string): PlanRow {
    return this.#records.getFor(actor, plan_id ?? '', ifMatch);
  }

  /** Makes a plan for one target. Its schedule has the id of the plan. */
  addOne(actor: WorkspaceActor, target: ScheduleTarget, body: Fields): PlanRow {
    const row = this.#add(actor, [planTarget(target)], body, 'schedule');
    announce(this.#deps, actor, { topic: 'plans', ids: [row.id] });
    return row;
  }

  /** Changes a schedule. The only schedule of a plan changes the plan too; one of several moves to a new plan. */
  updateOne(
    actor: WorkspaceActor,
    schedule: OneOfPlan,
    { target, body, ifMatch }: { target: ScheduleTarget; body: Fields; ifMatch?: string | undefined },
  ): PlanRow {
    const { store, clock } = this.#deps;
    const before = this.of(actor, schedule, ifMatch);
    const isMoved = target.device_id !== schedule.device_id || target.group_id !== schedule.group_id;
    const targets = [planTarget(target)];
    if (isMoved) this.#requireTargets(actor, targets);
    const fields = this.#sane(actor, { before, body, targets });
    const isOnly = store.scheduleIds(before.id).length === 1;
    const updated_at = seconds(clock);
    let row: PlanRow;
    if (isOnly) row = store.update(before.id, { ...fields, updated_at });
    else {
      this.#takeOut(before, schedule);
      const id = before.id === schedule.id ? newId() : schedule.id;
      const { workspace_id, created_at } = before;
      row = store.insert({ ...fields, id, workspace_id, created_at, updated_at });
      store.moveSchedule(schedule.id, row.id);
    }
    if (isMoved) store.retarget(schedule.id, target);
    if (isMoved || !isOnly) store.setTargets(row.id, targets);
    store.follow(row.id);
    if (isMoved) this.#requireRoom(row, 'schedule');
    announce(this.#deps, actor, { topic: 'plans', ids: [...new Set([before.id, row.id])] });
    return row;
  }

  /** Adds a target to the plan of a schedule. @returns the id of the schedule for that target */
  join(actor: WorkspaceActor, schedule: OneOfPlan, target: ScheduleTarget): string {
    const { store, clock } = this.#deps;
    this.#requireTargets(actor, [planTarget(target)]);
    const plan = store.update(this.of(actor, schedule).id, { updated_at: seconds(clock) });
    const id = store.addTarget(plan.id, planTarget(target), target);
    this.#requireRoom(plan, 'schedule');
    announce(this.#deps, actor, { topic: 'plans', ids: [plan.id] });
    return id;
  }

  /** Deletes a schedule. The last schedule of a plan deletes the plan too. */
  deleteOne(actor: WorkspaceActor, schedule: OneOfPlan, ifMatch?: string): void {
    const { store } = this.#deps;
    const plan = this.of(actor, schedule, ifMatch);
    if (store.scheduleIds(plan.id).length === 1) {
      this.#deps.bin.storeRecord(actor, 'plan', { id: plan.id, name: this.nameOf(plan) });
      store.delete(plan.id);
    } else {
      this.#takeOut(plan, schedule);
      store.removeSchedule(schedule.id);
    }
    announce(this.#deps, actor, { topic: 'plans', ids: [plan.id] });
  }

  /**
   * Removes a schedule's target from its plan. A tag that includes the target is replaced by the other screens of the
   * tag.
   */
  #takeOut(plan: PlanRow, { device_id, group_id }: ScheduleTarget): void {
    const { store, clock } = this.#deps;
    const targets = store.targets(plan.id).flatMap((target): PlanTarget[] => {
      if (target.kind !== 'tag') return target.id === (device_id ?? group_id) ? [] : [target];
      const tagged = device_id === null ? [] : store.tagged(plan.workspace_id, target.id);
      if (!tagged.includes(device_id ?? '')) return [target];
      return tagged.filter((id) => id !== device_id).map((id) => ({ kind: 'device', id }));
    });
    store.setTargets(plan.id, targets);
    store.update(plan.id, { updated_at: seconds(clock) });
  }

  #add(actor: WorkspaceActor, targets: readonly PlanTarget[], body: Fields, as: 'plan' | 'schedule'): PlanRow {
    const { store, clock } = this.#deps;
    if (store.countSchedules(actor.workspaceId) >= MAX_SCHEDULES) throw tooManySchedules();
    this.#requireTargets(actor, targets);
    const fields = this.#sane(actor, { before: BLANK, body, targets });
    const now = seconds(clock);
    const { workspaceId: workspace_id } = actor;
    const row = store.insert({ ...fields, id: newId(), workspace_id, created_at: now, updated_at: now });
    store.setTargets(row.id, targets);
    store.fit(row);
    this.#requireRoom(row, as);
    return row;
  }

  #sane(
    actor: WorkspaceActor,
    { before, body, targets }: { before: PlannedFields; body: Fields; targets: readonly PlanTarget[] },
  ): PlannedFields {
    const { store, serverZone } = this.#deps;
    const ownZone = () => store.firstZone(actor.workspaceId, targets) ?? serverZone();
    const plan = merged(before, body, ownZone);
    requireSane(this.#deps, actor.workspaceId, { before, plan });
    return plan;
  }

  /**
   * Returns targets without duplicates, with tags in the spelling of the workspace: "Window" and "window" are the same
   * tag.
   */
  #spelled({ workspaceId }: WorkspaceActor, targets: readonly PlanTarget[]): PlanTarget[] {
    const tags = targets.flatMap(({ kind, id }) => (kind === 'tag' ? [id] : []));
    const known = this.#deps.tags.spelled(workspaceId, tags);
    const spelled = targets.map((target) =>
      target.kind === 'tag' ? { ...target, id: known[tags.indexOf(target.id)]! } : target,
    );
    return [...new Map(spelled.map((target) => [keyOf(target), target])).values()];
  }

  #requireTargets({ workspaceId }: WorkspaceActor, targets: readonly PlanTarget[]): void {
    const missing = this.#deps.store.missingTarget(workspaceId, targets);
    if (missing) throw notFound(missing === 'device' ? 'Device' : 'Group');
  }

  /**
   * Throws when the workspace, or a target of the plan, has too many schedules. Called after the schedules are made,
   * because the error rolls back the write transaction that made them.
   */
  #requireRoom(row: PlanRow, as: 'plan' | 'schedule'): void {
    const { store } = this.#deps;
    if (store.countSchedules(row.workspace_id) > MAX_SCHEDULES) throw tooManySchedules();
    const crowded = store.crowded(row.id, MAX_OF_TARGET);
    if (crowded)
      throw badRequest(
        `${as === 'plan' ? 'targets' : crowded}: a screen or group can have at most ${MAX_OF_TARGET} schedules`,
      );
  }

  #changed(actor: WorkspaceActor, action: ActivityAction, row: PlanRow, schedules: readonly string[]): void {
    this.#records.changed(actor, action, row);
    if (schedules.length > 0) announce(this.#deps, actor, { topic: 'schedules', ids: schedules });
  }

  #versioned(row: PlanRow): Versioned<Plan> {
    return { record: this.#plain(row), revision: row.revision };
  }

  #plain(row: PlanRow): Plan {
    const { store } = this.#deps;
    return {
      ...row,
      enabled: row.enabled === 1 ? 1 : 0,
      targets: store.targets(row.id),
      screens: store.screens(row.id),
    };
  }
}

const tooManySchedules = () =>
  badRequest(
    `A workspace can have at most ${MAX_SCHEDULES} schedules: each plan counts once for each of its screens and groups. Delete plans that are not needed, or plan for groups instead of screens.`,
  );

/** @throws ApiError 400 when a plan with new targets has more targets than allowed */
const requireFew = (targets: readonly PlanTarget[], had: readonly PlanTarget[]): void => {
  if (targets.length <= MAX_PLAN_TARGETS) return;
  const present = new Set(had.map(keyOf));
  if (targets.some((target) => !present.has(keyOf(target))))
    throw badRequest(`targets: must be at most ${MAX_PLAN_TARGETS} targets`);
};

const planTarget = ({ device_id, group_id }: ScheduleTarget): PlanTarget =>
  device_id ? { kind: 'device', id: device_id } : { kind: 'group', id: group_id ?? '' };

/** Returns the first few names, and the number of the remaining names. */
const namesOf = (targets: readonly { readonly name: string }[]): string => {
  const named = targets.slice(0, MAX_NAMED).map(({ name }) => name);
  const others = targets.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` +${others}` : ''}`;
};
