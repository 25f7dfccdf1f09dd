import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../shared/contract/errors.ts';
import { getHealth } from '../../../shared/contract/server/health.ts';
import { LicenceList } from '../../../shared/protocol/releases/licences.ts';
import { client } from '../requests/client.ts';

/** The list is a file beside this page, since it comes with the program and is public. */
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
