import { listUsers } from '../../../shared/contract/people/users.ts';
import { listInvites, listMembers, listOrganizationMembers } from '../../../shared/contract/people/workspaces.ts';
import { queryOf } from '../requests/query.ts';

export const membersQuery = (workspaceId: string) =>
  queryOf(['members', 'list', workspaceId], listMembers, { params: { id: workspaceId } });

export const invitesQuery = (workspaceId: string) =>
  queryOf(['members', 'invites', workspaceId], listInvites, { params: { id: workspaceId } });

export const organizationQuery = (id: string) =>
  queryOf(['members', 'organization', id], listOrganizationMembers, { params: { id } });

/**
 * Accounts that the user may manage: all for administrators of the server, otherwise those of the user's organizations.
 */
export const usersQuery = queryOf(['users', 'list'], listUsers);
