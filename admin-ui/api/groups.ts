import { queryOptions } from '@tanstack/react-query';
import { countGroups, listGroups } from '../../shared/contract/screens/groups.ts';
import { client } from './requests/client.ts';
import { queryOf } from './requests/query.ts';

export const groupsQuery = queryOf(['groups', 'list'], listGroups);

/**
 * Query for the counts per group: online members, members that have the group's playlist, and the names of the first
 * members.
 */
export const groupCountsQuery = queryOptions({
  queryKey: ['groups', 'counts'],
  queryFn: async ({ signal }) =>
    new Map((await client.call(countGroups, { signal })).map(({ group_id, ...counts }) => [group_id, counts])),
});
