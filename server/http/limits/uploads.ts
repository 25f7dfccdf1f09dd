/** Reads the file of a multipart/form-data body as a stream, so that a file of gigabytes needs no memory. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { ApiError, badRequest } from '../../../shared/contract/errors.ts';

export interface UploadSink {
  /** Writes a chunk. Returns a promise to await before the next chunk, or undefined. */
  write(chunk: Buffer): Promise<void> | undefined;
  /** Discards everything that was written, because the upload failed. */
  abort(): Promise<void>;
}

/** Number of bytes that a body may have beyond its file, for boundaries, headers and a few other fields. */
const ENVELOPE_BYTES = 64 * 1024;

export const tooLargeFile = (limit: number) =>
  new ApiError(413, `The file is larger than ${describe(limit)}, the limit of this server`);
const describe = (bytes: number) =>
  bytes >= 1024 ** 3
    ? `${+(bytes / 1024 ** 3).toFixed(1)} GiB`
    : bytes >= 1024 ** 2
      ? `${+(bytes / 1024 ** 2).toFixed(1)} MiB`
      : `${bytes} bytes`;
const brokenOff = () => badRequest('The upload was interrupted, and the file is incomplete. Upload it again.');

/** Returns an upper limit for the size of the file, from Content-Length; 0 when unknown. */
export const announcedSize = (req: IncomingMessage): number => Number(req.headers['content-length'] ?? 0) || 0;

/**
 * @param options.limit in bytes
 * @param options.open is called at the start of the file with the client's name for it
 * @returns the client's name for the file (any string, not trusted) and the complete sink
 * @throws ApiError 400 (no multipart body, no file or several, interrupted), 413; the sink is aborted in these cases
 */
export const receiveFile = async <S extends UploadSink>(
  req: IncomingMessage,
  options: { field: string; limit: number; open: (name: string) => Promise<S> },
): Promise<{ name: string; sink: S }> => {
  if (announcedSize(req) > options.limit + ENVELOPE_BYTES) throw tooLargeFile(options.limit);
  return parse(req, options);
};

const parse = async <S extends UploadSink>(
  req: IncomingMessage,
  { field, limit, open }: { field: string; limit: number; open: (name: string) => Promise<S> },
): Promise<{ name: string; sink: S }> => {
  const parser = newParser(req);
  let received: { name: string; taken: Promise<S> } | undefined;
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {});
  parser.on('file', (name, stream, info) => {
    if (name !== field || received) {
      stopped.reject(
        badRequest(
          name === field ? `${field}: send one file at a time` : `${name}: is not expected; send the file as ${field}`,
        ),
      );
      stream.on('error', () => {}).resume();
      return;
    }
    const taken = take(stream, limit, () => open(info.filename ?? ''));
    taken.catch(stopped.reject);
    received = { name: info.filename ?? '', taken };
  });
  parser.on('error', () =>
    stopped.reject(badRequest(`The body is not valid multipart/form-data with a file in the field ${field}`)),
  );
  const closed = new Promise<void>((done) => parser.once('close', () => done()));
  req.once('close', () => {
    if (!req.complete) stopped.reject(brokenOff());
  });
  req.once('error', () => stopped.reject(brokenOff()));
  req.pipe(parser);
  try {
    await Promise.race([closed, stopped.promise]);
    if (!received)
      throw badRequest(`${field}: is required; send the file as multipart/form-data in the field ${field}`);
    return { name: received.name, sink: await received.taken };
  } catch (error) {
    req.unpipe(parser);
    parser.on('error', () => {}).destroy();
    // Destroying the parser makes the file's stream fail, so that `take` discards the upload.
    if (received)
      await received.taken.then(
        (sink) => sink.abort(),
        () => {},
      );
    throw error;
  }
};

const newParser = (req: IncomingMessage) => {
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      preservePath: true,
      highWaterMark: 256 * 1024,
      fileHwm: 256 * 1024,
      limits: { fields: 50, fieldSize: 4096, parts: 60 },
    });
  } catch {
    throw badRequest('The body must be multipart/form-data with the file in the field file');
  }
};

/**
 * Writes the stream into a sink (target of an upload). Resolves with the sink when all bytes are written; otherwise
 * discards the upload.
 */
const take = async <S extends UploadSink>(stream: Readable, limit: number, open: () => Promise<S>): Promise<S> => {
  stream.pause();
  // Listens for errors now, because the stream may fail while the sink is being opened.
  let failed = false;
  stream.on('error', () => {
    failed = true;
  });
  const sink = await open();
  try {
    if (failed || stream.destroyed) throw brokenOff();
    let size = 0;
    await new Promise<void>((done, fail) => {
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) {
          stream.pause();
          fail(tooLargeFile(limit));
          return;
        }
        const wait = sink.write(chunk);
        if (!wait) return;
        stream.pause();
        wait.then(() => stream.resume(), fail);
      });
      stream.once('end', done);
      stream.once('error', () => fail(brokenOff()));
      stream.once('close', () => fail(brokenOff()));
      stream.resume();
    });
    return sink;
  } catch (error) {
    await sink.abort();
    throw error;
  }
};
