import { type QueryKey, queryOptions } from '@tanstack/react-query';
import type { CallInput } from '../../../shared/contract/client.ts';
import type { AnswerOf, Endpoint } from '../../../shared/contract/endpoint.ts';
import { client } from './client.ts';

/** Returns a query with its cache key. */
export const queryOf = <const K extends QueryKey, E extends Endpoint>(queryKey: K, endpoint: E, input?: CallInput<E>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => client.call(endpoint, { ...input, signal }) });

/**
 * Returns the query for one record. The answer is cached as `name`, together with the ETag that the next edit needs.
 */
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
