import { useQuery } from '@tanstack/react-query';
import { type Device, listDevices } from '../../../shared/contract/devices.ts';
import type { ChosenTarget } from '../../data/composer.ts';
import { groupMembersQuery } from '../../data/groups.ts';
import { queryOf } from '../../data/query.ts';
import { screenQuery } from '../../data/screens.ts';

/** Some screens of all, of which one is looked at. */
const someScreensQuery = queryOf(['devices', 'some'], listDevices, { query: { limit: '20' } });

/** One of those that something is for, preferably one that is on; of nobody one of all. */
export const useSeenOn = ([first]: readonly ChosenTarget[]): Device | undefined => {
  const of = (kind: ChosenTarget['kind']) => first?.kind === kind;
  const one = useQuery({ ...screenQuery(first?.id ?? ''), enabled: of('device') }).data?.screen;
  const members = useQuery({ ...groupMembersQuery(first?.id ?? ''), enabled: of('group') }).data;
  const some = useQuery({ ...someScreensQuery, enabled: !of('device') && !of('group') }).data;
  if (of('device')) return one;
  const screens = (of('group') ? members : some) ?? [];
  return screens.find(({ status }) => status === 'online') ?? screens[0];
};
