/** A file of this disk as an HTTP answer, with Range. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { unlessMissing } from './files.ts';

/** 256 KiB: large enough that a video costs few turns of the loop, small enough that a seek does not read much for nothing. */
const CHUNK = 256 * 1024;

export interface FileAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** False when there is no such file; nothing has been answered then. */
export async function sendFile(request: IncomingMessage, response: ServerResponse, { path, headers }: FileAnswer): Promise<boolean> {
  const file = await unlessMissing(open(path, 'r'));
  if (!file) return false;
  try {
    await sendOpen(file, request, response, headers);
  } finally {
    await file.close().catch(() => {});
  }
  return true;
}

async function sendOpen(file: FileHandle, request: IncomingMessage, response: ServerResponse, headers: Readonly<Record<string, string>>): Promise<void> {
  const { size } = await file.stat();
  const range = rangeOf(request.headers.range, size);
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

/** One range of bytes (media elements ask for no more). Undefined: the whole file, also for what cannot be understood. */
export function rangeOf(header: string | undefined, size: number): { start: number; end: number } | 'beyond' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [from, to] = [match[1] ?? '', match[2] ?? ''];
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start >= size || start > end ? 'beyond' : { start, end };
}
