import type { IncomingMessage } from 'node:http';
import { ApiError, badRequest } from '../../shared/contract/errors.ts';

const tooLarge = (limit: number) => new ApiError(413, `The body is larger than ${Math.floor(limit / 1024)} KiB`);

/** A megabyte over the worst Wi-Fi takes less; who sends a byte now and then only holds a connection. */
const PATIENCE_MS = 60_000;

/** Smaller ones cost nothing, whatever is in them. */
const LOOK_FROM_BYTES = 64 * 1024;
/** Members and entries, all levels together: a directory of a thousand entries has four thousand. */
const MAX_VALUES = 50_000;
/** Deeper than anything we know (a widget's config may have 24). */
const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `{` and `[`, `}` and `]`, once the bit that tells them apart is set. */
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** A megabyte of commas or brackets takes the parser, and all that looks at what it made, a hundred times as long as one of text. */
const refuseCrowded = (bytes: Buffer): void => {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === COMMA) values++;
    else if ((byte | 0x20) === OPEN) depth++;
    else if ((byte | 0x20) === CLOSE) depth--;
    else continue;
    if (values > MAX_VALUES) throw badRequest(`The body has more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) throw badRequest(`The body is nested more than ${MAX_DEPTH} deep`);
  }
};

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
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (size >= LOOK_FROM_BYTES) refuseCrowded(bytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest('The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest('The body must be a JSON object');
  return value;
};
