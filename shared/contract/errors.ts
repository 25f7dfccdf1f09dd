/** Errors a caller can meet. Each has a status and a sentence for the person who reads it; the body is `{ error }`. */

export class ApiError extends Error {
  readonly status: number;
  /** Machine-readable, where a client must tell two errors of one status apart. */
  readonly code: string | undefined;
  /** Seconds, with 429 and 503. */
  readonly retryAfter: number | undefined;
  /** What the sentence is about, for a client that words it in another language. */
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

/** A member is missing or wrong; the sentence names it. */
export const badRequest = (message: string) => new ApiError(400, message);
/** The record does not exist, or not in this workspace: the two cannot be told apart. */
export const notFound = (what: string) => new ApiError(404, `${what} not found`);
export const unauthorized = (message = 'Sign in, or send a valid token as "Authorization: Bearer …"') =>
  new ApiError(401, message);
export const forbidden = (message: string, code?: string) => new ApiError(403, message, { code });
export const conflict = (message: string) => new ApiError(409, message);
export const gone = (message: string) => new ApiError(410, message);
/** Somebody else changed the record since it was read (If-Match). */
export const stale = (what: string) =>
  new ApiError(412, `${what} was changed by somebody else in the meantime. Load it again, then repeat your change.`);
export const tooMany = (seconds: number, message = 'Too many requests') =>
  new ApiError(429, `${message}. Try again in ${seconds} s.`, { retryAfter: seconds });
/** The record is headquarters': a store shows it, and does not change it. @param campaign with which it came */
export const held = (campaign: string) =>
  new ApiError(
    423,
    `This comes from headquarters with the campaign ${campaign}, so only headquarters can change it. Create a copy to change it here.`,
    { code: 'headquarters', params: { campaign } },
  );
/** The disk is full: nothing was changed. */
export const diskFull = () =>
  new ApiError(507, 'The server’s disk is full. Nothing was changed. Free some space, then try again.');
const DISK_FAILING = { code: 'disk_failing', retryAfter: 60 };
/** The disk of the server cannot be written or read; nothing was changed. */
export const diskFailing = () =>
  new ApiError(
    503,
    'The server’s disk is failing and cannot be read or written. Nothing was changed. Screens keep playing. Have the disk checked.',
    DISK_FAILING,
  );
/** The disk failed while a change was being saved, and it cannot be asked what it holds. */
export const saveUnsure = () =>
  new ApiError(
    503,
    'The server’s disk failed while this was being saved: whether it was saved is not known. Look again once the disk works.',
    DISK_FAILING,
  );
