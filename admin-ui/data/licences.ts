import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/contract/errors.ts';
import { getHealth } from '../../shared/contract/health.ts';
import { LicenceList } from '../../shared/protocol/licences.ts';
import { client } from './client.ts';

/** The list is a file beside this page, not part of the API, since it comes with the program and is public. */
export const licencesQuery = queryOptions({
  queryKey: ['licences'],
  queryFn: async ({ signal }) => {
    const answer = await fetch('/licences.json', { signal });
    if (!answer.ok) throw new ApiError(answer.status, answer.statusText);
    return LicenceList.parse(await answer.json());
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const versionQuery = queryOptions({
  queryKey: ['version'],
  queryFn: async ({ signal }) => (await client.call(getHealth, { signal })).version,
});
