/**
 * Delivers refusals reliably. If the server closes the connection while the client is still sending, the client's
 * system discards the answer. So the answer is sent at once, and the connection is closed after the rest of the request
 * was read, within limits.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Maximum number of bytes to read after a refusal: the size of a video that is refused, over a fast network. Above the
 * maximum, reading stops; a client that reads can still receive the answer.
 */
const DRAIN_BYTES = 256 * 1024 * 1024;
/**
 * Time limit in milliseconds for reading the rest of a refused body. Stops clients that send a byte now and then to
 * occupy a connection.
 */
const DRAIN_MS = 10_000;
/** Time in milliseconds for a client to close a connection that was refused before HTTP began. */
const FAREWELL_MS = 2_000;

export interface DrainLimits {
  readonly bytes: number;
  readonly ms: number;
}
const LIMITS: DrainLimits = { bytes: DRAIN_BYTES, ms: DRAIN_MS };

/**
 * Delays the end of a response until the rest of its request was read. Changes the methods of this response object,
 * because express replaces the prototype of responses.
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

/** Reads and discards the rest of the request. Resolves with true when all announced bytes have arrived. */
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
 * Sends an HTTP answer over a raw socket, and then closes the socket. Used to refuse an upgrade, or bytes that are not
 * HTTP.
 */
export const endRaw = (socket: Duplex, status: string, body = '', type = 'text/plain'): void => {
  // Does nothing when the answer was already sent: Node reports invalid HTTP again for each further chunk.
  if (socket.writableEnded) return;
  const late = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(late)).on('error', () => socket.destroy());
  socket.resume();
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};
