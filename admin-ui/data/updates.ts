import { queryOptions } from '@tanstack/react-query';
import { getRollout, listReleases, listRollouts } from '../../shared/contract/updates.ts';
import { client } from './client.ts';
import { queryOf } from './query.ts';

export const releasesQuery = queryOf(['server', 'releases'], listReleases);

/** Asked again while a rollout runs, since screens come and go with it. */
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
