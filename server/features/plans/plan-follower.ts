/**
 * Updates plans when the screens, groups and tags that the plans name change. Each method is called within the write
 * transaction of that change.
 */

import { badRequest } from '../../../shared/contract/errors.ts';
import type { PlanTarget } from '../../../shared/contract/screens/plans.ts';
import { MAX_SCHEDULES } from '../../../shared/contract/screens/schedules.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { keyOf } from './plan-rules.ts';
import type { PlanRow, PlansStore } from './plans.store.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: PlansStore;
}

type By = { readonly workspaceId: string; readonly userId: string | null };

export class PlanFollower {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Called when screens got or lost these tags. Plans for a tag apply to the screens that have the tag now.
   * @throws ApiError 400 when the workspace would have too many schedules
   */
  syncTags(workspaceId: string, tags: readonly string[]): void {
    const { store, db } = this.#deps;
    db.write(() => {
      const plans = store.withTarget(workspaceId, 'tag', tags);
      const fitted = plans.map((plan) => store.fit(plan));
      const ids = fitted.flatMap(({ made, gone }) => [...made, ...gone]);
      if (ids.length === 0) return;
      if (fitted.some(({ made }) => made.length > 0) && store.countSchedules(workspaceId) > MAX_SCHEDULES)
        throw badRequest(
          `tags: with these tags, the plans would need more than the ${MAX_SCHEDULES} schedules that a workspace can have. Delete plans that are not needed, or plan for a group instead of a tag.`,
        );
      const by = { workspaceId, userId: null };
      announce(this.#deps, by, { topic: 'schedules', ids });
      announce(this.#deps, by, { topic: 'plans', ids: plans.map(({ id }) => id) });
    });
  }

  /** Called when a screen was deleted. A plan without other targets is deleted too. */
  deviceGone(by: By, deviceId: string): void {
    this.#replace(by, { kind: 'device', id: deviceId }, []);
  }

  /**
   * Called before a group is deleted. The group's plans continue for each of its members.
   * @returns the number of schedules that were made
   */
  groupGoes(by: By, groupId: string, memberIds: readonly string[]): number {
    const members = memberIds.map((id) => ({ kind: 'device', id }) as const);
    return this.#replace(by, { kind: 'group', id: groupId }, members);
  }

  /**
   * Called when a group was restored. Its plans apply to the group again, unless their targets were changed since.
   * @returns whether the plan applies to the group
   */
  groupCameBack(
    by: By,
    groupId: string,
    plan: { readonly id: string; readonly targets: readonly PlanTarget[]; readonly members: readonly string[] },
  ): boolean {
    const { store, clock } = this.#deps;
    if (!store.find(by.workspaceId, plan.id)) return false;
    const isIt = ({ kind, id }: PlanTarget) => kind === 'group' && id === groupId;
    const instead = plan.targets.flatMap((target): PlanTarget[] =>
      isIt(target) ? plan.members.map((id) => ({ kind: 'device', id })) : [target],
    );
    const present = new Set(store.targets(plan.id).map(keyOf));
    const expected = new Set(instead.map(keyOf));
    if (present.size !== expected.size || [...expected].some((key) => !present.has(key))) return false;
    store.setTargets(plan.id, plan.targets);
    store.update(plan.id, { updated_at: seconds(clock) });
    return true;
  }

  /**
   * Called when plans, or records that they show or target, were restored. The schedules of these plans are made again.
   * @returns the plans that have no target left and are deleted
   * @throws ApiError 400 when the workspace would have too many schedules
   */
  afterRestore(by: By, planIds: readonly string[]): string[] {
    const { store } = this.#deps;
    const idle: string[] = [];
    for (const id of planIds) {
      const plan = store.find(by.workspaceId, id);
      if (!plan) continue;
      if (store.targets(id).length === 0) {
        store.delete(id);
        idle.push(id);
      } else {
        store.fit(plan);
        store.follow(id);
      }
    }
    if (planIds.length > 0 && store.countSchedules(by.workspaceId) > MAX_SCHEDULES)
      throw badRequest(
        `With the restored plans, the workspace would have more than the ${MAX_SCHEDULES} schedules that it can have. Delete plans that are not needed, then try the restore again.`,
      );
    return idle;
  }

  /**
   * Replaces a target by other targets in all plans that have it.
   * @returns the number of schedules that were made
   */
  #replace(by: By, gone: PlanTarget, others: readonly PlanTarget[]): number {
    const { store } = this.#deps;
    const plans = store.withTarget(by.workspaceId, gone.kind, [gone.id]);
    let made = 0;
    for (const plan of plans) made += this.#replaceIn(plan, gone, others);
    if (plans.length > 0) announce(this.#deps, by, { topic: 'plans', ids: plans.map(({ id }) => id) });
    return made;
  }

  #replaceIn(plan: PlanRow, gone: PlanTarget, others: readonly PlanTarget[]): number {
    const { store, clock } = this.#deps;
    const targets = store
      .targets(plan.id)
      .flatMap((target) => (target.kind === gone.kind && target.id === gone.id ? others : [target]));
    if (targets.length === 0) {
      store.delete(plan.id);
      return 0;
    }
    store.setTargets(plan.id, targets);
    return store.fit(store.update(plan.id, { updated_at: seconds(clock) })).made.length;
  }
}
