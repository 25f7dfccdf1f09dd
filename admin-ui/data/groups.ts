import { queryOptions } from '@tanstack/react-query';
import { countGroups, listGroups } from '../../shared/contract/groups.ts';
import { client } from './client.ts';
import { queryOf } from './query.ts';

export const groupsQuery = queryOf(['groups', 'list'], listGroups);

/** By group: who of its members is online, how many inherit its playlist, and what the first few are called. */
export const groupCountsQuery = queryOptions({
  queryKey: ['groups', 'counts'],
  queryFn: async ({ signal }) =>
    new Map((await client.call(countGroups, { signal })).map(({ group_id, ...counts }) => [group_id, counts])),
});
