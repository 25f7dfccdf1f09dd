import type { z } from 'zod';
import { badRequest } from '../../shared/contract/errors.ts';
import { beyondBounds } from './limits/declared-bounds.ts';

/** Returns the parsed value. @throws ApiError 400 with a sentence that names the first invalid field */
export const parseOr400 = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: 'path' | 'query' | 'body',
): z.output<S> => {
  const long = beyondBounds(schema, value);
  if (long) throw badRequest(`${long.path.join('.')}: ${long.message}`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badRequest(sentence(parsed.error.issues[0], where, value));
};

const sentence = (issue: z.core.$ZodIssue | undefined, where: string, value: unknown): string => {
  if (!issue) return `The ${where} is not valid`;
  const name = issue.path.map(String).join('.');
  if (!name)
    return `The ${where} ${issue.code === 'invalid_type' ? `must be ${article(issue.expected)}` : issue.message}`;
  const deepest = deepestUnionIssue(issue);
  if (deepest) return sentence({ ...deepest, path: [...issue.path, ...deepest.path] }, where, value);
  return `${name}: ${wording(issue, value)}`;
};

/** Returns the most specific issue of a union's branches. */
const deepestUnionIssue = (issue: z.core.$ZodIssue): z.core.$ZodIssue | undefined => {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return undefined;
  const candidates = issue.errors.flat();
  return candidates.find((i) => i.code !== 'invalid_type' && i.code !== 'invalid_value') ?? candidates[0];
};

const wording = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (issue.code === 'invalid_type') {
    const given = issue.path.reduce<unknown>((v, key) => (v as Record<PropertyKey, unknown> | undefined)?.[key], value);
    return given === undefined ? 'is required' : `must be ${article(issue.expected)}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
};

const article = (type: string): string => {
  if (type === 'int') return 'a whole number';
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
};

/**
 * Splits a request target into path and query. A repeated parameter is refused, because two parts of the program might
 * read different values.
 */
export const readQuery = (url: string): { path: string; query: Record<string, string> } => {
  const mark = url.indexOf('?');
  if (mark < 0) return { path: url, query: {} };
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (Object.hasOwn(query, name)) throw badRequest(`${name}: is given more than once`);
    Object.defineProperty(query, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return { path: url.slice(0, mark), query };
};
