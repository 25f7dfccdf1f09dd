import { type QueryKey, queryOptions } from '@tanstack/react-query';
import type { CallInput } from '../../../shared/contract/client.ts';
import type { AnswerOf, Endpoint } from '../../../shared/contract/endpoint.ts';
import { client } from './client.ts';

/** Maximum page size that the server accepts for contents and devices. */
export const MAX_PAGE = 500;

/**
 * Filter and sort order of a list, in the form that the endpoint expects. Undefined values are left out of the
 * request.
 */
export type Filter = Readonly<Record<string, string | undefined>>;

/** One page of a list, and the total number of records. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** Returns the query for one page of a list, with `size` records per page. */
export const pageQueryOf = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  { filter, page, size }: { readonly filter: Filter; readonly page: number; readonly size: number },
) =>
  queryOptions({
    queryKey: [...queryKey, filter, page],
    queryFn: async ({ signal }): Promise<ListPage<RowOf<E>>> => {
      const query = { ...filter, limit: String(size), offset: String(page * size) };
      const { data, total } = await client.request(endpoint, { query, signal } as unknown as CallInput<E>);
      const rows = data as readonly RowOf<E>[];
      return { rows, total: total ?? rows.length };
    },
  });
type RowOf<E extends Endpoint> = AnswerOf<E> extends readonly (infer T)[] ? T : never;

/** Fetches all pages of a list. The first page contains the total number of records. */
export const allPages = async <E extends Endpoint>(
  endpoint: E,
  signal?: AbortSignal,
  filter: Filter = {},
): Promise<AnswerOf<E>> => {
  const page = (offset: number) =>
    client.request(endpoint, {
      query: { ...filter, limit: String(MAX_PAGE), offset: String(offset) },
      ...(signal && { signal }),
    } as unknown as CallInput<E>);
  const first = await page(0);
  const rows = first.data as unknown[];
  const more = [];
  for (let offset = MAX_PAGE; offset < (first.total ?? 0); offset += MAX_PAGE) more.push(page(offset));
  const rest = (await Promise.all(more)).flatMap((answer) => answer.data as unknown[]);
  return [...rows, ...rest] as AnswerOf<E>;
};
