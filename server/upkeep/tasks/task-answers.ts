/** Turns errors of the upkeep process into errors of the API. */
import { ApiError, badRequest, conflict } from '../../../shared/contract/errors.ts';
import { TaskFailed, type TaskRefused, TaskUnavailable } from './process.ts';

const ASK_AGAIN_SECONDS = 60;

/** Returns the error of the API for an error of a task. Returns any other error unchanged. */
export const asAnswer = (error: unknown): unknown => {
  if (error instanceof TaskUnavailable) return new ApiError(503, error.message, { retryAfter: ASK_AGAIN_SECONDS });
  return error instanceof TaskFailed
    ? new ApiError(/too little space|disk is full/.test(error.message) ? 507 : 500, error.message)
    : error;
};
/** Throws an error of the upkeep process as an error of the API. */
export const throwAnswer = (error: unknown): never => {
  throw asAnswer(error);
};

/** Turns the refusal of an uploaded backup into an error of the API. */
export const refusalOf = ({ message }: TaskRefused): ApiError => {
  if (message.includes('is here already')) return conflict(message);
  return message.includes('too little space') ? new ApiError(507, message) : badRequest(`file: ${message}`);
};
