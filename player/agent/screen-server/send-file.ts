/** Sends a file from disk as an HTTP response, with Range support. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { unlessMissing } from '../files/files.ts';

/**
 * Size of a read in bytes. 256 KiB are large enough that a video needs few turns of the event loop, and small enough
 * that a seek wastes little reading.
 */
const CHUNK = 256 * 1024;
/**
 * Maximum bytes of a clip per response. Data that Chromium has received but does not need yet waits in a pipe of 2 MiB.
 * Data beyond the pipe keeps the connection busy while the clip is far enough ahead; six such clips block all other
 * requests of the page, including clock and pictures. More connections (a host name per clip) would not help: at most
 * ten requests for pictures and clips of a page run at once. A part that fits into the pipe leaves nothing waiting.
 * Chromium requests the next part after 25 ms, which still gives about 50 MB/s.
 */
const MOST_OF_CLIP = 1.5 * 1024 * 1024;

export interface FileAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum bytes of a range response, from {@link mostAtOnce}. @default Infinity */
  readonly most?: number;
}

/** Returns false if the file does not exist. Then nothing has been sent. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { path, ...answer }: FileAnswer,
): Promise<boolean> {
  const file = await unlessMissing(open(path, 'r'));
  if (!file) return false;
  try {
    await sendOpen(file, request, response, answer);
  } finally {
    await file.close().catch(() => {});
  }
  return true;
}

async function sendOpen(
  file: FileHandle,
  request: IncomingMessage,
  response: ServerResponse,
  { headers, most }: Omit<FileAnswer, 'path'>,
): Promise<void> {
  const { size } = await file.stat();
  const range = rangeOf(request.headers.range, size, most);
  if (range === 'beyond') {
    response.writeHead(416, { ...headers, 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'Accept-Ranges': 'bytes',
    'Content-Length': String(end - start + 1),
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  });
  if (request.method === 'HEAD' || size === 0) {
    response.end();
    return;
  }
  const stream = createReadStream('', { fd: file, start, end, highWaterMark: CHUNK, autoClose: false });
  // A page that disconnects in the middle of a video causes no error message.
  await pipeline(stream, response).catch(() => {});
}

/** Returns the maximum bytes per response for a type. Other clients of ranges (PDF) need the complete range. */
export const mostAtOnce = (mime: string): number => (/^(?:video|audio)\//i.test(mime) ? MOST_OF_CLIP : Infinity);

/**
 * Parses one range of bytes (media elements request no more), shortened to `most` (allowed by RFC 9110, 15.3.7).
 * Undefined: send the whole file, also for an invalid header.
 */
export function rangeOf(
  header: string | undefined,
  size: number,
  most = Infinity,
): { start: number; end: number } | 'beyond' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [from, to] = [match[1] ?? '', match[2] ?? ''];
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start >= size || start > end ? 'beyond' : { start, end: Math.min(end, start + most - 1) };
}
