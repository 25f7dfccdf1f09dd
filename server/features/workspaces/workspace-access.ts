import { forbidden, notFound } from '../../../shared/contract/errors.ts';
import type { Actor } from '../../kernel/actor.ts';
import { roleInForce } from '../../kernel/roles.ts';
import type { WorkspaceRow, WorkspacesStore } from './workspaces.store.ts';

/**
 * Checks access to any workspace, not only to the current one, because paths of these endpoints contain ids of
 * workspaces.
 */
export class WorkspaceAccess {
  readonly #store: WorkspacesStore;

  constructor(store: WorkspacesStore) {
    this.#store = store;
  }

  /** @throws 404 when the user has no access */
  enter(actor: Actor, workspaceId: string): WorkspaceRow {
    const workspace = this.#store.find(workspaceId);
    if (!workspace || this.#role(actor, workspace) === null) throw notFound('Workspace');
    return workspace;
  }

  /** @throws 404 without access, 403 for a user who does not administer the workspace */
  manage(actor: Actor, workspaceId: string): WorkspaceRow {
    const workspace = this.enter(actor, workspaceId);
    if (this.#role(actor, workspace) !== 'workspace_admin')
      throw forbidden('Only an administrator of the workspace may do this');
    return workspace;
  }

  /** Returns whether the actor owns or administers the organization of the workspace, or administers the server. */
  governs(actor: Actor, workspace: WorkspaceRow): boolean {
    return (
      actor.platformRole === 'platform_admin' || this.#store.standing(actor.userId, workspace).organizationRole !== null
    );
  }

  /** Returns whether the user has access by a membership or the organization, ignoring platform roles. */
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
