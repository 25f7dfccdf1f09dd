import { queryOptions } from '@tanstack/react-query';
import { getRollout, getServerUpdate, listReleases, listRollouts } from '../../shared/contract/server/updates.ts';
import { client } from './requests/client.ts';
import { queryOf } from './requests/query.ts';

export const releasesQuery = queryOf(['server', 'releases'], listReleases);

/** Query for rollouts. Polls while a rollout is running, since the screens change with it. */
export const rolloutsQuery = queryOptions({
  queryKey: ['server', 'rollouts'],
  queryFn: ({ signal }) => client.call(listRollouts, { signal }),
  refetchInterval: (query) => (query.state.data?.some(({ status }) => status === 'running') ? 5_000 : 60_000),
});

export const rolloutQuery = (id: string) =>
  queryOptions({
    queryKey: ['server', 'rollout', id],
    queryFn: ({ signal }) => client.call(getRollout, { params: { id }, signal }),
    refetchInterval: (query) => (query.state.data?.status === 'running' ? 3_000 : 60_000),
  });

/** Polling interval in milliseconds during an update of the server. */
export const LOOK_AT_UPDATE_MS = 1_000;

/**
 * Query for the update of this server. Polls during an operation, since the live connection does not announce the
 * progress.
 */
export const ownUpdateQuery = queryOptions({
  queryKey: ['server', 'update'],
  queryFn: ({ signal }) => client.call(getServerUpdate, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.work || data?.last?.status === 'trying' ? LOOK_AT_UPDATE_MS : 60_000,
});
