import { notFound } from '../../../shared/contract/errors.ts';
import type { ActivityEntry } from '../../../shared/contract/server/activity.ts';
import type { ActivityLog } from '../../kernel/activity.ts';
import type { Bus } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import { type Clock, seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { ActivityStore } from './activity.store.ts';

/** Maximum length of details in characters, so that a very long name does not fill the log. */
const MAX_DETAILS = 500;

interface Deps {
  readonly store: ActivityStore;
  readonly clock: Clock;
  readonly bus: Pick<Bus, 'emit'>;
  readonly db: { afterCommit(work: () => void): void };
}

export class ActivityService implements ActivityLog {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add({ workspaceId, actor, action, details, deviceId, record }: Parameters<ActivityLog['add']>[0]): void {
    const { store, clock, bus, db } = this.#deps;
    store.insert({
      id: newId(),
      workspace_id: workspaceId,
      user_id: actor?.userId || null,
      user_name: actor?.userName ?? '',
      device_id: deviceId ?? null,
      action,
      details: details.slice(0, MAX_DETAILS),
      ip_address: actor?.ip ?? null,
      created_at: seconds(clock),
    });
    if (record) {
      const { id, name } = record;
      db.afterCommit(() => bus.emit('acted', { workspaceId, action, record: { id, name }, by: actor?.userName ?? '' }));
    }
  }

  /** Returns entries, newest first. @throws 404 for a device outside the workspace */
  list(
    actor: WorkspaceActor,
    query: { device_id?: string | undefined; limit: number; offset: number },
  ): { entries: ActivityEntry[]; total: number } {
    const { store } = this.#deps;
    const { device_id, limit, offset } = query;
    // Entries of a deleted device can be read as long as the log contains any.
    const within = actor.regions === null ? undefined : actor.userId;
    const wanted = { workspaceId: actor.workspaceId, deviceId: device_id, within };
    const total = store.count(wanted);
    if (device_id && total === 0 && !store.deviceExists(actor.workspaceId, device_id)) throw notFound('Device');
    return { entries: store.list(wanted, limit, offset), total };
  }
}
