/**
 * Makes refusals arrive. A client may still be sending when it is answered, and closing the connection on what it sends
 * makes its system throw away the answer with it. So an answer leaves at once, and its connection ends when the rest
 * was read, within bounds.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * This much is a video that is refused at the door, over a fast network. Beyond it nothing is read any more; a client
 * that looks finds the answer all the same.
 */
const DRAIN_BYTES = 256 * 1024 * 1024;
/** Bounds the time for all of it: a client that sends a byte now and then only holds a connection. */
const DRAIN_MS = 10_000;
/** A client that was refused before HTTP could begin is to hang up by then. */
const FAREWELL_MS = 2_000;

export interface DrainLimits {
  readonly bytes: number;
  readonly ms: number;
}
const LIMITS: DrainLimits = { bytes: DRAIN_BYTES, ms: DRAIN_MS };

/**
 * Makes the end of an answer wait for the rest of its request. It changes this one answer, since express gives it
 * another prototype.
 */
export const endWhenRead = (req: IncomingMessage, res: ServerResponse, limits: DrainLimits = LIMITS): void => {
  const end = res.end.bind(res) as (...given: unknown[]) => ServerResponse;
  let ending = false;
  res.end = ((...given: unknown[]): ServerResponse => {
    if (ending) return res;
    if (req.complete || req.destroyed || res.destroyed) return end(...given);
    ending = true;
    const callback = given.find((each) => typeof each === 'function');
    const [chunk, encoding] = given as [string | Buffer | undefined, BufferEncoding | undefined];
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) {
      if (!res.headersSent && !res.hasHeader('Content-Length'))
        res.setHeader('Content-Length', Buffer.byteLength(chunk, encoding));
      res.write(chunk, encoding ?? 'utf8');
    } else res.flushHeaders();
    void discard(req, limits).then((isAll) => {
      const { socket } = res;
      end(callback);
      if (!isAll) socket?.destroySoon();
    });
    return res;
  }) as ServerResponse['end'];
};

/** Resolves with true when all that was announced has come. */
const discard = (req: IncomingMessage, { bytes, ms }: DrainLimits): Promise<boolean> =>
  new Promise((done) => {
    const finish = () => {
      clearTimeout(late);
      done(req.complete);
    };
    const late = setTimeout(finish, ms);
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytes) req.pause();
    });
    req.once('end', finish).once('close', finish).on('error', finish).resume();
  });

/**
 * Says the last word on a connection that is no HTTP any more: an upgrade that is refused, or what never was a request.
 */
export const endRaw = (socket: Duplex, status: string, body = '', type = 'text/plain'): void => {
  // Node complains of broken HTTP with every piece that comes.
  if (socket.writableEnded) return;
  const late = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(late)).on('error', () => socket.destroy());
  socket.resume();
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};
