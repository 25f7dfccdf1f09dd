/**
 * Keeps plans in step with the screens, groups and tags that they name. Each is called within the write of who changes
 * these.
 */

import { badRequest } from '../../../shared/contract/errors.ts';
import type { PlanTarget } from '../../../shared/contract/plans.ts';
import { MAX_SCHEDULES } from '../../../shared/contract/schedules.ts';
import { announce } from '../../kernel/bus.ts';
import { seconds } from '../../kernel/clock.ts';
import type { Parts } from '../../kernel/parts.ts';
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
   * Called when screens got or lost these tags: what is planned for a tag is planned for those that have it now.
   * @throws ApiError 400 when the workspace would have more schedules than it may
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
          `tags: with these, the plans of their screens would be more than the ${MAX_SCHEDULES} schedules that a workspace holds. Delete plans that are not needed, or plan for a group instead of a tag.`,
        );
      const by = { workspaceId, userId: null };
      announce(this.#deps, by, { topic: 'schedules', ids });
      announce(this.#deps, by, { topic: 'plans', ids: plans.map(({ id }) => id) });
    });
  }

  /** Called when a screen was deleted. A plan that was for nothing else goes with it. */
  deviceGone(by: By, deviceId: string): void {
    this.#replace(by, { kind: 'device', id: deviceId }, []);
  }

  /**
   * Called before a group is deleted: what was planned for it goes on for each member.
   * @returns how many schedules were made
   */
  groupGoes(by: By, groupId: string, memberIds: readonly string[]): number {
    const members = memberIds.map((id) => ({ kind: 'device', id }) as const);
    return this.#replace(by, { kind: 'group', id: groupId }, members);
  }

  /** Puts others where a target was, in all plans that have it. @returns how many schedules were made */
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
