import { listGroupDevices, listGroups } from '../../shared/contract/groups.ts';
import { queryOf } from './query.ts';

export const groupsQuery = queryOf(['groups', 'list'], listGroups);

export const groupMembersQuery = (id: string) =>
  queryOf(['groups', 'members', id], listGroupDevices, { params: { id } });
