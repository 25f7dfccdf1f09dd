import { queryOptions } from '@tanstack/react-query';
import { countGroups, listGroups } from '../../shared/contract/groups.ts';
import { client } from './client.ts';
import { queryOf } from './query.ts';

export const groupsQuery = queryOf(['groups', 'list'], listGroups);

/**
 * For each group: number of online members, number of members with the group's playlist, and names of the first
 * members.
 */
export const groupCountsQuery = queryOptions({
  queryKey: ['groups', 'counts'],
  queryFn: async ({ signal }) =>
    new Map((await client.call(countGroups, { signal })).map(({ group_id, ...counts }) => [group_id, counts])),
});
