import { forbidden, notFound } from '../../../shared/contract/errors.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { roleInForce } from '../../kernel/trust/roles.ts';
import type { WorkspaceRow, WorkspacesStore } from './workspaces.store.ts';

/**
 * Checks the rights of a user in any workspace, because paths contain workspace ids and may name another workspace than
 * the current one.
 */
export class WorkspaceAccess {
  readonly #store: WorkspacesStore;

  constructor(store: WorkspacesStore) {
    this.#store = store;
  }

  /** @throws 404 if the user has no access */
  enter(actor: Actor, workspaceId: string): WorkspaceRow {
    const workspace = this.#store.find(workspaceId);
    if (!workspace || this.#role(actor, workspace) === null) throw notFound('Workspace');
    return workspace;
  }

  /** @throws 404 without access, 403 without the administrator role in the workspace */
  manage(actor: Actor, workspaceId: string): WorkspaceRow {
    const workspace = this.enter(actor, workspaceId);
    if (this.#role(actor, workspace) !== 'workspace_admin')
      throw forbidden('Only an administrator of the workspace may do this');
    return workspace;
  }

  /** Returns whether the user has a role in the organization of the workspace, or administers the whole server. */
  governs(actor: Actor, workspace: WorkspaceRow): boolean {
    return (
      actor.platformRole === 'platform_admin' || this.#store.standing(actor.userId, workspace).organizationRole !== null
    );
  }

  /**
   * Returns whether the user belongs to the workspace by a membership or the organization, not by the platform role.
   */
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
