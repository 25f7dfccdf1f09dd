import type { z } from 'zod';
import type { ApiError } from '../../../shared/contract/errors.ts';

/** Returns the kind of error of a field; undefined if the field is valid. */
export const issueOf = (error: z.ZodError | undefined, field: string): 'missing' | 'tooLong' | 'wrong' | undefined => {
  const issue = error?.issues.find(({ path }) => path[0] === field);
  if (!issue) return undefined;
  if (issue.code === 'too_small' && issue.origin === 'string') return 'missing';
  return issue.code === 'too_big' && issue.origin === 'string' ? 'tooLong' : 'wrong';
};

/** Returns the field that the server's message names, as in "name: must not be empty", and the rest of the message. */
export const refusalOf = ({ status, message }: ApiError): Record<string, string> | undefined => {
  const [, field, what] = /^(\w+)[\w.]*: (.+)$/s.exec(message) ?? [];
  return status === 400 && field && what ? { [field]: what } : undefined;
};
