import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../shared/contract/errors.ts';
import { getHealth } from '../../../shared/contract/server/health.ts';
import { LicenceList } from '../../../shared/protocol/releases/licences.ts';
import { client } from '../requests/client.ts';

/**
 * Query for the licences of all packages. They are a static, public file beside the page, since they come with the
 * program.
 */
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
