import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type { ActivityLog } from '../../kernel/activity.ts';
import type { ActorStore } from './sign-in/actor.store.ts';

interface Deps {
  readonly activity: ActivityLog;
  readonly actors: ActorStore;
}

/**
 * Writes account events to the activity of every workspace that the account belongs to. Called within a write
 * transaction.
 */
export class AccountLog {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param entry.also additional workspace for the entry: the workspace of the person who acted */
  add(
    user: { id: string; name: string },
    entry: {
      action: ActivityAction;
      details: string;
      by: { userId: string; userName: string; ip: string };
      also?: string | null;
    },
  ): void {
    const { action, details, by, also } = entry;
    const workspaces = new Set(
      this.#deps.actors
        .places({ id: user.id, role: 'user', password_organization_id: null })
        .map((place) => place.workspace_id),
    );
    if (also) workspaces.add(also);
    for (const workspaceId of workspaces) this.#deps.activity.add({ workspaceId, actor: by, action, details });
  }

  /** Records an action of the account itself, or an attempt to use the account. */
  own(user: { id: string; name: string }, ip: string, action: ActivityAction, details: string): void {
    this.add(user, { action, details, by: { userId: user.id, userName: user.name, ip } });
  }
}
