import { useQuery } from '@tanstack/react-query';
import { useCanWrite } from '../../data/me.ts';
import { screenQuery } from '../../data/screens.ts';
import { useLiveDevice } from '../../live/useLive.ts';
import { withLive } from './screens.utils.ts';

export const useScreenData = (id: string) => {
  const canWrite = useCanWrite();
  const query = useQuery(screenQuery(id));
  const live = useLiveDevice(id, (device) => device);
  const fetched = query.data;
  return {
    query,
    canWrite,
    detail: fetched?.screen,
    etag: fetched?.etag,
    screen: fetched && withLive(fetched.screen, live),
  };
};
