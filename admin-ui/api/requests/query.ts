import { type QueryKey, queryOptions } from '@tanstack/react-query';
import type { CallInput } from '../../../shared/contract/client.ts';
import type { AnswerOf, Endpoint } from '../../../shared/contract/endpoint.ts';
import { client } from './client.ts';

/** A query and its cache key. */
export const queryOf = <const K extends QueryKey, E extends Endpoint>(queryKey: K, endpoint: E, input?: CallInput<E>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => client.call(endpoint, { ...input, signal }) });

/** The query for one record, stored as `name` with the ETag for the next edit. */
export const recordQueryOf = <const K extends QueryKey, E extends Endpoint, N extends string>(
  queryKey: K,
  endpoint: E,
  id: string,
  name: N,
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const { data, etag } = await client.request(endpoint, { params: { id }, signal });
      return { [name]: data, etag } as Record<N, AnswerOf<E>> & { etag: string | undefined };
    },
  });
