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
 * Query for the accounts that the user may manage. Administrators of the server get all accounts, other users the
 * accounts of their organizations.
 */
export const usersQuery = queryOf(['users', 'list'], listUsers);
