/** Reads request bodies of stores. The bytes count against the memory that all requests of stores may use together. */
import type { IncomingMessage } from 'node:http';
import { Refused } from '../stores/refused.ts';
import type { RequestPipeline } from './request-pipeline.ts';

/** Time limit for a body, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Reads the body and passes it to `use`. The bytes count as in use until `use` has finished. @throws Refused */
export const readBody = async <T>(
  pipeline: Pick<RequestPipeline, 'reserveMemory' | 'release'>,
  req: IncomingMessage,
  most: number,
  use: (body: Buffer) => T,
): Promise<Awaited<T>> => {
  const tooLarge = () => new Refused('bad_request', 413, `The request is larger than ${most} bytes.`);
  if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => req.destroy(), PATIENCE_MS);
  try {
    for await (const part of req as AsyncIterable<Buffer>) {
      bytes += part.length;
      pipeline.reserveMemory(part.length);
      if (bytes > most) throw tooLarge();
      parts.push(part);
    }
    clearTimeout(late);
    return await use(Buffer.concat(parts));
  } finally {
    clearTimeout(late);
    pipeline.release(bytes);
  }
};
