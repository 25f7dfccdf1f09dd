/**
 * Typed client of the API, made from the declarations of the endpoints. The admin window calls the API only through
 * this client. It runs in every browser and in Node.
 */

import { WINDOW_HEADER } from '../protocol/window.ts';
import {
  type AnswerOf,
  type BodyInputOf,
  type Endpoint,
  isMultipart,
  isStream,
  type QueryInputOf,
} from './endpoint.ts';
import { ApiError } from './errors.ts';

/** Input of a call: fields of the path, query and body as in the declaration; `ifMatch` for records with an ETag. */
export type CallInput<E extends Endpoint> = {
  params?: Record<string, string | number>;
  query?: Partial<QueryInputOf<E>>;
  body?: BodyInputOf<E>;
  ifMatch?: string | undefined;
  signal?: AbortSignal;
};

export interface Answered<T> {
  readonly data: T;
  readonly etag: string | undefined;
  /** Total number of records of a list. */
  readonly total: number | undefined;
}

export interface ClientOptions {
  /** Origin of the server without a slash at the end; empty in a page of the same origin. */
  readonly origin: string;
  readonly token: () => string | undefined;
  /** Id of the admin window that sends the request (`WindowId` of the live protocol). */
  readonly window?: string;
  /**
   * Called once for each 401 that ends the session. A wrong current password (`wrong_password`) does not end the
   * session.
   */
  readonly onUnauthorized?: () => void;
  readonly fetch?: typeof fetch;
  /** Translates error sentences of the server into the language of the user. */
  readonly worded?: (sentence: string) => string;
}

export interface Client {
  /** Calls an endpoint. @throws ApiError with the sentence of the server; status 0 if the server cannot be reached */
  call<E extends Endpoint>(endpoint: E, input?: CallInput<E>): Promise<AnswerOf<E>>;
  /** Calls an endpoint like `call`, and returns its ETag and total, too. */
  request<E extends Endpoint>(endpoint: E, input?: CallInput<E>): Promise<Answered<AnswerOf<E>>>;
  /** Returns the URL of an endpoint, for streams and links. */
  url(endpoint: Endpoint, params?: Record<string, string | number>, query?: Record<string, string | undefined>): string;
  /** Returns the headers that identify the caller. */
  headers(): Record<string, string>;
}

const pathOf = (endpoint: Endpoint, params: Record<string, string | number> = {}): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${endpoint.name} needs ${name}`);
    return encodeURIComponent(String(value));
  });

export const createClient = (options: ClientOptions): Client => {
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const headers = (): Record<string, string> => {
    const token = options.token();
    return {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(options.window && { [WINDOW_HEADER]: options.window }),
    };
  };
  const url: Client['url'] = (endpoint, params, query) => {
    const search = new URLSearchParams(
      Object.entries(query ?? {}).filter((e): e is [string, string] => e[1] !== undefined && e[1] !== ''),
    );
    return `${options.origin}${pathOf(endpoint, params)}${search.size > 0 ? `?${search}` : ''}`;
  };
  const request: Client['request'] = async (endpoint, input = {}) => {
    if (isStream(endpoint.response) || isMultipart(endpoint.body))
      throw new Error(`${endpoint.name} is a stream; use url()`);
    const init: RequestInit = {
      method: endpoint.method,
      headers: {
        ...headers(),
        ...(input.ifMatch && { 'If-Match': input.ifMatch }),
        ...(endpoint.body && { 'Content-Type': 'application/json' }),
      },
      ...(endpoint.body && { body: JSON.stringify(input.body ?? {}) }),
      ...(input.signal && { signal: input.signal }),
    };
    let response: Response;
    try {
      response = await send(url(endpoint, input.params, input.query as Record<string, string | undefined>), init);
    } catch (error) {
      if (input.signal?.aborted) throw error;
      throw new ApiError(0, 'The server cannot be reached', { code: 'unreachable' });
    }
    const data: unknown = await response.json().catch(() => undefined);
    if (!response.ok) {
      const failure = (data ?? {}) as { error?: string; code?: string };
      if (response.status === 401 && endpoint.access.kind !== 'public' && failure.code !== 'wrong_password')
        options.onUnauthorized?.();
      const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
      const sentence = failure.error ?? `The server answered with the status ${response.status}`;
      throw new ApiError(response.status, options.worded?.(sentence) ?? sentence, {
        ...(failure.code && { code: failure.code }),
        ...(Number.isFinite(retryAfter) && { retryAfter }),
      });
    }
    const total = response.headers.get('X-Total-Count');
    return {
      data: data as never,
      etag: response.headers.get('ETag') ?? undefined,
      total: total === null ? undefined : Number(total),
    };
  };
  return { url, headers, request, call: async (endpoint, input) => (await request(endpoint, input)).data };
};
