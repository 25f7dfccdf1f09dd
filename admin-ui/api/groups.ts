import { queryOptions } from '@tanstack/react-query';
import { countGroups, listGroups } from '../../shared/contract/screens/groups.ts';
import { client } from './requests/client.ts';
import { queryOf } from './requests/query.ts';

export const groupsQuery = queryOf(['groups', 'list'], listGroups);

/**
 * Query for numbers of each group: online screens, and screens that have the group's playlist. Also returns the names
 * of its first screens.
 */
export const groupCountsQuery = queryOptions({
  queryKey: ['groups', 'counts'],
  queryFn: async ({ signal }) =>
    new Map((await client.call(countGroups, { signal })).map(({ group_id, ...counts }) => [group_id, counts])),
});
