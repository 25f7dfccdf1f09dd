/** Turns errors of the upkeep process into errors of the API. */
import { ApiError, badRequest, conflict } from '../../../shared/contract/errors.ts';
import { TaskFailed, type TaskRefused, TaskUnavailable } from './process.ts';

const ASK_AGAIN_SECONDS = 60;
/** Words by which a sentence of the upkeep process gets its status, because the process sends only the sentence. */
const NO_SPACE = /too little (?:free )?space/;
const FULL = /disk is full/;
const IS_HERE = /is already on the server/;

/** Returns the error of the API for an error of a task. Returns any other error unchanged. */
export const asAnswer = (error: unknown): unknown => {
  if (error instanceof TaskUnavailable) return new ApiError(503, error.message, { retryAfter: ASK_AGAIN_SECONDS });
  return error instanceof TaskFailed
    ? new ApiError(NO_SPACE.test(error.message) || FULL.test(error.message) ? 507 : 500, error.message)
    : error;
};
/** Throws an error of the upkeep process as an error of the API. */
export const throwAnswer = (error: unknown): never => {
  throw asAnswer(error);
};

/** Turns the refusal of an uploaded backup into an error of the API. */
export const refusalOf = ({ message }: TaskRefused): ApiError => {
  if (IS_HERE.test(message)) return conflict(message);
  return NO_SPACE.test(message) ? new ApiError(507, message) : badRequest(`file: ${message}`);
};
