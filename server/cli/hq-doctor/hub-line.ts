/**
 * A connection to a hub, written by hand, because a NATS client reports neither the certificate nor the exact refusal.
 * Protocol: https://docs.nats.io/reference/reference-protocols/nats-protocol; all payloads here have at most one line.
 */
import type { X509Certificate } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { z } from 'zod';
import { trustOnly } from '../../net/trust-only.ts';

/** Time limit in milliseconds per step: connection, handshake, answer. */
const ANSWER_MS = 4_000;
const MAX_LINE = 64 * 1024;

const Info = z.object({
  version: z.string(),
  tls_required: z.boolean().default(false),
  nonce: z.string().default(''),
  max_payload: z.number().default(0),
});
type Info = z.infer<typeof Info>;

export interface Credential {
  readonly jwt: string;
  readonly sign: (text: string) => Buffer;
}

/** Error: the hub cannot be used. The message is the end of a sentence. */
export class NoHub extends Error {}

/** Error: the connection ended, or no answer arrived in time. */
class Ended extends Error {}

/** Reads lines of a connection on demand. */
const linesOf = (socket: Socket) => {
  let [text, why] = ['', undefined as Error | undefined];
  let wake = () => {};
  const end = (error: Error) => {
    why ??= error;
    wake();
  };
  const take = (data: Buffer) => {
    text += data.toString('latin1');
    if (text.length > MAX_LINE) socket.destroy(new Ended('it says too much'));
    wake();
  };
  const closed = () => end(new Ended('the other side closed the connection'));
  socket.on('data', take).on('error', end).on('close', closed);
  return {
    /** @throws Error */
    next: async (): Promise<string> => {
      const late = setTimeout(() => end(new Ended(`it did not answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
      try {
        for (;;) {
          const at = text.indexOf('\r\n');
          if (at >= 0) {
            const line = text.slice(0, at);
            text = text.slice(at + 2);
            return line;
          }
          if (why) throw why;
          await new Promise<void>((go) => {
            wake = go;
          });
        }
      } finally {
        clearTimeout(late);
      }
    },
    /** Stops reading lines, so that the caller can pass the connection to another reader. */
    release: () => void socket.off('data', take).off('close', closed).pause(),
  };
};

export class HubLine {
  readonly info: Info;
  readonly certificate: X509Certificate;
  /**
   * True if the certificate is valid now, and is either the expected certificate or issued by the expected certificate.
   */
  readonly isProved: boolean;
  readonly #socket: TLSSocket;
  readonly #lines: ReturnType<typeof linesOf>;

  private constructor(info: Info, socket: TLSSocket) {
    this.info = info;
    this.certificate = socket.getPeerX509Certificate()!;
    this.isProved = socket.authorized;
    this.#socket = socket;
    this.#lines = linesOf(socket);
  }

  /** @param server `tls://host:port` @param ca PEM @throws NoHub */
  static async open(server: string, ca: string): Promise<HubLine> {
    const { hostname, port } = new URL(server);
    const plain = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 4222) });
    try {
      const lines = linesOf(plain);
      const first = await lines.next();
      if (!first.startsWith('INFO ')) throw new NoHub('what answers there is no nats-server');
      const info = Info.parse(JSON.parse(first.slice(5)));
      if (!info.tls_required) throw new NoHub('it speaks without TLS: it was not started with nats.conf');
      lines.release();
      const socket = connectTls({ socket: plain, ...trustOnly(ca), rejectUnauthorized: false });
      await shaken(socket);
      return new HubLine(info, socket);
    } catch (error) {
      plain.destroy();
      throw error instanceof NoHub ? error : new NoHub(reasonOf(error));
    }
  }

  /**
   * Connects with or without a credential. Returns the reason of a refusal; undefined when the connection was accepted.
   */
  async come(credential?: Credential): Promise<string | undefined> {
    const who = credential && {
      jwt: credential.jwt,
      sig: credential.sign(this.info.nonce).toString('base64url'),
    };
    const said = {
      verbose: false,
      pedantic: false,
      tls_required: true,
      lang: 'node',
      version: '1',
      protocol: 1,
      ...who,
    };
    this.send(`CONNECT ${JSON.stringify(said)}`, 'PING');
    try {
      const answer = await this.next();
      return answer === 'PONG' ? undefined : answer;
    } catch (error) {
      return (error as Error).message;
    }
  }

  send(...lines: readonly string[]): void {
    this.#socket.write(`${lines.join('\r\n')}\r\n`);
  }

  /** Returns the next line, apart from keep-alive messages. @throws Error when no line arrives in time */
  async next(): Promise<string> {
    for (;;) {
      const line = await this.#lines.next();
      if (line === 'PING') this.send('PONG');
      else if (!line.startsWith('INFO ')) return line;
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

const shaken = (socket: TLSSocket): Promise<void> =>
  new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Ended('it shook no hands')), ANSWER_MS);
    const end = (how: () => void) => () => {
      clearTimeout(late);
      how();
    };
    socket.once('secureConnect', end(done));
    socket.once('error', (error) => end(() => failed(error))());
    socket.once(
      'close',
      end(() => failed(new Ended('the other side closed the connection'))),
    );
  });

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'nothing answers at this address';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'this network does not know the host name';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'this network has no route to the address';
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 'what answers there is no nats-server';
  return message;
};
