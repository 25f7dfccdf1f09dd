import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../data/rights.ts';
import { screenQuery } from '../../data/screens.ts';
import { useLiveDevice } from '../../live/useLive.ts';
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
