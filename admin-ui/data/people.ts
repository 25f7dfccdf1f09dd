import { listUsers } from '../../shared/contract/users.ts';
import { listInvites, listMembers, listOrganizationMembers } from '../../shared/contract/workspaces.ts';
import { queryOf } from './query.ts';

export const membersQuery = (workspaceId: string) =>
  queryOf(['members', 'list', workspaceId], listMembers, { params: { id: workspaceId } });

export const invitesQuery = (workspaceId: string) =>
  queryOf(['members', 'invites', workspaceId], listInvites, { params: { id: workspaceId } });

export const organizationQuery = (id: string) =>
  queryOf(['members', 'organization', id], listOrganizationMembers, { params: { id } });

/**
 * Accounts that the user may manage: for administrators of the server all accounts, otherwise the accounts of the
 * user's organizations.
 */
export const usersQuery = queryOf(['users', 'list'], listUsers);
