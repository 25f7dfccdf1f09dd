/**
 * Errors for a machine that cannot start another process or thread because it is out of processes, memory or open
 * files. The request fails, and the server continues.
 */
import { ApiError } from '../../../shared/contract/errors.ts';

const AGAIN_AFTER_SECONDS = 60;

export const cannotStart = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return `The server’s computer could not start another program just now (${code ?? message}). It is short of memory, of processes or of open files. Try again in a minute.`;
};

/** Returns the 503 error for a request whose process or thread could not be started. */
export const unavailable = (error: unknown): ApiError =>
  new ApiError(503, cannotStart(error), { retryAfter: AGAIN_AFTER_SECONDS });
