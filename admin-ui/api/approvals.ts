import { useQuery } from '@tanstack/react-query';
import { listPublishRequests } from '../../shared/contract/people/approvals.ts';
import { queryOf } from './requests/query.ts';

/** Maximum number of approval requests that one answer contains. Nobody reads more. */
export const APPROVALS_SHOWN = 200;

/**
 * Query for all requests in the workspace that wait for approval. The request that has waited longest comes first.
 */
export const waitingQuery = queryOf(['approvals', 'waiting'], listPublishRequests, {
  query: { state: 'waiting', limit: String(APPROVALS_SHOWN) },
});

/** Query for the latest approval request of a playlist, with its result. */
export const requestQuery = (playlistId: string) =>
  queryOf(['approvals', 'of', playlistId], listPublishRequests, { query: { playlist_id: playlistId, limit: '1' } });

/** Returns the ids of the playlists that wait for approval. */
export const useWaitingPlaylists = (): ReadonlySet<string> => {
  const waiting = useQuery(waitingQuery).data ?? [];
  return new Set(waiting.map(({ playlist_id }) => playlist_id));
};
