import { queryOptions } from '@tanstack/react-query';
import { listUsers } from '../../shared/contract/users.ts';
import { listInvites, listMembers, listOrganizationMembers } from '../../shared/contract/workspaces.ts';
import { client } from './client.ts';

export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['members', 'list', workspaceId],
    queryFn: ({ signal }) => client.call(listMembers, { params: { id: workspaceId }, signal }),
  });

export const invitesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['members', 'invites', workspaceId],
    queryFn: ({ signal }) => client.call(listInvites, { params: { id: workspaceId }, signal }),
  });

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['members', 'organization', id],
    queryFn: ({ signal }) => client.call(listOrganizationMembers, { params: { id }, signal }),
  });

/** Accounts that the person may look after: on the server for its administrators, else of their organizations. */
export const usersQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: ({ signal }) => client.call(listUsers, { signal }),
});
