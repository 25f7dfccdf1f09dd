import { useQuery } from '@tanstack/react-query';
import { useLiveDevice } from '../../api/live/useLive.ts';
import { screenQuery } from '../../api/screens.ts';
import { useMay } from '../../api/session/rights.ts';
import { withLive } from './screens.utils.ts';

export const useScreenData = (id: string) => {
  const { may, why } = useMay('screen', id);
  const query = useQuery(screenQuery(id));
  const live = useLiveDevice(id, (device) => device);
  const fetched = query.data;
  return {
    query,
    canWrite: may,
    why,
    detail: fetched?.screen,
    etag: fetched?.etag,
    screen: fetched && withLive(fetched.screen, live),
  };
};
