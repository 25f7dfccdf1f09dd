import { useQuery } from '@tanstack/react-query';
import { listPublishRequests } from '../../shared/contract/people/approvals.ts';
import { queryOf } from './requests/query.ts';

/** Maximum number of requests in one answer, more than anybody reads. */
export const APPROVALS_SHOWN = 200;

/** All requests that wait in the workspace, the longest waiting first. */
export const waitingQuery = queryOf(['approvals', 'waiting'], listPublishRequests, {
  query: { state: 'waiting', limit: String(APPROVALS_SHOWN) },
});

/** The latest request for a playlist, with its result. */
export const requestQuery = (playlistId: string) =>
  queryOf(['approvals', 'of', playlistId], listPublishRequests, { query: { playlist_id: playlistId, limit: '1' } });

/** The playlists with a waiting request. */
export const useWaitingPlaylists = (): ReadonlySet<string> => {
  const waiting = useQuery(waitingQuery).data ?? [];
  return new Set(waiting.map(({ playlist_id }) => playlist_id));
};
