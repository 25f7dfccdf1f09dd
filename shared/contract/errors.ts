/**
 * Errors that the server sends to callers. Each error has an HTTP status and a sentence for people; the body is `{
 * error }`.
 */

export class ApiError extends Error {
  readonly status: number;
  /** Machine-readable code for clients that must distinguish errors of one status. */
  readonly code: string | undefined;
  /** Number of seconds to wait, with 429 and 503. */
  readonly retryAfter: number | undefined;
  /** Values that the sentence contains, for clients that translate it. */
  readonly params: Readonly<Record<string, string | number>> | undefined;
  constructor(status: number, message: string, more: Partial<Pick<ApiError, 'code' | 'retryAfter' | 'params'>> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = more.code;
    this.retryAfter = more.retryAfter;
    this.params = more.params;
  }
}

/** Returns the error for a missing or wrong field of a request. The sentence names the field. */
export const badRequest = (message: string) => new ApiError(400, message);
/**
 * Returns the error for a record that does not exist or belongs to another workspace; callers cannot distinguish the
 * two.
 */
export const notFound = (what: string) => new ApiError(404, `${what} not found`);
export const unauthorized = (message = 'Sign in, or send a valid token as "Authorization: Bearer …"') =>
  new ApiError(401, message);
export const forbidden = (message: string, code?: string) => new ApiError(403, message, { code });
export const conflict = (message: string) => new ApiError(409, message);
export const gone = (message: string) => new ApiError(410, message);
/** Returns the error for a record that another person changed after it was read (If-Match). */
export const stale = (what: string) =>
  new ApiError(412, `${what} was changed by somebody else in the meantime. Reload, then repeat your change.`);
export const tooMany = (seconds: number, message = 'Too many requests') =>
  new ApiError(429, `${message}. Try again in ${seconds} s.`, { retryAfter: seconds });
/**
 * Returns the error for a record of headquarters, which is read-only in a store.
 * @param campaign campaign of the record
 */
export const managedRecord = (campaign: string) =>
  new ApiError(
    423,
    `This comes from headquarters with the campaign ${campaign}, so only headquarters can change it. Create a copy to change it here.`,
    { code: 'headquarters', params: { campaign } },
  );
/** Returns the error for a full disk: nothing was changed. */
export const diskFull = () =>
  new ApiError(507, 'The server’s disk is full. Nothing was changed. Free some space, then try again.');
const DISK_FAILING = { code: 'disk_failing', retryAfter: 60 };
/** Returns the error for a disk that cannot be read or written; nothing was changed. */
export const diskFailing = () =>
  new ApiError(
    503,
    'The server’s disk is failing and cannot be read or written. Nothing was changed. Screens keep playing. Have the disk checked.',
    DISK_FAILING,
  );
/** Returns the error for a disk that failed during a save; whether the change was saved is unknown. */
export const saveUnsure = () =>
  new ApiError(
    503,
    'The server’s disk failed while your change was being saved. Your change may be lost. Check the result when the disk works again.',
    DISK_FAILING,
  );
