import { forbidden, notFound } from '../../../shared/contract/errors.ts';
import type { Actor } from '../../kernel/actor.ts';
import { roleInForce } from '../../kernel/roles.ts';
import type { WorkspaceRow, WorkspacesStore } from './workspaces.store.ts';

/** May this user do that in that workspace? Not only in the current one: ids of workspaces are in these paths. */
export class WorkspaceAccess {
  readonly #store: WorkspacesStore;

  constructor(store: WorkspacesStore) {
    this.#store = store;
  }

  /** @throws 404 unless the user has a way in */
  enter(actor: Actor, workspaceId: string): WorkspaceRow {
    const workspace = this.#store.find(workspaceId);
    if (!workspace || this.#role(actor, workspace) === null) throw notFound('Workspace');
    return workspace;
  }

  /** @throws 404 without a way in, 403 for who does not administer the workspace */
  manage(actor: Actor, workspaceId: string): WorkspaceRow {
    const workspace = this.enter(actor, workspaceId);
    if (this.#role(actor, workspace) !== 'workspace_admin')
      throw forbidden('Only an administrator of the workspace may do this');
    return workspace;
  }

  /** Owns or administers the organization of the workspace, or administers the whole server. */
  governs(actor: Actor, workspace: WorkspaceRow): boolean {
    return (
      actor.platformRole === 'platform_admin' || this.#store.standing(actor.userId, workspace).organizationRole !== null
    );
  }

  /** Says whether the user belongs there by a membership or the organization, not by the platform. */
  belongs(userId: string, workspaceId: string): boolean {
    const workspace = this.#store.find(workspaceId);
    if (!workspace) return false;
    const { membership, organizationRole } = this.#store.standing(userId, workspace);
    return membership !== null || organizationRole !== null;
  }

  #role(actor: Actor, workspace: WorkspaceRow) {
    if (actor.confinedTo !== null && actor.confinedTo !== workspace.organization_id) return null;
    return roleInForce({ platformRole: actor.platformRole, ...this.#store.standing(actor.userId, workspace) });
  }
}
