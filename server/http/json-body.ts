import type { IncomingMessage } from 'node:http';
import { ApiError, badRequest } from '../../shared/contract/errors.ts';

const tooLarge = (limit: number) => new ApiError(413, `The body is larger than ${Math.floor(limit / 1024)} KiB`);

/** A megabyte over the worst Wi-Fi takes less; who sends a byte now and then only holds a connection. */
const PATIENCE_MS = 60_000;

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
    // Not destroyed when it is too much: the answer still has to go out.
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
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  } catch {
    throw badRequest('The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest('The body must be a JSON object');
  return value;
};
