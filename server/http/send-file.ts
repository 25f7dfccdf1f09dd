/** Sends a stored file with range and conditional requests, and with headers that make untrusted files harmless. */
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, notFound } from '../../shared/contract/errors.ts';

interface SentFile {
  readonly path: string;
  /** SHA-256 of the file, used as the ETag. */
  readonly sha256: string;
  readonly size: number;
  readonly mime: string;
  /** File name that a browser suggests when a person saves the file. It is encoded here. */
  readonly filename?: string;
  /** Whether the bytes at this address never change. @default false */
  readonly immutable?: boolean;
}

/** Size of a block in bytes. Each transfer uses two blocks: one is read while the other is sent. */
const BLOCK = 256 * 1024;
/**
 * Maximum number of blocks kept for reuse. Allocating new blocks causes page faults, which take most of the processor
 * time at 2 GB/s.
 */
const MAX_SPARE = 64;
const spare: Buffer[] = [];
const takeBlock = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
const giveBack = (block: Buffer): void => {
  if (spare.length < MAX_SPARE) spare.push(block);
};

/** Part of a file to send, with its headers. `end` is exclusive. */
interface WantedPart {
  readonly start: number;
  readonly end: number;
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string | number>>;
}

/**
 * Returns the requested part; undefined when the client already has the file and was answered with 304.
 * @throws ApiError 416 for an invalid range
 */
export const wantedPart = (
  req: IncomingMessage,
  res: ServerResponse,
  { etag, size, headers }: { readonly etag: string; readonly size: number; readonly headers: Record<string, string> },
): WantedPart | undefined => {
  const common = { ...headers, ETag: etag, 'Accept-Ranges': 'bytes' };
  if (matches(req.headers['if-none-match'], etag)) {
    res.writeHead(304, common).end();
    return undefined;
  }
  const range = rangeOf(req, size, etag);
  if (range === 'unsatisfiable') {
    res.setHeader('Content-Range', `bytes */${size}`);
    throw new ApiError(416, `The file has ${size} bytes; the range asked for is not among them`);
  }
  const { start, end } = range ?? { start: 0, end: size };
  return {
    start,
    end,
    status: range ? 206 : 200,
    headers: {
      ...common,
      'Content-Length': end - start,
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
    },
  };
};

/**
 * Sends a file, a range of the file, 304, or only headers for HEAD. Resolves when everything is sent or the client has
 * disconnected.
 * @throws ApiError 404 when the file is missing on disk, 416 for an invalid range
 */
export const sendBlob = async (req: IncomingMessage, res: ServerResponse, file: SentFile): Promise<void> => {
  const headers = {
    'Cache-Control': file.immutable ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policyFor(file.mime),
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(file.filename !== undefined && { 'Content-Disposition': disposition(file.filename) }),
  };
  const wanted = wantedPart(req, res, { etag: `"${file.sha256}"`, size: file.size, headers });
  if (!wanted) return;
  const handle = await open(file.path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notFound('The file on the server’s disk was') : error;
  });
  try {
    res.writeHead(wanted.status, { ...wanted.headers, 'Content-Type': file.mime });
    if (req.method === 'HEAD') res.end();
    else await pump(handle, res, wanted.start, wanted.end);
  } finally {
    await handle.close();
  }
};

type Handle = Awaited<ReturnType<typeof open>>;

/** Reads the next block while the previous block is sent, alternating between two buffers. */
const pump = async (handle: Handle, res: ServerResponse, start: number, end: number): Promise<void> => {
  const blocks = [takeBlock(), takeBlock()];
  let sending: Promise<void> = Promise.resolve();
  try {
    for (let at = start, turn = 0; at < end && !res.destroyed; turn ^= 1) {
      const block = blocks[turn]!;
      const { bytesRead } = await handle.read(block, 0, Math.min(BLOCK, end - at), at);
      await sending;
      if (bytesRead === 0) throw new Error('A stored file has become shorter');
      at += bytesRead;
      sending = write(res, block.subarray(0, bytesRead));
    }
    await sending;
    if (!res.destroyed) res.end();
  } catch (error) {
    // The client has disconnected or the answer cannot be completed. In both cases the connection is destroyed, so that
    // the client notices an incomplete answer.
    res.destroy();
    if (!(error instanceof Gone)) throw error;
  } finally {
    // Does not reuse the blocks after a cut connection, because the system may still use the block of an unfinished
    // write.
    if (!res.destroyed) blocks.forEach(giveBack);
  }
};

class Gone extends Error {}

const write = (res: ServerResponse, block: Buffer): Promise<void> => {
  const written = new Promise<void>((done, fail) => {
    const onClose = () => fail(new Gone());
    res.once('close', onClose);
    res.write(block, (error) => {
      res.off('close', onClose);
      if (error) fail(new Gone());
      else done();
    });
  });
  written.catch(() => {});
  return written;
};

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

/**
 * Returns the requested range; `end` is exclusive. For several ranges or an invalid header the range is the whole file,
 * as RFC 9110 allows.
 */
const rangeOf = (
  req: IncomingMessage,
  size: number,
  etag: string,
): { start: number; end: number } | 'unsatisfiable' | undefined => {
  const header = req.headers.range;
  const condition = req.headers['if-range'];
  if (header === undefined || (typeof condition === 'string' && condition.trim() !== etag)) return undefined;
  const found = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header);
  if (!found || (found[1] === '' && found[2] === '')) return undefined;
  const [first, last] = [found[1]!, found[2]!];
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
};

/**
 * Returns the content security policy of a file, because a file opened directly is a page of our origin. The sandbox
 * without allow-same-origin and sources keeps it from running or loading anything. PDFs are not sandboxed, because the
 * browser's PDF viewer would not start.
 */
const policyFor = (mime: string): string => {
  if (mime === 'application/pdf') return "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'";
  return "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; font-src data:";
};

/** Returns a Content-Disposition with a plain name for old clients and the encoded real name (RFC 6266). */
const disposition = (filename: string): string => {
  const plain = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%;/]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${plain}"; filename*=UTF-8''${encoded}`;
};
