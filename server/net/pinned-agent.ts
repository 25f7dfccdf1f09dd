/**
 * HTTPS agent that accepts only one certificate. Host names are not checked because addresses change, dates because
 * clocks may be wrong. The system's authorities are not used. The owner of the certificate was proved before, by a
 * signature.
 */
import { X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';

/** Error: the other end has neither the pinned certificate nor a certificate issued by it. */
export class NotPinned extends Error {}

export interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

type Created = (error: Error | null, socket?: TLSSocket) => void;

export class PinnedAgent extends Agent {
  /** The only accepted certificate. Null: any certificate is accepted; undefined: no certificate is accepted. */
  readonly #held: X509Certificate | null | undefined;
  /** Connections whose handshake is in progress. The base class does not list them. */
  readonly #coming = new Set<TLSSocket>();

  /**
   * @param certificate DER, hex; null: accepts any server, whose identity is proved later; '': accepts none, because
   * the other end is unknown
   */
  constructor(certificate: string | null) {
    super({ keepAlive: certificate !== null, maxSockets: 4 });
    this.#held = certificate
      ? new X509Certificate(Buffer.from(certificate, 'hex'))
      : certificate === null
        ? null
        : undefined;
  }

  override createConnection(options: object, created: unknown): undefined {
    const socket = connect({ ...options, rejectUnauthorized: false });
    this.#coming.add(socket);
    const end = (error: Error | null) => {
      socket.off('error', end);
      this.#coming.delete(socket);
      if (error) socket.destroy();
      (created as Created)(error, socket);
    };
    socket.once('error', end);
    socket.once('secureConnect', () => end(this.#accepts(socket) ? null : new NotPinned('another certificate')));
  }

  override destroy(): void {
    for (const socket of this.#coming) socket.destroy(new Error('the connection is no longer needed'));
    super.destroy();
  }

  /**
   * Checks the certificate of the other end. The handshake has proved that the other end has the key of the
   * certificate.
   */
  #accepts(socket: TLSSocket): boolean {
    if (this.#held === null) return true;
    if (this.#held === undefined) return false;
    const shown = socket.getPeerX509Certificate();
    if (!shown || shown.raw.equals(this.#held.raw)) return shown !== undefined;
    return this.#held.ca && shown.checkIssued(this.#held) && shown.verify(this.#held.publicKey);
  }
}

interface PinnedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Maximum size of the answer in bytes. A larger answer is an error. */
  readonly most: number;
  /** Time limit for the whole request in milliseconds. */
  readonly patience: number;
}

/** Sends a request and returns the whole answer. @throws NotPinned, or a network error */
export const requestPinned = (
  url: string,
  agent: Agent,
  { method, headers = {}, body, most, patience }: PinnedRequest,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(patience);
    const length = body ? { 'Content-Length': body.length } : {};
    const asked = request(url, { agent, method, headers: { ...headers, ...length }, signal }, (reply) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      reply.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > most) asked.destroy(new Error('the answer is too long'));
        else parts.push(part);
      });
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(parts) }));
      reply.once('error', reject);
    });
    asked.once('error', (error) => reject(signal.aborted ? new Error('there was no answer in time') : error));
    asked.end(body);
  });
