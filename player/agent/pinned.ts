/**
 * Connections that accept only a server with a pinned certificate. The name is not checked (a server's address
 * changes), nor the dates (a player's clock may be wrong by years), nor the system's trust store. Node's own fetch and
 * WebSocket do not support this.
 */
import { X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import WebSocket from 'ws';
import { MAX_FRAME_BYTES } from '../../shared/protocol/messages.ts';
import { Untrusted } from '../core/errors.ts';
import { type ConnectSocket, type Get, type Trust, UNTRUSTED } from '../core/ports.ts';

type Created = (error: Error | null, socket?: TLSSocket) => void;

/** Returns a socket only after its peer has proved its identity. */
class PinnedAgent extends Agent {
  readonly #trusted: X509Certificate | null;

  constructor(trusted: X509Certificate | null) {
    super({ keepAlive: trusted !== null, maxSockets: 16 });
    this.#trusted = trusted;
  }

  // The types of the base class allow only sockets that are returned synchronously. Node also accepts a callback.
  override createConnection(options: object, created: unknown): undefined {
    const done = created as Created;
    // The handshake proves that the peer holds the key of its certificate, whoever issued it.
    const socket = connect({ ...options, rejectUnauthorized: false });
    const fail = (error: Error) => {
      socket.destroy();
      done(error);
    };
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.off('error', fail);
      if (this.#trusted && !isHeld(socket, this.#trusted))
        fail(new Untrusted('it has neither the certificate that was pinned nor one issued by it'));
      else done(null, socket);
    });
  }
}

const isHeld = (socket: TLSSocket, trusted: X509Certificate): boolean => {
  const shown = socket.getPeerX509Certificate();
  if (!shown) return false;
  return shown.raw.equals(trusted.raw) || (trusted.ca && shown.checkIssued(trusted) && shown.verify(trusted.publicKey));
};

/** The HTTPS agent for connections to the server of the player. */
let held: { readonly certificate: string; readonly agent: PinnedAgent } | undefined;

const agentFor = ({ certificate }: Trust): PinnedAgent => {
  if (certificate === null) return new PinnedAgent(null);
  if (held?.certificate === certificate) return held.agent;
  held?.agent.destroy();
  held = { certificate, agent: new PinnedAgent(new X509Certificate(Buffer.from(certificate, 'hex'))) };
  return held.agent;
};

export const getPinned = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  trust: Trust,
): ReturnType<Get> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent: agentFor(trust), headers, signal }, (reply) => {
      resolve({
        status: reply.statusCode ?? 0,
        header: (name) => {
          const value = reply.headers[name.toLowerCase()];
          return Array.isArray(value) ? value.join(', ') : (value ?? null);
        },
        body: reply,
      });
    });
    asked.once('error', reject);
    asked.end();
  });

export const connectPinned = (
  url: string,
  subprotocol: string,
  events: Parameters<ConnectSocket>[2],
  trust: Trust,
): ReturnType<ConnectSocket> => {
  const socket = new WebSocket(url, subprotocol, {
    agent: agentFor(trust),
    perMessageDeflate: false,
    maxPayload: 4 * MAX_FRAME_BYTES,
  });
  let why: Error | undefined;
  socket.on('open', () => events.opened());
  socket.on('message', (data, isBinary) => {
    if (isBinary) socket.close(4400, 'not text');
    else events.text(String(data));
  });
  // The error needs no handling here: the close event that follows reports it.
  socket.on('error', (error) => (why = error));
  socket.on('close', (code, reason) =>
    why instanceof Untrusted ? events.closed(UNTRUSTED, why.message) : events.closed(code, String(reason)),
  );
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code, reason) => socket.close(code, reason),
  };
};
