import type { IncomingMessage } from 'node:http';
import { ApiError, badRequest } from '../../../shared/contract/errors.ts';
import { crowdIn } from '../../kernel/json-shape.ts';

const tooLarge = (limit: number) => new ApiError(413, `The body is larger than ${Math.floor(limit / 1024)} KiB`);

/**
 * Time limit in milliseconds for receiving a body. A megabyte over very poor Wi-Fi takes less. The limit stops clients
 * that send a byte now and then to occupy a connection.
 */
const PATIENCE_MS = 60_000;

/**
 * Size in bytes below which a body is parsed without a check of its shape (depth and number of values), because even
 * the worst small body costs little.
 */
const LOOK_FROM_BYTES = 64 * 1024;
/** Maximum number of values in a body, on all levels together. A directory of a thousand entries has four thousand. */
const MAX_VALUES = 50_000;
/** Maximum depth of nested objects and lists. No known body is deeper (the config of a widget may have 24 levels). */
const MAX_DEPTH = 100;

/**
 * Reads a JSON object; an empty body is an empty object.
 * @throws ApiError 400 for anything but a JSON object, 413 above
 * `limit` bytes
 */
export const readJson = async (req: IncomingMessage, limit: number): Promise<unknown> => {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => req.destroy(), PATIENCE_MS);
  try {
    // Leaving the loop does not destroy the request, because the answer that refuses a large body must still be sent.
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
