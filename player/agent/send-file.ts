/** A file of this disk as an HTTP answer, with Range. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { unlessMissing } from './files.ts';

/**
 * 256 KiB: large enough that a video costs few turns of the loop, small enough that a seek does not read much for
 * nothing.
 */
const CHUNK = 256 * 1024;
/**
 * Of a clip. What Chromium has been sent and does not want yet waits in a pipe of 2 MiB, and what does not fit in there
 * keeps its connection busy for as long as the clip is far enough ahead. Six such clips, and nothing else of this
 * server reaches the page, neither clock nor pictures. More connections (a host name for each clip) would not do: of a
 * page's pictures and clips only ten may be on their way at once. A part that fits leaves nothing waiting; Chromium
 * asks for the next one after 25 ms, which is still some 50 MB/s.
 */
const MOST_OF_CLIP = 1.5 * 1024 * 1024;

export interface FileAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of which the answer to a range may consist, as of {@link mostAtOnce}. @default Infinity */
  readonly most?: number;
}

/** False when there is no such file; nothing has been answered then. */
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
  // A page that goes away in the middle of a video is no trouble.
  await pipeline(stream, response).catch(() => {});
}

/** How many bytes of such a file one answer has at most. Others who ask for a range (PDF) count on all of it. */
export const mostAtOnce = (mime: string): number => (/^(?:video|audio)\//i.test(mime) ? MOST_OF_CLIP : Infinity);

/**
 * One range of bytes (media elements ask for no more), or its beginning where it is longer than `most` (RFC 9110,
 * 15.3.7, allows that). Undefined: the whole file, also for what cannot be understood.
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
