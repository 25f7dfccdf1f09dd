import type { IncomingMessage } from 'node:http';
import { ApiError, badRequest } from '../../shared/contract/errors.ts';
import { crowdIn } from '../kernel/json-shape.ts';

const tooLarge = (limit: number) => new ApiError(413, `The body is larger than ${Math.floor(limit / 1024)} KiB`);

/** A megabyte over the worst Wi-Fi takes less. A client that sends a byte now and then only holds a connection. */
const PATIENCE_MS = 60_000;

/** Smaller bodies cost nothing, whatever is in them. */
const LOOK_FROM_BYTES = 64 * 1024;
/** Counts members and entries of all levels together: a directory of a thousand entries has four thousand. */
const MAX_VALUES = 50_000;
/** This is deeper than anything we know (a widget's config may have 24). */
const MAX_DEPTH = 100;

/**
 * Reads a JSON object; an empty body is an empty object.
 * @throws ApiError 400 for what is no JSON object, 413 beyond `limit` bytes
 */
export const readJson = async (req: IncomingMessage, limit: number): Promise<unknown> => {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => req.destroy(), PATIENCE_MS);
  try {
    // The request is not destroyed when it is too much: the answer still has to go out.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : badRequest('The body broke off');
  } finally {
    clearTimeout(late);
  }
  if (size === 0) return {};
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  const crowd = size >= LOOK_FROM_BYTES ? crowdIn(bytes, { values: MAX_VALUES, depth: MAX_DEPTH }) : undefined;
  if (crowd) throw badRequest(`The body ${crowd}`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest('The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('The body must be a JSON object');
  return value;
};
