import { useQuery } from '@tanstack/react-query';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import type { ChosenTarget } from '../../api/editing/composer.ts';
import { onlineFirstQuery, screenQuery } from '../../api/screens.ts';

/**
 * Returns a screen of the first target for the preview, preferably an online screen. Without a screen or group as the
 * target, returns one of all screens.
 */
export const useSeenOn = ([first]: readonly ChosenTarget[]): Device | undefined => {
  const of = (kind: ChosenTarget['kind']) => first?.kind === kind;
  const one = useQuery({ ...screenQuery(first?.id ?? ''), enabled: of('device') }).data?.screen;
  const some = useQuery({
    ...onlineFirstQuery(of('group') ? { group_id: first?.id } : {}),
    enabled: !of('device'),
  }).data?.rows;
  if (of('device')) return one;
  return some?.find(({ status }) => status === 'online') ?? some?.[0];
};
