import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { useDebounced } from '../components/useDebounced.ts';
import { client } from '../data/client.ts';

/** Fast enough to feel live; at one letter a moment it stays under what the server allows in a minute. */
const TYPING_MS = 450;

/** The page that the server makes of a draft. What the server does not accept comes as `error`, the last good page stays. */
export const usePreview = (endpoint: Endpoint, body: object) => {
  const wanted = JSON.stringify(body);
  const text = useDebounced(wanted, TYPING_MS);
  const query = useQuery({
    queryKey: ['preview', endpoint.path, text],
    queryFn: async ({ signal }) => {
      const response = await fetch(client.url(endpoint), { method: 'POST', headers: { ...client.headers(), 'Content-Type': 'application/json' }, body: text, signal });
      if (response.ok) return response.text();
      const { error } = (await response.json().catch(() => ({}))) as { error?: string };
      throw new ApiError(response.status, error ?? `The server answered ${response.status}`, { retryAfter: Number(response.headers.get('Retry-After') ?? 10) });
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: (count, error) => error instanceof ApiError && error.status === 429 && count < 3,
    retryDelay: (_, error) => (error instanceof ApiError ? (error.retryAfter ?? 10) : 10) * 1000,
  });
  return { html: query.data, isBusy: query.isFetching || wanted !== text, error: query.error };
};
