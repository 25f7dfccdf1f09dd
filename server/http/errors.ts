import { ApiError } from '../../shared/contract/errors.ts';
import { diskError } from '../kernel/disk/disk-trouble.ts';
import { MethodNotAllowed } from './method-not-allowed.ts';

export interface ErrorLog {
  failed(failure: { requestId: string; method: string; path: string; status: number; error: unknown }): void;
}

/**
 * Translates errors into answers. No other code does this. Disk errors get a clear sentence. An unknown error becomes a
 * generic 500 with a request id, under which the log has the details.
 */
export const describeError = (
  thrown: unknown,
  requestId: string,
): {
  status: number;
  body: { error: string; code?: string; params?: ApiError['params'] };
  headers: Record<string, string>;
} => {
  const error = diskError(thrown);
  if (!(error instanceof ApiError))
    return {
      status: 500,
      body: { error: `Something went wrong on the server. The log has it under ${requestId}.` },
      headers: {},
    };
  const headers: Record<string, string> = {};
  if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  if (error instanceof MethodNotAllowed) headers['Allow'] = error.allow;
  return {
    status: error.status,
    body: {
      error: error.message,
      ...(error.code && { code: error.code }),
      ...(error.params && { params: error.params }),
    },
    headers,
  };
};
