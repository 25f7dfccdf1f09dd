import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { worded } from '../../i18n/sentences.ts';
import { client } from './client.ts';

interface SendOptions {
  /** Called with the sent share, 0 to 1. */
  readonly onShare?: (share: number) => void;
  readonly signal?: AbortSignal;
  /** Values of the path and of the query. */
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  /** ETag of the version that the file replaces. */
  readonly ifMatch?: string;
}

/**
 * Sends one file to an endpoint for files. Uses XMLHttpRequest, since fetch does not report upload progress.
 * @throws ApiError; AbortError when `signal` ends it
 */
export const sendFile = <T>(
  endpoint: Endpoint,
  file: File,
  { onShare, signal, params, query = {}, ifMatch }: SendOptions = {},
): Promise<T> =>
  new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file, file.name);
    request.open(endpoint.method, client.url(endpoint, params, query));
    for (const [name, value] of Object.entries(client.headers())) request.setRequestHeader(name, value);
    if (ifMatch !== undefined) request.setRequestHeader('if-match', ifMatch);
    request.responseType = 'json';
    request.upload.onprogress = (event) => onShare?.(event.total > 0 ? event.loaded / event.total : 0);
    request.onload = () => {
      if (request.status === 200 || request.status === 201) return done(request.response as T);
      failed(
        new ApiError(
          request.status,
          worded(
            (request.response as { error?: string } | null)?.error ??
              `The server answered with the status ${request.status}`,
          ),
        ),
      );
    };
    request.onerror = () => failed(new ApiError(0, 'The server cannot be reached'));
    request.onabort = () => failed(new DOMException('Cancelled', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
