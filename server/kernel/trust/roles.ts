/** Pure functions that compute effective roles (accounts API, GET /me). */
import type { OrganizationRole, PlatformRole, WorkspaceRole } from './actor.ts';

interface Standing {
  readonly platformRole: PlatformRole;
  readonly organizationRole: OrganizationRole | null;
  /** Role in the direct membership of the workspace. */
  readonly membership: WorkspaceRole | null;
}

/**
 * Returns the effective role in a workspace. Owners and administrators of the organization and platform administrators
 * are workspace administrators. A platform operator is an administrator only in workspaces with an administrator
 * membership, and an editor in all others.
 */
export const roleInForce = ({ platformRole, organizationRole, membership }: Standing): WorkspaceRole | null => {
  if (platformRole === 'platform_admin' || organizationRole !== null || membership === 'workspace_admin')
    return 'workspace_admin';
  if (platformRole === 'platform_operator') return 'workspace_editor';
  return membership;
};
