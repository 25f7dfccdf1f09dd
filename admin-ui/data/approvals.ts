import { useQuery } from '@tanstack/react-query';
import { listPublishRequests } from '../../shared/contract/approvals.ts';
import { queryOf } from './query.ts';

/** In one answer, and more than anybody reads. */
export const APPROVALS_SHOWN = 200;

/** All that waits in the workspace, the longest first. */
export const waitingQuery = queryOf(['approvals', 'waiting'], listPublishRequests, {
  query: { state: 'waiting', limit: String(APPROVALS_SHOWN) },
});

/** What was asked last of a playlist, and what became of it. */
export const requestQuery = (playlistId: string) =>
  queryOf(['approvals', 'of', playlistId], listPublishRequests, { query: { playlist_id: playlistId, limit: '1' } });

/** The playlists of which something waits. */
export const useWaitingPlaylists = (): ReadonlySet<string> => {
  const waiting = useQuery(waitingQuery).data ?? [];
  return new Set(waiting.map(({ playlist_id }) => playlist_id));
};
