import type { CallInput } from '../../shared/contract/client.ts';
import type { AnswerOf, Endpoint } from '../../shared/contract/endpoint.ts';
import { client } from './client.ts';

/** The largest page the server gives of contents and devices. */
export const MAX_PAGE = 500;

/** A list in full, however long: the first page tells how many there are. */
export const allPages = async <E extends Endpoint>(endpoint: E, signal: AbortSignal): Promise<AnswerOf<E>> => {
  const page = (offset: number) =>
    client.request(endpoint, {
      query: { limit: String(MAX_PAGE), offset: String(offset) },
      signal,
    } as unknown as CallInput<E>);
  const first = await page(0);
  const rows = first.data as unknown[];
  const more = [];
  for (let offset = MAX_PAGE; offset < (first.total ?? 0); offset += MAX_PAGE) more.push(page(offset));
  const rest = (await Promise.all(more)).flatMap((answer) => answer.data as unknown[]);
  return [...rows, ...rest] as AnswerOf<E>;
};
