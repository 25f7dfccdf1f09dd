import { queryOptions } from '@tanstack/react-query';
import { listGroupDevices, listGroups } from '../../shared/contract/groups.ts';
import { client } from './client.ts';

export const groupsQuery = queryOptions({
  queryKey: ['groups', 'list'],
  queryFn: ({ signal }) => client.call(listGroups, { signal }),
});

export const groupMembersQuery = (id: string) =>
  queryOptions({
    queryKey: ['groups', 'members', id],
    queryFn: ({ signal }) => client.call(listGroupDevices, { params: { id }, signal }),
  });
