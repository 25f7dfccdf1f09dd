/** Says what roles amount to, in one place (decisions, Credentials; accounts API, GET /me). Pure. */
import type { OrganizationRole, PlatformRole, WorkspaceRole } from './actor.ts';

interface Standing {
  readonly platformRole: PlatformRole;
  readonly organizationRole: OrganizationRole | null;
  /** The role of the direct membership. */
  readonly membership: WorkspaceRole | null;
}

/**
 * Returns the role that is in force in a workspace. The organization's owners and administrators and platform
 * administrators count as its administrators. A platform operator may work everywhere, but administers only where it
 * belongs, and is an editor elsewhere.
 */
export const roleInForce = ({ platformRole, organizationRole, membership }: Standing): WorkspaceRole | null => {
  if (platformRole === 'platform_admin' || organizationRole !== null || membership === 'workspace_admin')
    return 'workspace_admin';
  if (platformRole === 'platform_operator') return 'workspace_editor';
  return membership;
};
