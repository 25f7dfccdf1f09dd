import { type QueryKey, queryOptions } from '@tanstack/react-query';
import type { CallInput } from '../../../shared/contract/client.ts';
import type { AnswerOf, Endpoint } from '../../../shared/contract/endpoint.ts';
import { client } from './client.ts';

/** The largest page of contents and devices that the server returns. */
export const MAX_PAGE = 500;

/** Filter and order of a list, as its endpoint expects them. Undefined members are left out. */
export type Filter = Readonly<Record<string, string | undefined>>;

/** One page of a list, and the total. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** The query for one page of `size` records. */
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

/** Fetches a whole list. The first page contains the total. */
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
