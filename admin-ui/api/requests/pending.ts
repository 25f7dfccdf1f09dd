import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../shared/contract/errors.ts';
import { listPending, type PendingPlayer } from '../../../shared/contract/screens/pairing.ts';
import { useHasAllScreens } from '../session/me.ts';
import { client } from './client.ts';

/** Query for players that wait to be claimed. Empty on a hosted server, which refuses the request (403). */
export const pendingQuery = queryOptions({
  queryKey: ['pending'],
  queryFn: async ({ signal }): Promise<PendingPlayer[]> => {
    try {
      return await client.call(listPending, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) return [];
      throw error;
    }
  },
});

export const useWaitingCount = (): number => {
  const mayClaim = useHasAllScreens();
  return useQuery({ ...pendingQuery, enabled: mayClaim, select: (players) => players.length }).data ?? 0;
};
